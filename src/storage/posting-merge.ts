import type { PostingCursor } from './posting-cursor.js';
import { emptyEntry, numberBytes, putNumber, type TermEntry, withRoom } from './posting-entry.js';

/**
 * Hands over the terms of all cursors in order, each with the lists of those that have it, joined by their bytes: rows of a
 * later cursor are above those of the ones before. What is handed over holds until `take` returns.
 *
 * @throws RangeError for rows that do not follow one another, and from the cursors
 */
export function mergePostings(cursors: readonly PostingCursor[], take: (entry: Readonly<TermEntry>) => void): void {
  let heads = cursors.filter((cursor) => cursor.next());
  const joined = emptyEntry();
  /** Those at the least term; one list, for there are many terms. */
  const equal: PostingCursor[] = [];
  while (heads.length > 0) {
    equal.length = 0;
    for (const head of heads) {
      const order = equal.length === 0 ? 0 : compareTerms(head.entry, equal[0]!.entry);
      if (order < 0) equal.length = 0;
      if (order <= 0) equal.push(head);
    }
    if (equal.length === 1) take(equal[0]!.entry);
    else {
      begin(joined, equal[0]!.entry);
      for (let at = 1; at < equal.length; at++) append(joined, equal[at]!.entry);
      take(joined);
    }
    for (const cursor of equal) if (!cursor.next()) heads = heads.filter((head) => head !== cursor);
  }
}

function compareTerms(a: TermEntry, b: TermEntry): number {
  const most = Math.min(a.termLength, b.termLength);
  for (let at = 0; at < most; at++) {
    const order = a.term[at]! - b.term[at]!;
    if (order !== 0) return order;
  }
  return a.termLength - b.termLength;
}

/** Makes it a list of the entries of another one; those of a single row are written out. */
function begin(joined: TermEntry, entry: TermEntry): void {
  const { term, termLength, first } = entry;
  Object.assign(joined, { term, termLength, count: 0, first, last: first, end: 0 });
  append(joined, entry);
}

/** Appends a list whose rows are above; its first entry is at distance 0 of its first row. */
function append(joined: TermEntry, entry: TermEntry): void {
  const { count, first, entries, start, end } = entry;
  if (joined.count > 0 && first <= joined.last) throw new RangeError('Segments that do not follow one another');
  joined.entries = withRoom(joined.entries, joined.end + end - start + 2 * numberBytes);
  const bytes = joined.entries;
  const distance = first - joined.last;
  if (count === 1) {
    const isOne = entry.frequency === 1;
    joined.end = putNumber(bytes, joined.end, distance * 2 + (isOne ? 1 : 0));
    if (!isOne) joined.end = putNumber(bytes, joined.end, entry.frequency);
  } else {
    // Its number is one byte, with the flag only.
    const flag = start < end ? entries[start]! : 2;
    if (flag > 1) throw new RangeError('A list of postings that does not begin with its first row');
    let at = putNumber(bytes, joined.end, distance * 2 + flag);
    for (let next = start + 1; next < end; next++) bytes[at++] = entries[next]!;
    joined.end = at;
  }
  joined.count += count;
  joined.last = entry.last;
}
