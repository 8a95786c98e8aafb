import { bytes } from './float32-scan.wasm.js';
import { mostDimensions } from './quantize.js';
import { foundNumbers } from './score-bounds.js';
import { compileKernel, instantiateKernel } from './wasm-kernel.js';

/** Which rows of a turn are wanted: all, or those with another mark than 0; and how high or low they must score. */
export interface Float32Range {
  readonly from: number;
  readonly to: number;
  readonly allow: Uint8Array | undefined;
  readonly top: number;
  readonly least: number;
}

/** Bounds of the scores of float32 rows for one query, by the kernel. Holds until the next is made. */
export interface Float32Scan {
  /** The most rows of a turn. */
  readonly turnRows: number;
  /** Returns how many rows it found; `found` has the row (counted from `from`) and its bounds, in any order. */
  scan(range: Float32Range): number;
  readonly found: Float64Array;
}

/** Rows that the kernel takes at once. */
const listedRows = 1_024;
/** Bytes of rows that are copied at once, so that they are still in the cache when they are read. */
const copiedBytes = 4 * mostDimensions;

/** Columns that the kernel takes at once. */
const columnBlock = 16;

const numberBytes = Int32Array.BYTES_PER_ELEMENT;
const allAt = 0;
const listAt = allAt + listedRows * numberBytes;
const foundAt = listAt + listedRows * numberBytes;
const foundBytes = foundNumbers * Float64Array.BYTES_PER_ELEMENT;
const queryAt = foundAt + listedRows * foundBytes;
const rowsAt = queryAt + 4 * mostDimensions;

const pageBytes = 65_536;
/** A page less than there may be, so that the end of the last row is a number of 32 bits. */
const mostPages = 65_535;

interface KernelMemory {
  readonly buffer: ArrayBuffer;
  readonly scan: (...args: number[]) => number;
}

/** By the buffer of a matrix that lies in the memory of a kernel. */
const inPlace = new WeakMap<ArrayBufferLike, KernelMemory>();
/** By module: a memory for rows that lie elsewhere. */
const copying = new WeakMap<WebAssembly.Module, KernelMemory>();

/**
 * A matrix of zeros for `searchVectors`, which reads it where it is; of others it copies the rows at each search, which
 * takes twice the time. An ordinary array where there is no WebAssembly, no memory to be had, more than 4 GiB or more
 * than 65,536 dimensions.
 *
 * @param kernel compiled `surmise/float32-scan.wasm`, where the platform does not let it be compiled at run time; `false`
 *   for JavaScript
 * @throws RangeError unless rows are a whole number from 0 and dimensions one from 1
 */
export function createVectorMatrix(rows: number, dimensions: number, kernel?: object | false): Float32Array {
  if (!Number.isSafeInteger(rows) || rows < 0) throw new RangeError(`rows must be 0 or more, got ${rows}.`);
  if (!Number.isSafeInteger(dimensions) || dimensions < 1)
    throw new RangeError(`dimensions must be a positive integer, got ${dimensions}.`);
  const length = rows * dimensions;
  const module = moduleOf(kernel);
  const memory = module && dimensions <= mostDimensions ? allocate(module, rowsAt + 4 * length) : undefined;
  if (memory === undefined) return new Float32Array(length);
  inPlace.set(memory.buffer, memory);
  return new Float32Array(memory.buffer, rowsAt, length);
}

/** Nothing where the kernel can not be had. The query has length 1 or 0. */
export function float32Scan(
  matrix: Float32Array,
  query: Float32Array,
  kernel: object | false | undefined,
): Float32Scan | undefined {
  const dimensions = query.length;
  const module = moduleOf(kernel);
  if (module === undefined || dimensions < 1 || dimensions > mostDimensions) return undefined;
  const own = inPlace.get(matrix.buffer);
  const memory = own ?? copyingMemory(module);
  if (memory === undefined) return undefined;
  const { buffer, scan } = memory;
  const list = new Int32Array(buffer, listAt, listedRows);
  const copies = new Float32Array(buffer, rowsAt, own ? 0 : mostDimensions);
  const columns = new Float32Array(buffer, queryAt, Math.ceil(dimensions / columnBlock) * columnBlock);
  columns.fill(0, dimensions);
  columns.set(query);
  const error = float32Error(dimensions);

  function copy(from: number, to: number, listed: Int32Array | undefined): void {
    if (listed === undefined) copies.set(matrix.subarray(from * dimensions, to * dimensions));
    else
      for (const row of listed)
        copies.set(matrix.subarray((from + row) * dimensions, (from + row + 1) * dimensions), row * dimensions);
  }

  return {
    turnRows: own ? listedRows : Math.min(listedRows, Math.floor(mostDimensions / dimensions)),
    scan({ from, to, allow, top, least }) {
      let count = to - from;
      if (allow !== undefined) {
        count = 0;
        for (let row = from; row < to; row++) if (allow[row]) list[count++] = row - from;
      }
      if (count === 0) return 0;
      if (own === undefined) copy(from, to, allow && list.subarray(0, count));
      const first = own ? matrix.byteOffset + 4 * from * dimensions : rowsAt;
      const rows = allow === undefined ? allAt : listAt;
      const end = scan(first, dimensions, rows, count, queryAt, foundAt, error, top, least);
      return (end - foundAt) / foundBytes;
    },
    found: new Float64Array(buffer, foundAt, foundNumbers * listedRows),
  };
}

/** Rows are to have length 1 or 0; that others are found as well up to this length costs next to nothing. */
const longestRow = 4;

/**
 * How far the kernel's score of a row x may be from that of `scoreOf`, for a query q of length 1 or 0.
 *
 * A product takes part in d roundings of float32, d ≤ n / 8 + 10: its own, those of one of 8 running sums, and those of
 * adding up these. With u = 2^-24 the sum is wrong by du / (1 − du) · Σ|qᵢ·xᵢ| at most (Higham 2002, 3.1), and by Cauchy
 * and Schwarz Σ|qᵢ·xᵢ| ≤ ‖q‖·‖x‖. Twice du leaves enough for ‖q‖, which may be 1 + 2^-20, and for the roundings of
 * double precision here and in `scoreOf`, n of 2^-53. Products below the least normal number lose up to 2^-150 each
 * besides.
 */
export function float32Error(dimensions: number): number {
  return 2 * (dimensions / 8 + 16) * 2 ** -24 * longestRow + dimensions * 2 ** -148;
}

function moduleOf(kernel: object | false | undefined): WebAssembly.Module | undefined {
  if (kernel === false) return undefined;
  return kernel === undefined ? compileKernel(bytes) : (kernel as WebAssembly.Module);
}

function copyingMemory(module: WebAssembly.Module): KernelMemory | undefined {
  const known = copying.get(module) ?? allocate(module, rowsAt + copiedBytes);
  if (known !== undefined) copying.set(module, known);
  return known;
}

/** Nothing where there is no memory to be had. */
function allocate(module: WebAssembly.Module, size: number): KernelMemory | undefined {
  const pages = Math.ceil((size + 4 * columnBlock) / pageBytes);
  if (pages > mostPages) return undefined;
  let memory: WebAssembly.Memory;
  try {
    memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  } catch {
    return undefined;
  }
  const { buffer } = memory;
  const { scan } = instantiateKernel(module, memory, ['scan'], 'surmise/float32-scan.wasm');
  new Int32Array(buffer, allAt, listedRows).forEach((_, row, all) => {
    all[row] = row;
  });
  return { buffer, scan };
}
