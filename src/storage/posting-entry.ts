/** Bytes of a number in LEB128: of one of 53 bits, which is what a number here has at most, and of one of 32. */
export const numberBytes = 8;
const longestNumber = 5;
const encoder = new TextEncoder();

/** A term with its list. There are hundreds of thousands: one object is filled again and again, and parts are no views. */
export interface TermEntry {
  /** Holds the UTF-8 of the term, in its first `termLength` bytes. */
  term: Uint8Array;
  termLength: number;
  count: number;
  /** Rows. */
  first: number;
  last: number;
  /** Of a list of one row. */
  frequency: number;
  /** Holds the entries of a list of more, as `writeEntries` writes them counted from the first row, from `start` to `end`. */
  entries: Uint8Array;
  start: number;
  end: number;
}

export function emptyEntry(): TermEntry {
  const none = new Uint8Array(0);
  return { term: none, termLength: 0, count: 0, first: 0, last: 0, frequency: 0, entries: none, start: 0, end: 0 };
}

/** Memory for at least so many bytes: that which is given, or a larger copy. */
export function withRoom(bytes: Uint8Array, size: number): Uint8Array {
  if (size <= bytes.length) return bytes;
  const larger = new Uint8Array(Math.max(size, bytes.length * 2));
  larger.set(bytes);
  return larger;
}

/** Writes a number as LEB128 to where there is room for it; returns the place behind it. */
export function putNumber(bytes: Uint8Array, at: number, value: number): number {
  let next = at;
  let rest = value;
  // Bit operations are for 31 bits.
  while (rest > 0x7fffffff) {
    bytes[next++] = (rest % 128) | 128;
    rest = Math.floor(rest / 128);
  }
  while (rest > 127) {
    bytes[next++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  bytes[next++] = rest;
  return next;
}

/** Makes it the entry of another term. */
export function setTerm(entry: TermEntry, term: string): void {
  entry.term = withRoom(entry.term, 3 * term.length);
  let ascii = 0;
  for (; ascii < term.length; ascii++) {
    const unit = term.charCodeAt(ascii);
    if (unit > 0x7f) break;
    entry.term[ascii] = unit;
  }
  entry.termLength = ascii === term.length ? ascii : encoder.encodeInto(term, entry.term).written;
}

/** Gives it the postings from `start` to `end`, one or more. */
export function setList(
  entry: TermEntry,
  rows: Uint32Array,
  frequencies: Uint32Array,
  start: number,
  end: number,
): void {
  entry.count = end - start;
  entry.first = rows[start]!;
  entry.last = rows[end - 1]!;
  entry.frequency = frequencies[start]!;
  entry.start = 0;
  entry.end = 0;
  if (entry.count === 1) return;
  entry.entries = withRoom(entry.entries, entry.count * 2 * longestNumber);
  let before = entry.first;
  let at = 0;
  for (let posting = start; posting < end; posting++) {
    const row = rows[posting]!;
    const frequency = frequencies[posting]!;
    at = putNumber(entry.entries, at, (row - before) * 2 + (frequency === 1 ? 1 : 0));
    if (frequency !== 1) at = putNumber(entry.entries, at, frequency);
    before = row;
  }
  entry.end = at;
}
