import {
  idsName,
  mostBytesOfBlock,
  mostTermsOfBlock,
  postingsName,
  rowsOfIdsPage,
  rowsOfSequencesPage,
  segmentName,
  sequencesName,
} from './bm25-block-names.js';
import type { Segment } from './bm25-segment.js';
import { crc32 } from './crc32.js';
import { encodePostings } from './postings.js';
import { type ByteWriter, createByteWriter } from './varint.js';

export interface EncodedSegment {
  readonly parts: ReadonlyMap<string, Uint8Array>;
  /** Of the part that names all others with their checksums. */
  readonly checksum: number;
}

/**
 * A segment as parts, the same bytes for the same contents. The part `segment.n` has the number of rows; the lengths of
 * rows, checksums and first terms of blocks, by field; the checksums of pages. Numbers are LEB128, strings JSON, which
 * keeps strings of any code units.
 */
export function encodeSegment(
  segment: Segment,
  number: number,
  fields: number,
  keepsSequences: boolean,
): EncodedSegment {
  const parts = new Map<string, Uint8Array>();
  const put = (name: string, bytes: Uint8Array) => {
    parts.set(name, bytes);
    return crc32(bytes);
  };
  const { rows } = segment;
  const head = createByteWriter();
  head.unsigned(rows);
  for (let field = 0; field < fields; field++) {
    const lengths = segment.lengths(field);
    for (let row = 0; row < rows; row++) head.unsigned(lengths[row]!);
    const blocks = postingsBlocks(segment, field);
    head.unsigned(blocks.length);
    blocks.forEach(({ bytes, entries }, block) => {
      head.unsigned(entries);
      head.unsigned(put(postingsName(number, field, block), bytes));
    });
    writeStrings(
      head,
      blocks.map(({ first }) => first),
    );
  }
  for (let row = 0; row < rows; row += rowsOfIdsPage)
    head.unsigned(put(idsName(number, row / rowsOfIdsPage), idsPage(segment, row)));
  for (let row = 0; keepsSequences && row < rows; row += rowsOfSequencesPage)
    head.unsigned(put(sequencesName(number, row / rowsOfSequencesPage), sequencesPage(segment, row, fields)));
  return { checksum: put(segmentName(number), head.finish()), parts };
}

/** The terms of a field in code-unit order with their postings: a list of terms, the length of each list, the lists. */
function postingsBlocks(segment: Segment, field: number) {
  const blocks: { first: string; bytes: Uint8Array; entries: number }[] = [];
  let terms: string[] = [];
  let lists: Uint8Array[] = [];
  let size = 0;
  let entries = 0;
  const finish = () => {
    const writer = createByteWriter(size);
    writeStrings(writer, terms);
    for (const list of lists) writer.unsigned(list.length);
    for (const list of lists) writer.bytes(list);
    blocks.push({ first: terms[0]!, bytes: writer.finish(), entries });
    [terms, lists, size, entries] = [[], [], 0, 0];
  };
  for (const term of [...segment.termsFrom(field, '')].sort(byCodeUnits)) {
    const { rows, frequencies } = segment.postings(field, term)!;
    const list = encodePostings(rows, frequencies);
    terms.push(term);
    lists.push(list);
    size += list.length;
    entries += rows.length;
    if (terms.length >= mostTermsOfBlock || size >= mostBytesOfBlock) finish();
  }
  if (terms.length > 0) finish();
  return blocks;
}

/** The length in bytes of each id, then the ids, each a JSON string, so that one can be read without the others. */
function idsPage(segment: Segment, from: number): Uint8Array {
  const writer = createByteWriter();
  const ids: Uint8Array[] = [];
  for (let row = from; row < Math.min(from + rowsOfIdsPage, segment.rows); row++)
    ids.push(new TextEncoder().encode(JSON.stringify(segment.id(row))));
  for (const { length } of ids) writer.unsigned(length);
  for (const id of ids) writer.bytes(id);
  return writer.finish();
}

/** The terms that occur in the rows of a page, then their numbers in the order of the text, row by row, field by field. */
function sequencesPage(segment: Segment, from: number, fields: number): Uint8Array {
  const numbers = new Map<string, number>();
  const body = createByteWriter();
  const end = Math.min(from + rowsOfSequencesPage, segment.rows);
  for (let row = from; row < end; row++) {
    for (let field = 0; field < fields; field++) {
      for (const term of segment.sequence(field, row)) {
        const number = numbers.get(term) ?? numbers.size;
        numbers.set(term, number);
        body.unsigned(number);
      }
    }
  }
  const writer = createByteWriter(body.length);
  writeStrings(writer, [...numbers.keys()]);
  writer.bytes(body.finish());
  return writer.finish();
}

/** A JSON list with its length in bytes before it. */
export function writeStrings(writer: ByteWriter, strings: readonly string[]): void {
  const bytes = new TextEncoder().encode(JSON.stringify(strings));
  writer.unsigned(bytes.length);
  writer.bytes(bytes);
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
