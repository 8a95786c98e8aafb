import { SurmiseError } from './errors.js';

export interface AverageOptions {
  /** One weight per vector, default 1 each; the sum must not be 0. */
  readonly weights?: readonly number[];
  /** Bring every input to length 1 first, so that none dominates by its norm. Default true. */
  readonly normalizeInputs?: boolean;
  /** Bring the average to length 1. Default true. */
  readonly normalizeOutput?: boolean;
}

/** Below this the length of an average is what rounding left of inputs that cancel out: float32 has 24 bits. */
const cancelled = 2 ** -24;

/** Euclidean length, summed in float64. */
export function norm(vector: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += vector[i]! * vector[i]!;
  // Squares of float64 values may leave its range where the length does not; those of float32 never do.
  return sum > 1e-280 && sum < Number.POSITIVE_INFINITY ? Math.sqrt(sum) : scaledNorm(vector);
}

function scaledNorm(vector: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < vector.length; i++) {
    const size = Math.abs(vector[i]!);
    // What is not finite gives a length that is not finite.
    if (!(size <= Number.MAX_VALUE)) return size;
    if (size > most) most = size;
  }
  if (most === 0) return 0;
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += (vector[i]! / most) ** 2;
  return most * Math.sqrt(sum);
}

/** A fresh vector of length 1; the zero vector stays zero. */
export function normalize(vector: ArrayLike<number>): Float32Array {
  const length = norm(vector);
  const out = new Float32Array(vector.length);
  if (length > 0) for (let i = 0; i < out.length; i++) out[i] = vector[i]! / length;
  return out;
}

/**
 * Cosine similarity, −1 to 1, summed in float64. The zero vector is like nothing: 0.
 *
 * @throws SurmiseError `bad_argument`: different lengths, or a value that is not finite
 */
export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length)
    throw new SurmiseError(
      'bad_argument',
      `Can not compare embeddings: one has ${a.length} dimensions, the other ${b.length}.`,
    );
  const [lengthA, lengthB] = [norm(a), norm(b)];
  if (!Number.isFinite(lengthA) || !Number.isFinite(lengthB))
    throw new SurmiseError('bad_argument', 'Can not compare embeddings: a value is not a finite number.');
  if (lengthA === 0 || lengthB === 0) return 0;
  let dot = 0;
  for (let i = 0; i < a.length; i++) dot += (a[i]! / lengthA) * (b[i]! / lengthB);
  return Math.min(1, Math.max(-1, dot));
}

/**
 * Weighted mean of N vectors of one dimension (HyDE's fusion of hypotheses, Gao et al. 2022) as a fresh Float32Array;
 * the inputs are not touched. O(N·dim) time, O(dim) memory. Opposite vectors average to zero, which is returned as zero,
 * also where rounding leaves less than 2⁻²⁴ of the inputs' lengths and the output is brought to length 1.
 *
 * @throws SurmiseError `bad_argument`: no vectors, different lengths, weights of another length, a value or weight
 *   that is not finite, weights that sum to 0, or an average beyond the range of float32.
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
  let totalSize = 0;
  let reach = 0;
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
    totalSize += Math.abs(weight);
    reach += Math.abs(scale) * length;
  });
  // 0.1 + 0.2 − 0.3 is not 0 in floating point.
  if (Math.abs(total) <= Number.EPSILON * totalSize) throw bad('the weights sum to 0');
  if (normalizeOutput && norm(sum) <= cancelled * reach) return new Float32Array(sum.length);
  for (let i = 0; i < sum.length; i++) sum[i]! /= total;
  const mean = normalizeOutput ? normalize(sum) : Float32Array.from(sum);
  if (!Number.isFinite(norm(mean))) throw bad('the average is too large for float32');
  return mean;
}

/** True when the vector's length is 1 within the tolerance. */
export function isUnitNorm(vector: ArrayLike<number>, tolerance = 1e-5): boolean {
  return Math.abs(norm(vector) - 1) <= tolerance;
}

function bad(what: string): SurmiseError {
  return new SurmiseError('bad_argument', `Can not average embeddings: ${what}.`);
}
