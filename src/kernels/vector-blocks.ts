import { blockRows } from './int8-blocks.js';
import type { RowsState } from './vector-search.js';

/** What to do to a saved copy so that it is up to date: parts to write over those of the same name, parts to take away. */
export interface SavedChanges {
  readonly write: Map<string, Uint8Array>;
  readonly remove: string[];
}

/** "SVR" and the version of the format. */
const magic = 0x01_52_56_53;
const headBytes = 16;
/** Format, dimensions, rows, whether float32 rows are there. */
export const headName = 'vectors';
export const rowsName = (block: number) => `rows.${block}`;
export const liveName = (block: number) => `live.${block}`;

/** A row's int8 values, its scale and its error; and the float32 row if it is kept. */
function rowBytes({ dimensions, stride, vectors }: RowsState): number {
  return stride + 8 + (vectors === undefined ? 4 * dimensions : 0);
}

/** Numbers are little-endian, as in WebAssembly and on every machine that has it. */
export function encodeHead({ dimensions, rows, vectors }: RowsState): Uint8Array {
  return new Uint8Array(Uint32Array.of(magic, dimensions, rows, vectors === undefined ? 1 : 0).buffer);
}

/** The rows of a block that are in use: all values, all scales, all errors, all float32 rows. */
export function encodeRows(state: RowsState, block: number): Uint8Array {
  const { dimensions, stride, floats } = state;
  const count = rowsOfBlock(state, block);
  const { values, scales, errors } = state.int8.block(block);
  const bytes = new Uint8Array(count * rowBytes(state));
  bytes.set(bytesOf(values.subarray(0, count * stride)));
  bytes.set(bytesOf(scales.subarray(0, count)), count * stride);
  bytes.set(bytesOf(errors.subarray(0, count)), count * (stride + 4));
  const own = floats[block];
  if (own) bytes.set(bytesOf(own.subarray(0, count * dimensions)), count * (stride + 8));
  return bytes;
}

/** A bit for each row of a block, lowest first: whether there is a vector. */
export function encodeLive({ live }: RowsState, block: number): Uint8Array {
  const bits = new Uint8Array(blockRows / 8);
  live[block]!.forEach((mark, row) => {
    if (mark !== 0) bits[row >> 3]! |= 1 << (row & 7);
  });
  return bits;
}

/** RangeError for bytes that are no head of this version. */
export function decodeHead(bytes: Uint8Array | undefined): { dimensions: number; rows: number; floats: boolean } {
  if (bytes?.length !== headBytes) throw damaged(`the part "${headName}" is missing or damaged`);
  const [format, dimensions, rows, floats] = new Uint32Array(bytes.slice().buffer);
  if (format !== magic) throw damaged('they are of another format or version');
  return { dimensions: dimensions!, rows: rows!, floats: floats !== 0 };
}

/** Fills an empty block. RangeError for a part that is missing, of a wrong length, or holds numbers that can not be. */
export function decodeBlock(state: RowsState, block: number, parts: ReadonlyMap<string, Uint8Array>, floats: boolean) {
  const { dimensions, stride } = state;
  const count = rowsOfBlock(state, block);
  const part = (name: string, length: number) => {
    const bytes = parts.get(name);
    if (bytes?.length !== length) throw damaged(`the part "${name}" is missing or of a wrong length`);
    return bytes;
  };
  const rows = part(rowsName(block), count * (stride + 8 + (floats ? 4 * dimensions : 0)));
  const { values, scales, errors } = state.int8.block(block);
  bytesOf(values).set(rows.subarray(0, count * stride));
  bytesOf(scales).set(rows.subarray(count * stride, count * (stride + 4)));
  bytesOf(errors).set(rows.subarray(count * (stride + 4), count * (stride + 8)));
  for (let row = 0; row < count; row++)
    // A unit vector has neither a larger scale nor a larger error.
    if (!(scales[row]! >= 0 && scales[row]! <= 1 && errors[row]! >= 0 && errors[row]! <= 2))
      throw damaged(`the part "${rowsName(block)}" holds a scale or an error out of range`);
  const own = state.floats[block];
  if (own) bytesOf(own).set(rows.subarray(count * (stride + 8)));
  const bits = part(liveName(block), blockRows / 8);
  const live = state.live[block]!;
  for (let row = 0; row < blockRows; row++) {
    if ((bits[row >> 3]! & (1 << (row & 7))) === 0) continue;
    if (row >= count) throw damaged(`the part "${liveName(block)}" marks a row that is not there`);
    live[row] = 1;
    state.size++;
  }
}

export function damaged(reason: string): RangeError {
  return new RangeError(`The saved parts of this vector index can not be used: ${reason}.`);
}

function rowsOfBlock({ rows }: RowsState, block: number): number {
  return Math.min(blockRows, rows - block * blockRows);
}

function bytesOf({ buffer, byteOffset, byteLength }: Int8Array | Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
