import { type Postings, readEntries, writeEntries, writeEntry } from '../kernels/postings.js';
import { createByteReader, createByteWriter } from '../kernels/varint.js';

/** A coded list of postings of one term: its first and its last row are known, so lists are joined without decoding them. */
export interface List {
  readonly count: number;
  readonly first: number;
  readonly last: number;
  /** As `writeEntries` writes them, counted from the first row: the first entry has distance 0. */
  readonly entries: Uint8Array;
}

/** What most lists hold: one row, in which the term occurs once. */
const once = Uint8Array.of(1);
/** Lists are many and short; a writer for each would cost more than what it writes. */
const scratch = createByteWriter(4_096);

/** At least one row; rows ascend, frequencies are 1 or more. */
export function encodeList(postings: Postings): List {
  const { rows, frequencies } = postings;
  const first = rows[0]!;
  if (rows.length === 1) return listOfOne(first, frequencies[0]!);
  scratch.clear();
  writeEntries(scratch, postings, first);
  return { count: rows.length, first, last: rows[rows.length - 1]!, entries: scratch.finish() };
}

export function listOfOne(row: number, frequency: number): List {
  if (frequency === 1) return { count: 1, first: row, last: row, entries: once };
  scratch.clear();
  writeEntry(scratch, 0, frequency);
  return { count: 1, first: row, last: row, entries: scratch.finish() };
}

/** The frequency in a list of one row. */
export function onlyFrequency({ entries }: List): number {
  return entries[0] === 1 ? 1 : createByteReader(entries.subarray(1), 'Postings').unsigned();
}

/** @throws RangeError where the bytes are no such list; reads and allocates nothing beyond them. */
export function decodeList({ count, first, last, entries }: List): Postings {
  const reader = createByteReader(entries, 'Postings');
  const postings = readEntries(reader, count, first);
  const { rows } = postings;
  if (count < 1 || rows[0] !== first || rows[count - 1] !== last || reader.remaining > 0)
    throw new RangeError('A list of postings of a wrong length');
  return postings;
}

/** One list of several whose rows follow one another. @throws RangeError where they do not */
export function joinLists(lists: readonly List[]): List {
  const [head, ...rest] = lists as [List, ...List[]];
  if (rest.length === 0) return head;
  scratch.clear();
  scratch.bytes(head.entries);
  let { last } = head;
  for (const list of rest) {
    if (list.first <= last) throw new RangeError('Segments that do not follow one another');
    // The first entry has distance 0: its number is one byte, with the flag only.
    const flag = list.entries[0]!;
    if (flag > 1) throw new RangeError('A list of postings that does not begin with its first row');
    scratch.unsigned((list.first - last) * 2 + flag);
    scratch.bytes(list.entries.subarray(1));
    last = list.last;
  }
  const count = lists.reduce((sum, list) => sum + list.count, 0);
  return { count, first: head.first, last, entries: scratch.finish() };
}
