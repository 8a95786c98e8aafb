import type { PostingsPiece, WeightedPostings } from './postings.js';

/** Rows that are in every list, ascending; of no list, none. */
export function intersectRows(lists: readonly Uint32Array[]): Uint32Array {
  const [shortest = new Uint32Array(0), ...others] = [...lists].sort((a, b) => a.length - b.length);
  let rows = shortest;
  for (const other of others) {
    let at = 0;
    rows = rows.filter((row) => {
      while (at < other.length && other[at]! < row) at++;
      return other[at] === row;
    });
  }
  return rows;
}

/** The rows of all lists, each once; its frequency is the sum of those in the lists, each times the weight of its list. */
export function uniteRows(lists: readonly WeightedPostings[], weights?: readonly number[]): WeightedPostings {
  if (lists.length === 1 && (weights?.[0] ?? 1) === 1) return lists[0]!;
  const highest = lists.reduce((most, { rows }) => Math.max(most, rows.at(-1) ?? 0), 0);
  const sums = new Float64Array(highest + 1);
  lists.forEach(({ rows, frequencies }, list) => {
    const weight = weights?.[list] ?? 1;
    for (let at = 0; at < rows.length; at++) sums[rows[at]!]! += weight * frequencies[at]!;
  });
  let count = 0;
  for (const sum of sums) if (sum > 0) count++;
  const rows = new Uint32Array(count);
  const frequencies = new Float64Array(count);
  for (let row = 0, next = 0; row < sums.length; row++) {
    if (sums[row] === 0) continue;
    rows[next] = row;
    frequencies[next++] = sums[row]!;
  }
  return { rows, frequencies };
}

/** Pieces that ascend as one list; of no pieces, none. */
export function joinPieces(pieces: readonly PostingsPiece[]): WeightedPostings | undefined {
  const [first] = pieces;
  if (first === undefined) return undefined;
  if (pieces.length === 1 && first.base === 0) return first;
  const count = pieces.reduce((sum, { rows }) => sum + rows.length, 0);
  const rows = new Uint32Array(count);
  const frequencies = new Float64Array(count);
  let next = 0;
  for (const piece of pieces) {
    frequencies.set(piece.frequencies, next);
    for (let at = 0; at < piece.rows.length; at++) rows[next++] = piece.base + piece.rows[at]!;
  }
  return { rows, frequencies };
}

/** The place of a row, or a serial number, in a list that ascends, or -1. */
export function indexOfRow(rows: ArrayLike<number>, row: number): number {
  let low = 0;
  let high = rows.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = rows[middle]!;
    if (found === row) return middle;
    if (found < row) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
