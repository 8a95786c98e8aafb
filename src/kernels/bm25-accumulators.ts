import type { PostingsPiece } from './postings.js';

/** Rows up to which the memory is kept between searches, 8 bytes each. */
const largestKept = 4_194_304;
let kept: Float64Array = new Float64Array(0);

/** One sum for each row, all 0. Give them back when all are 0 again; what is not given back is let go. */
export function takeAccumulators(rows: number): Float64Array {
  const memory = kept.length >= rows ? kept : new Float64Array(rows);
  // Whoever asks meanwhile gets others.
  kept = new Float64Array(0);
  // Of exactly that length: a row that is out of range must not reach the next search.
  return memory.subarray(0, rows);
}

export function giveBackAccumulators(scores: Float64Array): void {
  const memory = new Float64Array(scores.buffer);
  if (memory.length <= largestKept && memory.length > kept.length) kept = memory;
}

/** Adds gain * tf / (tf + norm of the row) to each row of the list. */
export function accumulate(scores: Float64Array, postings: PostingsPiece, gain: number, norms: Float64Array): void {
  const { rows, frequencies, base } = postings;
  for (let at = 0; at < rows.length; at++) {
    const row = base + rows[at]!;
    const frequency = frequencies[at]!;
    scores[row]! += (gain * frequency) / (frequency + norms[row]!);
  }
}
