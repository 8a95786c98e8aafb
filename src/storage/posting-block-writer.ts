import { numberBytes, putNumber, type TermEntry, withRoom } from './posting-entry.js';

/**
 * Bytes from which a block is closed: many fill a page, so little of one is wasted, and a term is found in one without
 * reading much. A longer list is a block of its own.
 */
const blockBytes = 2_000;
/** How many bytes a term shares with the one before is written in four bits. */
export const mostShared = 15;

export interface PostingBlock {
  /** UTF-8 of its first term. */
  readonly first: Buffer;
  readonly data: Uint8Array;
}

/** What makes blocks, and hands them over. */
export interface PostingBlockWriter {
  readonly take: (block: PostingBlock) => void;
  /** The block at hand: `length` bytes, and its first term once it has one. */
  bytes: Uint8Array;
  length: number;
  first: Buffer | undefined;
  /** The term before, in its first `beforeLength` bytes. */
  before: Uint8Array;
  beforeLength: number;
}

export function postingBlockWriter(take: (block: PostingBlock) => void): PostingBlockWriter {
  const [bytes, before] = [new Uint8Array(2 * blockBytes), new Uint8Array(64)];
  return { take, bytes, length: 0, first: undefined, before, beforeLength: 0 };
}

/** Hands over what is left. */
export function closePostingBlock(writer: PostingBlockWriter): void {
  if (writer.first !== undefined) writer.take({ first: writer.first, data: writer.bytes.slice(0, writer.length) });
  writer.first = undefined;
  writer.length = 0;
}

/**
 * Adds terms in the order of their bytes. Of a term are written how many bytes it shares with the one before and how many
 * follow, as one number, and these. Most terms occur in one row only: of these follow the frequency, doubled, plus 1, and
 * the row; of others the count, doubled, the first row, the distance of the last from it, and the entries with their length.
 *
 * A function of the module, not of the writer: one made anew for each batch would have to become fast anew.
 */
export function addPosting(writer: PostingBlockWriter, entry: Readonly<TermEntry>): void {
  const { term, termLength, entries, start, end, count } = entry;
  const size = count === 1 ? 1 : end - start;
  if (writer.length + size > blockBytes) closePostingBlock(writer);
  writer.bytes = withRoom(writer.bytes, writer.length + termLength + size + 4 * numberBytes);
  writer.before = withRoom(writer.before, termLength);
  const { bytes, before } = writer;
  let shared = 0;
  if (writer.first === undefined) writer.first = Buffer.from(term.subarray(0, termLength));
  else {
    const most = Math.min(writer.beforeLength, termLength, mostShared);
    while (shared < most && before[shared] === term[shared]) shared++;
  }
  let at = putNumber(bytes, writer.length, (termLength - shared) * (mostShared + 1) + shared);
  for (let next = shared; next < termLength; next++) {
    bytes[at++] = term[next]!;
    before[next] = term[next]!;
  }
  writer.beforeLength = termLength;
  if (count === 1) {
    at = putNumber(bytes, at, entry.frequency * 2 + 1);
    writer.length = putNumber(bytes, at, entry.first);
    return;
  }
  at = putNumber(bytes, at, count * 2);
  at = putNumber(bytes, at, entry.first);
  at = putNumber(bytes, at, entry.last - entry.first);
  at = putNumber(bytes, at, size);
  for (let next = start; next < end; next++) bytes[at++] = entries[next]!;
  writer.length = at;
}
