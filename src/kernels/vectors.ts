import type { Groups } from './best-of-groups.js';
import type { Ranked } from './top-k.js';

/** Rows of unit (or zero) vectors, one after the other: row r is `matrix[r * dimensions ... (r + 1) * dimensions - 1]`. */
export interface VectorSource {
  readonly matrix: Float32Array;
  readonly dimensions: number;
  /** Rows in use; the matrix may be larger. */
  readonly rows: number;
  id(row: number): string;
  /** `surmise/float32-scan.wasm`, compiled, where the platform does not let it be compiled at run time; `false` for JavaScript. */
  readonly kernel?: object | false;
}

export interface VectorOptions {
  /** How many hits at most, a positive integer. */
  readonly k: number;
  /** By row, not 0 where the row may be found. */
  readonly allow?: Uint8Array;
  /** Asks for the best row of each of the best k groups as well. */
  readonly groups?: Groups;
}

export interface VectorResult {
  /** Cosine in [-1, 1] descending, then id ascending by code units. */
  readonly hits: Ranked[];
  /** The best row of each group in the same order, at most k; empty where no groups were given. */
  readonly groupHits: Ranked[];
  /** Allowed rows. */
  readonly matched: number;
  /** Range of the scores of all allowed rows; 0 and 0 where there are none. */
  readonly min: number;
  readonly max: number;
}

/** RangeError, naming `what`, unless the vector has that many finite numbers. */
export function checkVector(vector: Float32Array, dimensions: number, what: string): void {
  if (vector.length !== dimensions) {
    throw new RangeError(`${what} has ${vector.length} dimensions, expected ${dimensions}.`);
  }
  for (let at = 0; at < dimensions; at++) {
    // Infinity and NaN are all that give NaN here; a call for each number would cost more than the search.
    if (vector[at]! - vector[at]! === 0) continue;
    throw new RangeError(`${what} holds ${vector[at]} at position ${at}; every number must be finite.`);
  }
}

/** A copy of length 1 (norm summed in double precision); the zero vector stays zero. */
export function unitVector(vector: Float32Array): Float32Array {
  // Plain loops: at the first search, which does this for all vectors, nothing is compiled yet.
  let sum = 0;
  for (let at = 0; at < vector.length; at++) sum += vector[at]! * vector[at]!;
  const norm = Math.sqrt(sum);
  const unit = new Float32Array(vector.length);
  if (norm !== 0) for (let at = 0; at < vector.length; at++) unit[at] = vector[at]! / norm;
  return unit;
}

/**
 * The score of a row: its dot product with a query, in double precision, clamped to [-1, 1]. Four sums that do not wait
 * for each other; their order is fixed, so that equal rows have equal scores. This is what exact means here.
 */
export function scoreOf(matrix: Float32Array, offset: number, query: Float32Array): number {
  return Math.min(1, Math.max(-1, dot(matrix, offset, query)));
}

function dot(matrix: Float32Array, offset: number, query: Float32Array): number {
  const length = query.length;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let at = 0;
  for (; at + 3 < length; at += 4) {
    a += matrix[offset + at]! * query[at]!;
    b += matrix[offset + at + 1]! * query[at + 1]!;
    c += matrix[offset + at + 2]! * query[at + 2]!;
    d += matrix[offset + at + 3]! * query[at + 3]!;
  }
  for (; at < length; at++) a += matrix[offset + at]! * query[at]!;
  return a + b + (c + d);
}
