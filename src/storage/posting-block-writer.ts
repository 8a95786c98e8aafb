import { putNumber, type TermEntry, withRoom } from './posting-entry.js';

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
