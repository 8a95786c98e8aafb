import type { Postings } from '../kernels/index.js';
import { byteReader, byteWriter } from './varint.js';

/** A coded list of postings of one term: its first and its last row are known, so lists are joined without decoding them. */
export interface List {
  readonly count: number;
  readonly first: number;
  readonly last: number;
  /**
   * For each row its distance from the row before (0 for the first), doubled, plus 1 where the frequency is 1; other
   * frequencies follow. All numbers are LEB128.
   */
  readonly entries: Uint8Array;
}

const largest = 0xffff_ffff;
/** What most lists hold: one row, in which the term occurs once. */
const once = Uint8Array.of(1);
/** Lists are many and short; a writer for each would cost more than what it writes. */
const scratch = byteWriter(4_096);

/** At least one row; rows ascend, frequencies are 1 or more. */
export function encodeList({ rows, frequencies }: Postings): List {
  const first = rows[0]!;
  if (rows.length === 1) return listOfOne(first, frequencies[0]!);
  scratch.clear();
  let before = first;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    const frequency = frequencies[at]!;
    if ((row <= before && at > 0) || frequency < 1) throw new RangeError('Rows of postings must ascend.');
    writeEntry(row - before, frequency);
    before = row;
  }
  return { count: rows.length, first, last: before, entries: scratch.bytes() };
}

export function listOfOne(row: number, frequency: number): List {
  if (frequency < 1) throw new RangeError('A frequency out of range');
  if (frequency === 1) return { count: 1, first: row, last: row, entries: once };
  scratch.clear();
  writeEntry(0, frequency);
  return { count: 1, first: row, last: row, entries: scratch.bytes() };
}

/** The frequency in a list of one row. */
export function onlyFrequency({ entries }: List): number {
  return entries[0] === 1 ? 1 : byteReader(entries.subarray(1)).number();
}

/** @throws RangeError where the bytes are no such list; reads and allocates nothing beyond them. */
export function decodeList({ count, first, last, entries }: List): Postings {
  if (count < 1 || count > entries.length || last > largest)
    throw new RangeError('A list of postings of a wrong length');
  const reader = byteReader(entries);
  const rows = new Uint32Array(count);
  const frequencies = new Uint32Array(count);
  let row = first;
  for (let at = 0; at < count; at++) {
    const entry = reader.number();
    const distance = Math.floor(entry / 2);
    row += distance;
    if (distance === 0 ? at > 0 : at === 0 || row > last) throw new RangeError('Rows of postings that do not ascend');
    const frequency = entry % 2 === 1 ? 1 : reader.number();
    if (frequency < 1 || frequency > largest) throw new RangeError('A frequency out of range');
    rows[at] = row;
    frequencies[at] = frequency;
  }
  if (row !== last || reader.remaining > 0) throw new RangeError('A list of postings of a wrong length');
  return { rows, frequencies };
}

/** One list of several whose rows follow one another. @throws RangeError where they do not */
export function joinLists(lists: readonly List[]): List {
  const [head, ...rest] = lists as [List, ...List[]];
  if (rest.length === 0) return head;
  scratch.clear();
  scratch.append(head.entries);
  let { last } = head;
  for (const list of rest) {
    if (list.first <= last) throw new RangeError('Segments that do not follow one another');
    // The first entry has distance 0: its number is one byte, with the flag only.
    const flag = list.entries[0]!;
    if (flag > 1) throw new RangeError('A list of postings that does not begin with its first row');
    scratch.number((list.first - last) * 2 + flag);
    scratch.append(list.entries.subarray(1));
    last = list.last;
  }
  const count = lists.reduce((sum, list) => sum + list.count, 0);
  return { count, first: head.first, last, entries: scratch.bytes() };
}

function writeEntry(distance: number, frequency: number): void {
  scratch.number(distance * 2 + (frequency === 1 ? 1 : 0));
  if (frequency !== 1) scratch.number(frequency);
}
