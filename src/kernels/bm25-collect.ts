import type { PostingsPiece } from './postings.js';
import { createTopK, type Ranked } from './top-k.js';

/** Takes sums out of the accumulators and keeps the best. */
export interface Collector {
  /** The sums of so many first rows; those above 0 are a match. They are 0 afterwards. */
  drain(scores: Float64Array, count: number): void;
  /** The same of the rows listed, which may have been drained before. */
  drainRows(scores: Float64Array, list: PostingsPiece): void;
  readonly matched: number;
  /** Of what matched; infinite before anything did. */
  readonly min: number;
  readonly max: number;
  hits(): Ranked[];
}

export function createCollector(k: number, idOf: (row: number) => string): Collector {
  const top = createTopK(k, idOf);
  let matched = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = 0;

  // Two loops, as short as they can be: they take half of the time of a search.
  function drain(scores: Float64Array, count: number): void {
    let bar = top.bar();
    let seen = 0;
    let least = min;
    for (let row = 0; row < count; row++) {
      const score = scores[row]!;
      if (score === 0) continue;
      seen++;
      if (score < least) least = score;
      if (score < bar) continue;
      keep(row, score);
      bar = top.bar();
    }
    scores.fill(0, 0, count);
    matched += seen;
    min = least;
  }

  function drainRows(scores: Float64Array, { rows, base }: PostingsPiece): void {
    let bar = top.bar();
    let seen = 0;
    let least = min;
    for (let at = 0; at < rows.length; at++) {
      const row = base + rows[at]!;
      const score = scores[row]!;
      if (score === 0) continue;
      scores[row] = 0;
      seen++;
      if (score < least) least = score;
      if (score < bar) continue;
      keep(row, score);
      bar = top.bar();
    }
    matched += seen;
    min = least;
  }

  function keep(row: number, score: number): void {
    if (score > max) max = score;
    top.offer(row, score);
  }

  return {
    drain,
    drainRows,
    get matched() {
      return matched;
    },
    get min() {
      return min;
    },
    get max() {
      return max;
    },
    hits: () => top.ranked(),
  };
}
