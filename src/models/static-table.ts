import { SurmiseError } from '../core/errors.js';

/** A table of word-piece vectors: row r is `scales[r] · values[r·dimensions … (r+1)·dimensions]`. */
export interface StaticTable {
  readonly dimensions: number;
  readonly rows: number;
  /** The row for words that can not be composed of pieces. */
  readonly unknown: number;
  readonly scales: Float32Array;
  readonly values: Int8Array;
  readonly vocabulary: readonly string[];
}

const maxHeader = 65_536;
const maxDimensions = 4_096;
const maxRows = 1_000_000;

/**
 * Reads a table file: header length (u32), header (JSON: format 1, dim, rows, unk), padding to 4 bytes, one float32
 * scale per row, int8 rows × dim, the word pieces in UTF-8 joined by newlines; numbers are little-endian. The rows
 * stay views of `bytes`, which must not change afterwards.
 *
 * @throws SurmiseError `bad_data` for bytes that are not a whole table
 */
export function readStaticTable(bytes: Uint8Array): StaticTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerLength = bytes.length < 4 ? 0 : view.getUint32(0, true);
  if (headerLength === 0 || headerLength > maxHeader || 4 + headerLength > bytes.length)
    throw bad('it does not begin with the header of one');
  const { dimensions, rows, unknown } = readHeader(bytes.subarray(4, 4 + headerLength));

  const scalesAt = Math.ceil((4 + headerLength) / 4) * 4;
  const valuesAt = scalesAt + rows * 4;
  const vocabularyAt = valuesAt + rows * dimensions;
  if (vocabularyAt >= bytes.length) throw bad(`it ends after ${bytes.length} bytes, before its word pieces`);
  const scales = Float32Array.from({ length: rows }, (_, row) => view.getFloat32(scalesAt + row * 4, true));
  if (!scales.every(Number.isFinite)) throw bad('a scale in it is not a finite number');

  const vocabulary = decode(bytes.subarray(vocabularyAt)).split('\n');
  if (vocabulary.length !== rows) throw bad(`it has ${vocabulary.length} word pieces for ${rows} rows`);
  // A file that ends inside its last piece shows only here, where what is left is nothing or another piece.
  if (new Set(vocabulary).size !== rows || vocabulary.some((piece) => piece === '' || piece === '##'))
    throw bad('a word piece in it is empty or stands there twice');
  const values = new Int8Array(bytes.buffer, bytes.byteOffset + valuesAt, rows * dimensions);
  return { dimensions, rows, unknown, scales, values, vocabulary };
}

function readHeader(bytes: Uint8Array): { dimensions: number; rows: number; unknown: number } {
  let header: unknown;
  try {
    header = JSON.parse(decode(bytes));
  } catch {
    throw bad('its header can not be read');
  }
  const field = (name: string): unknown =>
    typeof header === 'object' && header !== null ? (header as Record<string, unknown>)[name] : undefined;
  if (field('format') !== 1) throw bad(`its format is ${JSON.stringify(field('format'))}, this version reads format 1`);
  const whole = (name: string, low: number, high: number): number => {
    const value = field(name);
    if (typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high) return value;
    throw bad(`"${name}" in its header is not a whole number from ${low} to ${high}`);
  };
  const rows = whole('rows', 1, maxRows);
  return { rows, dimensions: whole('dim', 1, maxDimensions), unknown: whole('unk', 0, rows - 1) };
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw bad('its text is not UTF-8');
  }
}

function bad(what: string): SurmiseError {
  return new SurmiseError(
    'bad_data',
    `These bytes are not a static embedder table: ${what}. Use the file that came with the package, or install it again.`,
  );
}
