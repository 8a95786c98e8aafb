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

/** Fewer rows are not worth a pass. */
const smallestBuffer = 256;

/**
 * Keeps the k best of the rows offered (each once), in O(min(k, n)) memory. Rows that may be among them are gathered until
 * they are twice as many; then the platform sorts the scores, which it does in machine code from the first search on, and
 * those below the k-th are dropped: O(n log k) time at most, since k rows go each time. Equal scores rank by id, so
 * membership at the boundary does not depend on the order of the rows.
 */
export function createTopK(k: number, idOf: (row: number) => string): TopK {
  checkK(k);
  const most = Math.max(2 * k, smallestBuffer);
  let rows = new Float64Array(smallestBuffer);
  let scores = new Float64Array(smallestBuffer);
  let length = 0;
  /** The score of the k-th row so far, and all rows of that score among the k best. */
  let leastScore = Number.NEGATIVE_INFINITY;
  let least: readonly number[] = [];
  let leastId: string | undefined;

  /** The last id among the rows that have the least score; asked for when another has that score, too. */
  function lastId(): string {
    leastId ??= least.map(idOf).sort().at(-1)!;
    return leastId;
  }

  function offer(row: number, score: number): void {
    if (score < leastScore || (least.length > 0 && score === leastScore && lastId() < idOf(row))) return;
    if (length === rows.length) {
      if (length < most) grow();
      else prune();
    }
    rows[length] = row;
    scores[length++] = score;
  }

  function grow(): void {
    const size = Math.min(most, 2 * length);
    const [moreRows, moreScores] = [new Float64Array(size), new Float64Array(size)];
    moreRows.set(rows);
    moreScores.set(scores);
    rows = moreRows;
    scores = moreScores;
  }

  /** Drops all but the k best. */
  function prune(): void {
    leastScore = scores.slice(0, length).sort()[length - k]!;
    const ties: number[] = [];
    let kept = 0;
    for (let at = 0; at < length; at++) {
      const score = scores[at]!;
      if (score < leastScore) continue;
      if (score === leastScore) {
        ties.push(rows[at]!);
        continue;
      }
      rows[kept] = rows[at]!;
      scores[kept++] = score;
    }
    least = ties.length > k - kept ? byId(ties).slice(0, k - kept) : ties;
    leastId = undefined;
    for (const row of least) {
      rows[kept] = row;
      scores[kept++] = leastScore;
    }
    length = kept;
  }

  function byId(list: readonly number[]): number[] {
    const named = list.map((row) => ({ row, id: idOf(row) }));
    return named.sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ row }) => row);
  }

  function ranked(): Ranked[] {
    if (length > k) prune();
    const list: Ranked[] = [];
    for (let at = 0; at < length; at++) list.push({ row: rows[at]!, id: idOf(rows[at]!), score: scores[at]! });
    return list.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  }

  return { offer, bar: () => leastScore, ranked };
}
