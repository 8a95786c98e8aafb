import { SurmiseError } from '../core/errors.js';
import { bytes } from './row-sum.wasm.js';
import type { StaticTable } from './static-table.js';

/**
 * Adds up rows of a table in float32: `sum[i] = f32(sum[i] + f32(scale · value[i]))`, row by row. Both ways to do it
 * give the same bits.
 */
export interface RowSum {
  /** Room for the numbers of rows that are to be added. */
  readonly rows: Uint32Array;
  /** As many numbers as the table has dimensions. */
  readonly sum: Float32Array;
  /** Adds the first `count` of `rows` to `sum`, in their order. */
  add(count: number): void;
}

/** Rows that are added at once; most texts need fewer. */
const capacity = 4_096;
/** Columns that the kernel sums in registers at once. */
const block = 32;
const pageBytes = 65_536;
const mostPages = 65_536;

/**
 * @param module the kernel, compiled; without it the platform is asked to compile it, and where it does not, has no SIMD
 *   or not enough memory, JavaScript does the same in ten times the time
 * @throws SurmiseError `bad_argument` for a module that is not the kernel
 */
export function rowSum(table: StaticTable, module?: object): RowSum {
  if (module === undefined) {
    const compiled = compileKernel();
    return (compiled && kernelRowSum(table, compiled)) ?? plainRowSum(table);
  }
  try {
    const sums = kernelRowSum(table, module as WebAssembly.Module);
    if (sums !== undefined) return sums;
  } catch (cause) {
    throw new SurmiseError('bad_argument', 'The kernel is not a compiled surmise/row-sum.wasm of this version.', {
      cause,
    });
  }
  return plainRowSum(table);
}

/** Nothing where that is forbidden (Cloudflare Workers, pages without 'wasm-unsafe-eval') or there is no SIMD. */
export function compileKernel(): WebAssembly.Module | undefined {
  try {
    return new WebAssembly.Module(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Keeps a copy of the table in the kernel's memory, and nothing of the table itself.
 *
 * @returns nothing where there is not enough memory
 */
export function kernelRowSum(table: StaticTable, module: WebAssembly.Module): RowSum | undefined {
  const { dimensions, scales, values } = table;
  const stride = Math.ceil(dimensions / block) * block;
  const scalesAt = scales.length * stride;
  const rowsAt = scalesAt + scales.byteLength;
  const sumAt = Math.ceil((rowsAt + capacity * Uint32Array.BYTES_PER_ELEMENT) / 16) * 16;
  const memory = allocate(sumAt + stride * Float32Array.BYTES_PER_ELEMENT);
  if (memory === undefined) return undefined;

  const { add } = new WebAssembly.Instance(module, { surmise: { memory } }).exports;
  if (typeof add !== 'function') throw new TypeError('It exports no function "add".');
  const { buffer } = memory;
  if (stride === dimensions) new Int8Array(buffer).set(values);
  else {
    const padded = new Int8Array(buffer);
    for (let row = 0; row < scales.length; row++)
      padded.set(values.subarray(row * dimensions, (row + 1) * dimensions), row * stride);
  }
  new Float32Array(buffer, scalesAt, scales.length).set(scales);
  return {
    rows: new Uint32Array(buffer, rowsAt, capacity),
    sum: new Float32Array(buffer, sumAt, dimensions),
    add: (count) => add(0, stride, scalesAt, rowsAt, count, sumAt),
  };
}

function allocate(size: number): WebAssembly.Memory | undefined {
  const pages = Math.ceil(size / pageBytes);
  if (pages > mostPages) return undefined;
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages });
  } catch {
    return undefined;
  }
}

/** Keeps the table. */
export function plainRowSum({ dimensions, scales, values }: StaticTable): RowSum {
  const rows = new Uint32Array(capacity);
  const sum = new Float32Array(dimensions);
  const add = (count: number): void => {
    for (let at = 0; at < count; at++) {
      const row = rows[at]!;
      const scale = scales[row]!;
      const offset = row * dimensions;
      // Storing rounds the sum.
      for (let i = 0; i < dimensions; i++) sum[i]! += Math.fround(scale * values[offset + i]!);
    }
  };
  return { rows, sum, add };
}
