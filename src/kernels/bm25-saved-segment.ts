import {
  damagedPart,
  idsName,
  type PartSource,
  postingsName,
  rowsOfIdsPage,
  rowsOfSequencesPage,
  savedParts,
  segmentName,
  sequencesName,
} from './bm25-block-names.js';
import { parseJson, readPart, readSlices, readStrings, type Slices, sliceOf } from './bm25-read-part.js';
import type { Segment } from './bm25-segment.js';
import { createBoundedCache } from './bounded-cache.js';
import { decodePostings } from './postings.js';
import { type ByteReader, createByteReader } from './varint.js';

/** Blocks and pages that stay decoded, of each segment. */
const mostBlocks = 1_024;
const mostPages = 64;

/** Terms in code-unit order with their postings. */
interface Block {
  readonly terms: readonly string[];
  readonly lists: Slices;
}

interface SavedField {
  readonly lengths: Uint32Array;
  readonly checksums: readonly number[];
  readonly firstTerms: readonly string[];
}

/**
 * A segment that `encodeSegment` wrote. Reads the lengths of its rows; all else when it is first asked for, and of
 * postings only those asked for. Every part is checked when it is read: RangeError where one is missing or damaged.
 */
export function openSegment(
  parts: PartSource,
  number: number,
  checksum: number,
  fieldCount: number,
  keepsSequences: boolean,
): Segment & { readonly names: readonly string[] } {
  const headName = segmentName(number);
  const bytes = readPart(parts, headName, checksum);
  const head = createByteReader(bytes, savedParts);
  const rows = head.unsigned();
  // A row takes a byte of lengths in each field, of which there is one at least.
  if (rows > bytes.length) throw damagedPart(headName, `has no room for ${rows} rows`);
  const names = [headName];
  let entries = 0;
  const fields = Array.from({ length: fieldCount }, (_, field): SavedField => {
    const lengths = new Uint32Array(rows);
    for (let row = 0; row < rows; row++) lengths[row] = head.unsigned();
    const checksums: number[] = [];
    for (let left = head.unsigned(); left > 0; left--) {
      entries += head.unsigned();
      names.push(postingsName(number, field, checksums.length));
      checksums.push(head.unsigned());
    }
    const firstTerms = readStrings(head, headName);
    if (firstTerms.length !== checksums.length) throw damagedPart(headName, 'has other than one term for each block');
    return { lengths, checksums, firstTerms };
  });
  const pages = (name: (segment: number, page: number) => string, rowsOfPage: number) =>
    Array.from({ length: Math.ceil(rows / rowsOfPage) }, (_, page) => {
      names.push(name(number, page));
      return head.unsigned();
    });
  const idsChecksums = pages(idsName, rowsOfIdsPage);
  const sequencesChecksums = keepsSequences ? pages(sequencesName, rowsOfSequencesPage) : [];
  if (head.remaining > 0) throw damagedPart(headName, `has ${head.remaining} bytes too many`);

  const blocks = createBoundedCache<Block>(mostBlocks);
  const idPages: Slices[] = [];
  const sequencePages = createBoundedCache<string[][][]>(mostPages);

  function blockOf(field: number, block: number): Block {
    const name = postingsName(number, field, block);
    const known = blocks.get(name);
    if (known !== undefined) return known;
    const found = decodeBlock(readPart(parts, name, fields[field]!.checksums[block]!), name);
    if (found.terms[0] !== fields[field]!.firstTerms[block]) throw damagedPart(name, 'begins with another term');
    blocks.set(name, found);
    return found;
  }

  function sequencesOf(page: number): string[][][] {
    const name = sequencesName(number, page);
    const known = sequencePages.get(name);
    if (known !== undefined) return known;
    const reader = createByteReader(readPart(parts, name, sequencesChecksums[page]!), savedParts);
    const terms = readStrings(reader, name);
    const first = page * rowsOfSequencesPage;
    const count = Math.min(rowsOfSequencesPage, rows - first);
    const found = Array.from({ length: count }, (_, at) =>
      fields.map(({ lengths }) => readSequence(reader, terms, lengths[first + at]!, name)),
    );
    sequencePages.set(name, found);
    return found;
  }

  return {
    rows,
    entries,
    names,
    decodes: true,
    id(row) {
      const page = Math.floor(row / rowsOfIdsPage);
      const name = idsName(number, page);
      let ids = idPages[page];
      if (ids === undefined) {
        const count = Math.min(rowsOfIdsPage, rows - page * rowsOfIdsPage);
        ids = readSlices(createByteReader(readPart(parts, name, idsChecksums[page]!), savedParts), count, name);
        idPages[page] = ids;
      }
      const id: unknown = parseJson(sliceOf(ids, row % rowsOfIdsPage));
      if (typeof id !== 'string') throw damagedPart(name, 'has something else than an id');
      return id;
    },
    lengths: (field) => fields[field]!.lengths,
    postings(field, term) {
      const at = placeOf(fields[field]!.firstTerms, term);
      if (at < 0) return undefined;
      const { terms, lists } = blockOf(field, at);
      const place = placeOf(terms, term);
      if (terms[place] !== term) return undefined;
      const found = decodePostings(sliceOf(lists, place));
      if ((found.rows.at(-1) ?? 0) >= rows)
        throw damagedPart(postingsName(number, field, at), 'has a row out of range');
      return found;
    },
    *termsFrom(field, prefix) {
      const { firstTerms } = fields[field]!;
      for (let block = Math.max(0, placeOf(firstTerms, prefix)); block < firstTerms.length; block++) {
        for (const term of blockOf(field, block).terms) {
          if (term.startsWith(prefix)) yield term;
          else if (term > prefix) return;
        }
      }
    },
    sequence: (field, row) => sequencesOf(Math.floor(row / rowsOfSequencesPage))[row % rowsOfSequencesPage]![field]!,
  };
}

function decodeBlock(bytes: Uint8Array, name: string): Block {
  const reader = createByteReader(bytes, savedParts);
  const terms = readStrings(reader, name);
  for (let at = 1; at < terms.length; at++)
    if (!(terms[at - 1]! < terms[at]!)) throw damagedPart(name, 'has terms out of order');
  return { terms, lists: readSlices(reader, terms.length, name) };
}

function readSequence(reader: ByteReader, terms: readonly string[], length: number, name: string): string[] {
  const sequence: string[] = [];
  for (let left = length; left > 0; left--) {
    const term = terms[reader.unsigned()];
    if (term === undefined) throw damagedPart(name, 'has a term out of range');
    sequence.push(term);
  }
  return sequence;
}

/** The last place whose text is not above `text`, or -1. */
function placeOf(sorted: readonly string[], text: string): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= text) low = middle + 1;
    else high = middle - 1;
  }
  return high;
}
