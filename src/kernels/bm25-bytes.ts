import { decodePostings, encodePostings, type Postings } from './postings.js';
import { type ByteReader, createByteReader, createByteWriter } from './varint.js';

/** A field of an index without gaps: row r has `lengths[r]` terms in it. */
export interface FieldContents {
  readonly name: string;
  readonly boost: number;
  readonly lengths: number[];
  readonly postings: readonly (readonly [term: string, postings: Postings])[];
}

/** A BM25 index without gaps: row r has `ids[r]`. */
export interface Bm25Contents {
  readonly ids: string[];
  readonly fields: readonly FieldContents[];
  /** The terms of each row in text order, by field; kept by an index that finds phrases. */
  readonly sequences?: (readonly string[])[][];
}

/** "SBM" and the version of the format. */
const magic = [0x53, 0x42, 0x4d, 2];
const what = 'The bytes of this BM25 index';

/**
 * Magic; ids; fields, each with name, boost, lengths of the rows, and terms in code-unit order with their postings; then
 * 1 and the sequences as numbers of the field's terms, or 0. Strings and lists carry their byte length.
 */
export function encodeBm25({ ids, fields, sequences }: Bm25Contents): Uint8Array {
  const writer = createByteWriter();
  const encoder = new TextEncoder();
  const block = (bytes: Uint8Array) => {
    writer.unsigned(bytes.length);
    writer.bytes(bytes);
  };
  writer.bytes(Uint8Array.from(magic));
  writer.unsigned(ids.length);
  for (const id of ids) block(encoder.encode(id));
  writer.unsigned(fields.length);
  const numbers: Map<string, number>[] = [];
  for (const { name, boost, lengths, postings } of fields) {
    block(encoder.encode(name));
    block(encoder.encode(String(boost)));
    for (let row = 0; row < ids.length; row++) writer.unsigned(lengths[row]!);
    const sorted = [...postings].sort(([a], [b]) => (a < b ? -1 : 1));
    writer.unsigned(sorted.length);
    for (const [term, { rows, frequencies }] of sorted) {
      block(encoder.encode(term));
      block(encodePostings(rows, frequencies));
    }
    numbers.push(new Map(sorted.map(([term], number) => [term, number])));
  }
  writer.unsigned(sequences === undefined ? 0 : 1);
  for (const byField of sequences ?? [])
    byField.forEach((terms, field) => {
      for (const term of terms) writer.unsigned(numbers[field]!.get(term)!);
    });
  return writer.finish();
}

/** The contents that `encodeBm25` wrote. RangeError when the bytes are damaged or of another format. */
export function decodeBm25(bytes: Uint8Array): Bm25Contents {
  if (bytes.length < magic.length || magic.some((byte, at) => byte !== bytes[at])) {
    throw new RangeError('These bytes are not a BM25 index, or one of another version.');
  }
  const reader = createByteReader(bytes, what);
  reader.bytes(magic.length);
  const ids: string[] = [];
  for (let left = reader.unsigned(); left > 0; left--) ids.push(readText(reader));
  if (new Set(ids).size < ids.length) throw damaged('an id occurs twice');
  const fields: FieldContents[] = [];
  for (let left = reader.unsigned(); left > 0; left--) fields.push(readField(reader, ids.length));
  if (new Set(fields.map(({ name }) => name)).size < fields.length) throw damaged('a field occurs twice');
  const sequences = readSequences(reader, ids, fields);
  if (reader.remaining > 0) throw damaged(`${reader.remaining} bytes too many`);
  return { ids, fields, ...(sequences && { sequences }) };
}

function readField(reader: ByteReader, rows: number): FieldContents {
  const name = readText(reader);
  const boost = Number(readText(reader));
  const lengths: number[] = [];
  for (let row = 0; row < rows; row++) lengths.push(reader.unsigned());
  const postings: [string, Postings][] = [];
  for (let left = reader.unsigned(); left > 0; left--) {
    const term = readText(reader);
    const list = decodePostings(readBlock(reader));
    if ((list.rows.at(-1) ?? 0) >= rows) throw damaged('a row is out of range');
    postings.push([term, list]);
  }
  return { name, boost, lengths, postings };
}

function readSequences(reader: ByteReader, ids: readonly string[], fields: readonly FieldContents[]) {
  const flag = reader.unsigned();
  if (flag === 0) return undefined;
  if (flag !== 1) throw damaged(`there is ${flag} where 0 or 1 is due`);
  return ids.map((_, row) =>
    fields.map(({ lengths, postings }) => {
      const terms: string[] = [];
      for (let left = lengths[row]!; left > 0; left--) {
        const entry = postings[reader.unsigned()];
        if (entry === undefined) throw damaged('a term is out of range');
        terms.push(entry[0]);
      }
      return terms;
    }),
  );
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function readText(reader: ByteReader): string {
  const bytes = readBlock(reader);
  try {
    return decoder.decode(bytes);
  } catch {
    throw damaged('a text is not UTF-8');
  }
}

function readBlock(reader: ByteReader): Uint8Array {
  return reader.bytes(reader.unsigned());
}

function damaged(reason: string): RangeError {
  return new RangeError(`${what} are damaged: ${reason}.`);
}
