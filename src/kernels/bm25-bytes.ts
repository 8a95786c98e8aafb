import { decodePostings, encodePostings, type Postings } from './postings.js';
import { type ByteReader, createByteReader, createByteWriter } from './varint.js';

/** A BM25 index without gaps: row r has `ids[r]` and `lengths[r]`. */
export interface Bm25Contents {
  readonly ids: string[];
  readonly lengths: number[];
  readonly postings: readonly (readonly [term: string, postings: Postings])[];
}

/** "SBM" and the version of the format. */
const magic = [0x53, 0x42, 0x4d, 1];
const what = 'The bytes of this BM25 index';

/** Magic, rows (id, length), terms in code-unit order (term, postings). Strings and lists carry their byte length. */
export function encodeBm25(contents: Bm25Contents): Uint8Array {
  const writer = createByteWriter();
  const encoder = new TextEncoder();
  const block = (bytes: Uint8Array) => {
    writer.unsigned(bytes.length);
    writer.bytes(bytes);
  };
  writer.bytes(Uint8Array.from(magic));
  writer.unsigned(contents.ids.length);
  contents.ids.forEach((id, row) => {
    block(encoder.encode(id));
    writer.unsigned(contents.lengths[row] ?? 0);
  });
  const sorted = [...contents.postings].sort(([a], [b]) => (a < b ? -1 : 1));
  writer.unsigned(sorted.length);
  for (const [term, { rows, frequencies }] of sorted) {
    block(encoder.encode(term));
    block(encodePostings(rows, frequencies));
  }
  return writer.finish();
}

/** The contents that `encodeBm25` wrote. RangeError when the bytes are damaged or of another format. */
export function decodeBm25(bytes: Uint8Array): Bm25Contents {
  const damaged = (reason: string) => new RangeError(`${what} are damaged: ${reason}.`);
  const reader = createByteReader(bytes, what);
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const text = (): string => {
    try {
      return decoder.decode(block(reader));
    } catch (cause) {
      if (cause instanceof RangeError) throw cause;
      throw damaged('a text is not UTF-8');
    }
  };
  if (bytes.length < magic.length || magic.some((byte, at) => byte !== bytes[at])) {
    throw new RangeError('These bytes are not a BM25 index, or one of another version.');
  }
  reader.bytes(magic.length);
  const ids: string[] = [];
  const lengths: number[] = [];
  for (let left = reader.unsigned(); left > 0; left--) {
    ids.push(text());
    lengths.push(reader.unsigned());
  }
  if (new Set(ids).size < ids.length) throw damaged('an id occurs twice');
  const postings: [string, Postings][] = [];
  for (let left = reader.unsigned(); left > 0; left--) {
    const term = text();
    const list = decodePostings(block(reader));
    if ((list.rows.at(-1) ?? 0) >= ids.length) throw damaged('a row is out of range');
    postings.push([term, list]);
  }
  if (reader.remaining > 0) throw damaged(`${reader.remaining} bytes too many`);
  return { ids, lengths, postings };
}

function block(reader: ByteReader): Uint8Array {
  return reader.bytes(reader.unsigned());
}
