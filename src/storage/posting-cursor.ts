import { mostShared } from './posting-block-writer.js';
import { emptyEntry, type TermEntry, withRoom } from './posting-entry.js';

/** Goes through the entries of blocks, in their order. */
export interface PostingCursor {
  /** Where it stands; the next step writes over it. */
  readonly entry: TermEntry;
  /** To the next entry; false behind the last. @throws RangeError where the bytes are no block */
  next(): boolean;
}

/** @param nextBlock the bytes of one block after the other; undefined behind the last */
export function postingCursor(nextBlock: () => Uint8Array | undefined): PostingCursor {
  const entry = emptyEntry();
  let block: Uint8Array = new Uint8Array(0);
  let at = 0;
  /** Whether an entry of the block has been read. */
  let begun = true;

  const number = (): number => {
    let value = 0;
    let scale = 1;
    for (let count = 0; count < 8; count++) {
      const byte = block[at++];
      if (byte === undefined) throw new RangeError('A block that ends in the middle of a number');
      value += (byte & 127) * scale;
      if (byte < 128) {
        if (value > Number.MAX_SAFE_INTEGER) break;
        return value;
      }
      scale *= 128;
    }
    throw new RangeError('A number that is too large');
  };
  const skip = (length: number): number => {
    if (length > block.length - at) throw new RangeError('A block that ends too early');
    at += length;
    return at - length;
  };
  /** The term is written over the one before, behind what both begin with. */
  const readTerm = () => {
    const lengths = number();
    const shared = lengths % (mostShared + 1);
    const rest = Math.floor(lengths / (mostShared + 1));
    const before = begun ? entry.termLength : 0;
    if (shared > before) throw new RangeError('A term that shares too much');
    const start = skip(rest);
    if (begun) {
      let same = 0;
      while (same < rest && shared + same < before && block[start + same] === entry.term[shared + same]) same++;
      const ascends = same < rest && (shared + same === before || block[start + same]! > entry.term[shared + same]!);
      if (!ascends) throw new RangeError('Terms that are not in order');
    }
    entry.term = withRoom(entry.term, shared + rest);
    for (let next = 0; next < rest; next++) entry.term[shared + next] = block[start + next]!;
    entry.termLength = shared + rest;
  };
  const readList = () => {
    const head = number();
    entry.first = number();
    if (head % 2 === 1) {
      entry.count = 1;
      entry.last = entry.first;
      entry.frequency = (head - 1) / 2;
      return;
    }
    entry.count = head / 2;
    entry.last = entry.first + number();
    const length = number();
    entry.entries = block;
    entry.start = skip(length);
    entry.end = at;
  };
  return {
    entry,
    next() {
      if (at === block.length) {
        if (!begun) throw new RangeError('A block without a term');
        const following = nextBlock();
        if (following === undefined) return false;
        block = following;
        at = 0;
        begun = false;
        if (block.length === 0) throw new RangeError('A block without a term');
      }
      readTerm();
      begun = true;
      readList();
      return true;
    },
  };
}
