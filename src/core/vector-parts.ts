import type { Hypothesis } from './hypothesis.js';
import { norm, normalize } from './vectors.js';

/** A vector's share in that of the question: it was added with this factor. */
export interface VectorPart {
  readonly of: 'question' | Hypothesis;
  /** Length 1. */
  readonly vector: Float32Array;
  readonly factor: number;
}

/**
 * The parts of `normalise(v + weight · normalise(Σ count · h / ‖h‖))`, where `before` are those of v: their sum, each with
 * its factor, is the vector, so cosines with it are sums of cosines with its parts.
 */
export function joinParts(
  before: readonly VectorPart[],
  added: readonly { readonly of: Hypothesis; readonly vector: Float32Array; readonly count: number }[],
  weight: number,
): VectorPart[] {
  const units = added.map(({ of, vector, count }) => ({ of, vector: normalize(vector), factor: count }));
  const mean = norm(sumOf(units)) || 1;
  const joined = [...before, ...units.map((part) => ({ ...part, factor: (weight * part.factor) / mean }))];
  const length = norm(sumOf(joined)) || 1;
  return joined.map((part) => ({ ...part, factor: part.factor / length }));
}

function sumOf(parts: readonly VectorPart[]): Float64Array {
  const sum = new Float64Array(parts[0]?.vector.length ?? 0);
  for (const { vector, factor } of parts) for (let i = 0; i < sum.length; i++) sum[i]! += factor * vector[i]!;
  return sum;
}
