/**
 * Bytes from which a block is closed: many fill a page, so little of one is wasted, and a term is found in one without
 * reading much. A longer list is a block of its own.
 */
const blockBytes = 2_000;
/** How many bytes a term shares with the one before is written in four bits. */
export const mostShared = 15;
/** A number of up to 53 bits takes 8 bytes at most. */
const numberBytes = 8;

export interface PostingBlock {
  /** UTF-8 of its first term. */
  readonly first: Buffer;
  readonly data: Uint8Array;
}

/** A term with its list. A batch has hundreds of thousands: one object is filled again and again, and parts are no views. */
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

/**
 * Makes blocks of terms, which are added in the order of their bytes, and hands them over. Of a term are written how many
 * bytes it shares with the one before and how many follow, as one number, and these. Most terms occur in one row only: of
 * these follow the frequency, doubled, plus 1, and the row; of others the count, doubled, the first row, the distance of
 * the last from it, and the entries with their length.
 */
export function postingBlockWriter(take: (block: PostingBlock) => void) {
  let bytes: Uint8Array = new Uint8Array(2 * blockBytes);
  let length = 0;
  let first: Buffer | undefined;
  let before: Uint8Array = new Uint8Array(64);
  let beforeLength = 0;

  const close = () => {
    if (first !== undefined) take({ first, data: bytes.slice(0, length) });
    first = undefined;
    length = 0;
  };
  return {
    add(entry: Readonly<TermEntry>): void {
      const { term, termLength, entries, start, end, count } = entry;
      const size = count === 1 ? 1 : end - start;
      if (length + size > blockBytes) close();
      bytes = withRoom(bytes, length + termLength + size + 4 * numberBytes);
      let shared = 0;
      if (first === undefined) first = Buffer.from(term.subarray(0, termLength));
      else {
        const most = Math.min(beforeLength, termLength, mostShared);
        while (shared < most && before[shared] === term[shared]) shared++;
      }
      let at = putNumber(bytes, length, (termLength - shared) * (mostShared + 1) + shared);
      for (let next = shared; next < termLength; next++) bytes[at++] = term[next]!;
      if (count === 1) {
        at = putNumber(bytes, at, entry.frequency * 2 + 1);
        length = putNumber(bytes, at, entry.first);
      } else {
        at = putNumber(bytes, at, count * 2);
        at = putNumber(bytes, at, entry.first);
        at = putNumber(bytes, at, entry.last - entry.first);
        at = putNumber(bytes, at, size);
        for (let next = start; next < end; next++) bytes[at++] = entries[next]!;
        length = at;
      }
      before = withRoom(before, termLength);
      for (let next = shared; next < termLength; next++) before[next] = term[next]!;
      beforeLength = termLength;
    },
    /** Hands over what is left. */
    close,
  };
}
