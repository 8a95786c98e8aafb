import { createTopK, type Ranked, type TopK } from './top-k.js';

/** Which rows belong together, such as the chunks of a document. */
export interface Groups {
  /** By row: the number of its group, below `count`. */
  readonly of: Uint32Array;
  readonly count: number;
}

/**
 * Keeps the best row of each group, and of these the k best: O(n) time for the rows and O(g log k) for g groups. Of
 * equal rows in a group the one with the lower id (code units) stands for it.
 */
export function createBestOfGroups(k: number, idOf: (row: number) => string, { of, count }: Groups): Omit<TopK, 'bar'> {
  const best = new Int32Array(count).fill(-1);
  const scores = new Float64Array(count);

  function offer(row: number, score: number): void {
    const group = of[row]!;
    const known = best[group]!;
    if (known >= 0 && (score < scores[group]! || (score === scores[group]! && idOf(known) < idOf(row)))) return;
    best[group] = row;
    scores[group] = score;
  }

  function ranked(): Ranked[] {
    const top = createTopK(k, idOf);
    for (let group = 0; group < count; group++) if (best[group]! >= 0) top.offer(best[group]!, scores[group]!);
    return top.ranked();
  }

  return { offer, ranked };
}
