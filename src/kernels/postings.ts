import { type ByteReader, type ByteWriter, createByteReader, createByteWriter } from './varint.js';

/** Where a term occurs: `frequencies[i]` times in row `rows[i]`. Rows ascend strictly, frequencies are at least 1. */
export interface Postings {
  readonly rows: Uint32Array;
  readonly frequencies: Uint32Array;
}

/** Postings whose frequencies may be sums of weights, as those of fields are: any numbers above 0. */
export interface WeightedPostings {
  readonly rows: Uint32Array;
  readonly frequencies: Uint32Array | Float64Array;
}

/** Postings of neighbouring rows, which count from `base`. */
export interface PostingsPiece extends WeightedPostings {
  readonly base: number;
}

const largest = 0xffff_ffff;

/** Bytes of a postings list: the count, then the entries, counted from -1. RangeError for lists that break the rules. */
export function encodePostings(rows: Uint32Array, frequencies: Uint32Array): Uint8Array {
  if (rows.length !== frequencies.length) {
    throw new RangeError(
      `Postings need one frequency for each row: ${rows.length} rows, ${frequencies.length} frequencies.`,
    );
  }
  const writer = createByteWriter();
  writer.unsigned(rows.length);
  writeEntries(writer, { rows, frequencies }, -1);
  return writer.finish();
}

/** The list that `encodePostings` wrote. RangeError when the bytes are not such a list; never reads or allocates beyond them. */
export function decodePostings(bytes: Uint8Array): Postings {
  const reader = createByteReader(bytes, 'Postings');
  const postings = readEntries(reader, reader.unsigned(), -1);
  if (reader.remaining > 0) throw damaged(`${reader.remaining} bytes too many`);
  return postings;
}

/**
 * For each row its distance from the row before, `origin` before the first, doubled, plus 1 where the frequency is 1;
 * other frequencies follow. All numbers are LEB128.
 *
 * @throws RangeError for rows that do not ascend and frequencies below 1
 */
export function writeEntries(writer: ByteWriter, { rows, frequencies }: Postings, origin: number): void {
  let before = origin;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    const frequency = frequencies[at]!;
    if (row <= before && at > 0) throw new RangeError(`Rows of postings must ascend: ${row} follows ${before}.`);
    writeEntry(writer, row - before, frequency);
    before = row;
  }
}

export function writeEntry(writer: ByteWriter, distance: number, frequency: number): void {
  if (frequency < 1) throw new RangeError(`A frequency must be at least 1, got ${frequency}.`);
  writer.unsigned(distance * 2 + (frequency === 1 ? 1 : 0));
  if (frequency !== 1) writer.unsigned(frequency);
}

/** So many of the entries that `writeEntries` wrote. @throws RangeError; never reads or allocates beyond the bytes */
export function readEntries(reader: ByteReader, count: number, origin: number): Postings {
  if (count > reader.remaining) throw damaged(`${count} entries do not fit into ${reader.remaining} bytes`);
  const rows = new Uint32Array(count);
  const frequencies = new Uint32Array(count);
  let row = origin;
  for (let at = 0; at < count; at++) {
    const entry = reader.unsigned();
    const distance = Math.floor(entry / 2);
    row += distance;
    if ((distance < 1 && at > 0) || row < 0 || row > largest) throw damaged('rows do not ascend');
    const frequency = entry % 2 === 1 ? 1 : reader.unsigned();
    if (frequency < 1 || frequency > largest) throw damaged(`frequency ${frequency}`);
    rows[at] = row;
    frequencies[at] = frequency;
  }
  return { rows, frequencies };
}

function damaged(reason: string): RangeError {
  return new RangeError(`Postings are damaged: ${reason}.`);
}
