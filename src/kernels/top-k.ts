export interface Ranked {
  readonly row: number;
  readonly id: string;
  readonly score: number;
}

export interface TopK {
  offer(row: number, score: number): void;
  /** What a row needs at least to be kept: scores below it need not be offered. */
  bar(): number;
  /** The best, score descending, then id ascending by code units. */
  ranked(): Ranked[];
}

export function checkK(k: number): void {
  if (!Number.isSafeInteger(k) || k < 1) throw new RangeError(`k must be a positive integer, got ${k}.`);
}

/**
 * Keeps the k best of the rows offered (each once) in a heap whose root is the worst kept: O(n log k) time, O(min(k, n))
 * memory. Equal scores rank by id, so membership at the boundary does not depend on the order of the rows.
 */
export function createTopK(k: number, idOf: (row: number) => string): TopK {
  checkK(k);
  const rows: number[] = [];
  const scores: number[] = [];

  function before(row: number, score: number, otherRow: number, otherScore: number): boolean {
    if (score !== otherScore) return score > otherScore;
    return row !== otherRow && idOf(row) < idOf(otherRow);
  }

  function siftUp(row: number, score: number): void {
    let at = rows.length;
    rows.push(row);
    scores.push(score);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!before(rows[parent]!, scores[parent]!, row, score)) break;
      rows[at] = rows[parent]!;
      scores[at] = scores[parent]!;
      at = parent;
    }
    rows[at] = row;
    scores[at] = score;
  }

  function replaceWorst(row: number, score: number): void {
    const size = rows.length;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      const right = child + 1;
      if (right < size && before(rows[child]!, scores[child]!, rows[right]!, scores[right]!)) child = right;
      if (!before(row, score, rows[child]!, scores[child]!)) break;
      rows[at] = rows[child]!;
      scores[at] = scores[child]!;
      at = child;
    }
    rows[at] = row;
    scores[at] = score;
  }

  function offer(row: number, score: number): void {
    if (rows.length < k) siftUp(row, score);
    else if (before(row, score, rows[0]!, scores[0]!)) replaceWorst(row, score);
  }

  const bar = () => (rows.length < k ? Number.NEGATIVE_INFINITY : scores[0]!);

  function ranked(): Ranked[] {
    const list = rows.map((row, at) => ({ row, id: idOf(row), score: scores[at]! }));
    return list.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  }

  return { offer, bar, ranked };
}
