import { SurmiseError } from './errors.js';

export interface AverageOptions {
  /** One weight per vector, default 1 each; the sum must not be 0. */
  readonly weights?: readonly number[];
  /** Bring every input to length 1 first, so that none dominates by its norm. Default true. */
  readonly normalizeInputs?: boolean;
  /** Bring the average to length 1. Default true. */
  readonly normalizeOutput?: boolean;
}

/** Euclidean length, summed in float64. */
export function norm(vector: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += vector[i]! * vector[i]!;
  return Math.sqrt(sum);
}

/** A fresh vector of length 1; the zero vector stays zero. */
export function normalize(vector: ArrayLike<number>): Float32Array {
  const length = norm(vector);
  const out = new Float32Array(vector.length);
  if (length > 0) for (let i = 0; i < out.length; i++) out[i] = vector[i]! / length;
  return out;
}

/**
 * Weighted mean of N vectors of one dimension (HyDE's fusion of hypotheses, Gao et al. 2022) as a fresh Float32Array;
 * the inputs are not touched. O(N·dim) time, O(dim) memory. Opposite vectors average to zero, which is returned as zero.
 *
 * @throws SurmiseError `bad_argument`: no vectors, different lengths, weights of another length, a value or weight
 *   that is not finite, or weights that sum to 0.
 */
export function averageEmbeddings(
  vectors: readonly (Float32Array | readonly number[])[],
  options: AverageOptions = {},
): Float32Array {
  const { weights, normalizeInputs = true, normalizeOutput = true } = options;
  const first = vectors[0];
  if (first === undefined) throw bad('at least one vector is needed');
  if (weights !== undefined && weights.length !== vectors.length)
    throw bad(`there are ${vectors.length} vectors but ${weights.length} weights`);
  const sum = new Float64Array(first.length);
  let total = 0;
  vectors.forEach((vector, index) => {
    if (vector.length !== first.length)
      throw bad(`vector ${index} has ${vector.length} dimensions, vector 0 has ${first.length}`);
    const weight = weights?.[index] ?? 1;
    const length = norm(vector);
    if (!Number.isFinite(weight)) throw bad(`weight ${index} is not a finite number`);
    if (!Number.isFinite(length)) throw bad(`vector ${index} holds a value that is not a finite number`);
    const scale = normalizeInputs ? (length > 0 ? weight / length : 0) : weight;
    for (let i = 0; i < sum.length; i++) sum[i]! += scale * vector[i]!;
    total += weight;
  });
  if (total === 0) throw bad('the weights sum to 0');
  for (let i = 0; i < sum.length; i++) sum[i]! /= total;
  return normalizeOutput ? normalize(sum) : Float32Array.from(sum);
}

/** True when the vector's length is 1 within the tolerance. */
export function isUnitNorm(vector: ArrayLike<number>, tolerance = 1e-5): boolean {
  return Math.abs(norm(vector) - 1) <= tolerance;
}

function bad(what: string): SurmiseError {
  return new SurmiseError('bad_argument', `Can not average embeddings: ${what}.`);
}
