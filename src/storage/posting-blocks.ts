import { type ByteReader, createByteReader, createByteWriter } from '../kernels/varint.js';
import { type List, listOfOne, onlyFrequency } from './list-bytes.js';

/**
 * Bytes from which a block is closed: many fill a page, so little of one is wasted, and a term is found in one without
 * reading much. A longer list is a block of its own.
 */
const blockBytes = 2_000;

export interface PostingBlock {
  /** UTF-8 of its first term. */
  readonly first: Buffer;
  readonly data: Uint8Array;
}

export interface BlockEntry {
  readonly term: Buffer;
  readonly list: List;
}

/** How many bytes a term shares with the one before is written in four bits. */
const mostShared = 15;

/**
 * Blocks of terms with their lists; terms come in the order of their bytes. Of a term are written how many bytes it shares
 * with the one before and how many follow, as one number, and these. Most terms occur in one row only: of these follow
 * the frequency, doubled, plus 1, and the row; of others the count, doubled, the first row, the distance of the last from
 * it, and the entries with their length.
 */
export function* toPostingBlocks(entries: Iterable<readonly [term: Buffer, list: List]>): Generator<PostingBlock> {
  const writer = createByteWriter(blockBytes * 2);
  let first: Buffer | undefined;
  let before: Buffer = Buffer.alloc(0);
  for (const [term, list] of entries) {
    const { count, first: row, last, entries: bytes } = list;
    if (first !== undefined && writer.length + bytes.length > blockBytes) {
      yield { first, data: writer.finish() };
      first = undefined;
      writer.clear();
    }
    const shared = first === undefined ? 0 : sharedLength(before, term);
    first ??= term;
    writer.unsigned((term.length - shared) * (mostShared + 1) + shared);
    writer.bytes(term.subarray(shared));
    if (count === 1) {
      writer.unsigned(onlyFrequency(list) * 2 + 1);
      writer.unsigned(row);
    } else {
      writer.unsigned(count * 2);
      writer.unsigned(row);
      writer.unsigned(last - row);
      writer.unsigned(bytes.length);
      writer.bytes(bytes);
    }
    before = term;
  }
  if (first !== undefined) yield { first, data: writer.finish() };
}

/** The terms of a block with their lists, as views. @throws RangeError where the bytes are no block */
export function* readPostingBlock(data: Uint8Array): Generator<BlockEntry> {
  const reader = createByteReader(data, 'Postings');
  let before: Buffer | undefined;
  while (reader.remaining > 0) {
    const lengths = reader.unsigned();
    const shared = lengths % (mostShared + 1);
    const rest = reader.bytes(Math.floor(lengths / (mostShared + 1)));
    if (shared > (before?.length ?? 0)) throw new RangeError('A term that shares too much');
    const term: Buffer =
      shared === 0
        ? Buffer.from(rest.buffer, rest.byteOffset, rest.length)
        : Buffer.concat([before!.subarray(0, shared), rest]);
    if (before !== undefined && Buffer.compare(before, term) >= 0) throw new RangeError('Terms that are not in order');
    yield { term, list: readList(reader) };
    before = term;
  }
  if (before === undefined) throw new RangeError('A block without a term');
}

function readList(reader: ByteReader): List {
  const head = reader.unsigned();
  const first = reader.unsigned();
  if (head % 2 === 1) return listOfOne(first, (head - 1) / 2);
  const last = first + reader.unsigned();
  return { count: head / 2, first, last, entries: reader.bytes(reader.unsigned()) };
}

/** The list of a term; undefined where the block has none. Passes over the lists before it. @throws RangeError */
export function findInBlock(data: Uint8Array, wanted: Buffer): List | undefined {
  for (const { term, list } of readPostingBlock(data)) {
    const order = Buffer.compare(term, wanted);
    if (order === 0) return list;
    if (order > 0) return undefined;
  }
  return undefined;
}

function sharedLength(a: Buffer, b: Buffer): number {
  const most = Math.min(a.length, b.length, mostShared);
  let shared = 0;
  while (shared < most && a[shared] === b[shared]) shared++;
  return shared;
}
