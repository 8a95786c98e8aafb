import { type ByteReader, createByteReader } from '../kernels/varint.js';
import { type List, listOfOne, onlyFrequency } from './list-bytes.js';
import {
  addPosting,
  closePostingBlock,
  mostShared,
  type PostingBlock,
  postingBlockWriter,
} from './posting-block-writer.js';
import { emptyEntry } from './posting-entry.js';

export interface BlockEntry {
  readonly term: Buffer;
  readonly list: List;
}

/** Blocks of terms with their lists; terms come in the order of their bytes. */
export function* toPostingBlocks(entries: Iterable<readonly [term: Buffer, list: List]>): Generator<PostingBlock> {
  const full: PostingBlock[] = [];
  const writer = postingBlockWriter((block) => full.push(block));
  const entry = emptyEntry();
  for (const [term, list] of entries) {
    const { count, first, last, entries: bytes } = list;
    const frequency = count === 1 ? onlyFrequency(list) : 0;
    const parts = { term, termLength: term.length, entries: bytes, start: 0, end: bytes.length };
    addPosting(writer, Object.assign(entry, { count, first, last, frequency }, parts));
    yield* full.splice(0);
  }
  closePostingBlock(writer);
  yield* full;
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
