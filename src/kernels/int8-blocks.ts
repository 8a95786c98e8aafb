import { bytes } from './int8-scan.wasm.js';
import { evenOffset, type QuantizedQuery } from './quantize.js';
import { foundNumbers } from './score-bounds.js';
import { compileKernel, instantiateKernel } from './wasm-kernel.js';

/** Rows of one block, which is scanned at once and saved as one. */
export const blockRows = 1_024;
/** Queries that scans can take turns with. */
export const mostQueries = 16;

/** Rows of one block, one after another, as `quantizeRow` writes them, their scales and their errors. */
export interface Int8Block {
  readonly values: Int8Array;
  readonly scales: Float32Array;
  readonly errors: Float32Array;
}

/** What a scan is asked for: rows whose score may be `top` or more, or `least` or less. */
export interface ScanRange {
  /** Rows from here to below `to`, at least one. */
  readonly from: number;
  readonly to: number;
  /** By row of the block: 0 where it is to be passed over. Without it all are asked for. */
  readonly mask: Uint8Array | undefined;
  readonly top: number;
  readonly least: number;
}

/** Int8 rows in blocks, in the kernel's memory where there is one. */
export interface Int8Blocks {
  /** Appends a block of zeros. */
  add(): void;
  /** Holds until the next `add` only. */
  block(block: number): Int8Block;
  /** Keeps a query under a number below `mostQueries`. */
  setQuery(slot: number, query: QuantizedQuery): void;
  /**
   * Returns how many rows it found; `found` has the row of the block and the bounds of the score of each, in any order.
   */
  scan(block: number, slot: number, range: ScanRange): number;
  /** Three numbers for each row found. Holds until the next call only. */
  readonly found: Float64Array;
}

const pageBytes = 65_536;
const mostPages = 65_536;
const rowNumberBytes = blockRows * Int32Array.BYTES_PER_ELEMENT;
/** All numbers of rows of a block. */
const allAt = 0;
/** Those that a mask leaves. */
const listAt = rowNumberBytes;
const maskAt = listAt + rowNumberBytes;
const foundAt = maskAt + blockRows;
const foundBytes = foundNumbers * Float64Array.BYTES_PER_ELEMENT;
const queriesAt = foundAt + blockRows * foundBytes;

/**
 * @param kernel compiled `surmise/int8-scan.wasm`; `false` for JavaScript. Without it the platform is asked to compile
 *   the kernel, and where it does not, JavaScript finds the same rows in some twenty times the time.
 * @throws TypeError for a module that is not the kernel
 */
export function createInt8Blocks(stride: number, kernel?: object | false): Int8Blocks {
  const module = kernel === undefined ? compileKernel(bytes) : kernel;
  return (module && kernelBlocks(stride, module as WebAssembly.Module)) || plainBlocks(stride);
}

/** Nothing where there is no memory to be had. */
function kernelBlocks(stride: number, module: WebAssembly.Module): Int8Blocks | undefined {
  const queryBytes = stride * Int16Array.BYTES_PER_ELEMENT;
  const headBytes = queriesAt + mostQueries * queryBytes;
  const valueBytes = blockRows * stride;
  const floatBytes = blockRows * Float32Array.BYTES_PER_ELEMENT;
  const blockBytes = valueBytes + 2 * floatBytes;
  let memory: WebAssembly.Memory;
  try {
    memory = new WebAssembly.Memory({ initial: Math.ceil(headBytes / pageBytes), maximum: mostPages });
  } catch {
    return undefined;
  }
  const { select, scan } = instantiateKernel(module, memory, ['select', 'scan'], 'surmise/int8-scan.wasm');
  new Int32Array(memory.buffer, allAt, blockRows).forEach((_, row, all) => {
    all[row] = row;
  });
  /** How many blocks are in that memory; those that it had no room for are in `others`. */
  let inside = 0;
  let full = false;
  const others = plainBlocks(stride);
  const queries: (QuantizedQuery & { readonly bias: number })[] = [];
  let { buffer } = memory;
  let masks = new Uint8Array(buffer, maskAt, blockRows);
  let found = new Float64Array(buffer, foundAt, foundNumbers * blockRows);
  const blockAt = (block: number) => headBytes + block * blockBytes;

  function grow(): boolean {
    const wanted = Math.ceil(blockAt(inside + 1) / pageBytes);
    const present = buffer.byteLength / pageBytes;
    if (wanted <= present) return true;
    // An eighth more, as growing may mean copying; pages that nothing was written to take no memory.
    const generous = Math.min(mostPages, Math.max(wanted, Math.ceil(present * 1.125)));
    for (const pages of [generous, wanted]) {
      if (pages > mostPages) break;
      try {
        memory.grow(pages - present);
        buffer = memory.buffer;
        masks = new Uint8Array(buffer, maskAt, blockRows);
        found = new Float64Array(buffer, foundAt, foundNumbers * blockRows);
        return true;
      } catch {
        // Less, or none, is tried next.
      }
    }
    return false;
  }

  let outside = false;
  return {
    add() {
      full ||= !grow();
      if (full) others.add();
      else inside++;
    },
    block(block) {
      if (block >= inside) return others.block(block - inside);
      const at = blockAt(block);
      return {
        values: new Int8Array(buffer, at, valueBytes),
        scales: new Float32Array(buffer, at + valueBytes, blockRows),
        errors: new Float32Array(buffer, at + valueBytes + floatBytes, blockRows),
      };
    },
    setQuery(slot, query) {
      const values = new Int16Array(buffer, queriesAt + slot * queryBytes, stride);
      queries[slot] = { ...query, bias: arrange(query.values, values) };
      others.setQuery(slot, query);
    },
    scan(block, slot, range) {
      outside = block >= inside;
      if (outside) return others.scan(block - inside, slot, range);
      const { from, to, mask, top, least } = range;
      let list = allAt + from * Int32Array.BYTES_PER_ELEMENT;
      let count = to - from;
      if (mask !== undefined) {
        masks.set(mask);
        list = listAt;
        count = select(maskAt, from, to, listAt);
        if (count === 0) return 0;
      }
      const { bias, scale, slope, offset } = queries[slot]!;
      const at = blockAt(block);
      const scalesAt = at + valueBytes;
      const end = scan(
        at,
        stride,
        list,
        count,
        queriesAt + slot * queryBytes,
        bias,
        scalesAt,
        scalesAt + floatBytes,
        foundAt,
        scale,
        slope,
        offset,
        top,
        least,
      );
      return (end - foundAt) / foundBytes;
    },
    get found() {
      return outside ? others.found : found;
    },
  };
}

/** Writes a query in the order that the kernel reads it; returns what the 128s of even columns add to its products. */
function arrange(query: Int16Array, values: Int16Array): number {
  let sum = 0;
  for (let at = 0; at < query.length; at += 2) {
    const to = at - (at % 16) / 2;
    values[to] = query[at]!;
    values[to + 8] = query[at + 1]!;
    sum += query[at]!;
  }
  return evenOffset * sum;
}

function plainBlocks(stride: number): Int8Blocks {
  const blocks: Int8Block[] = [];
  const queries: QuantizedQuery[] = [];
  const found = new Float64Array(foundNumbers * blockRows);
  return {
    add() {
      const [scales, errors] = [new Float32Array(blockRows), new Float32Array(blockRows)];
      blocks.push({ values: new Int8Array(blockRows * stride), scales, errors });
    },
    block: (block) => blocks[block]!,
    setQuery(slot, query) {
      queries[slot] = query;
    },
    scan(block, slot, { from, to, mask, top, least }) {
      const { values, scales, errors } = blocks[block]!;
      const query = queries[slot]!;
      let count = 0;
      for (let row = from; row < to; row++) {
        if (mask !== undefined && mask[row] === 0) continue;
        const product = dot(values, row * stride, query.values);
        const score = query.scale * scales[row]! * product;
        const error = query.slope * errors[row]! + query.offset;
        if (!(score + error >= top || score - error <= least)) continue;
        found.set([row, score - error, score + error], foundNumbers * count++);
      }
      return count;
    },
    found,
  };
}

/** Of an even number of columns: two sums that do not wait for each other. */
function dot(values: Int8Array, offset: number, query: Int16Array): number {
  let even = 0;
  let odd = 0;
  for (let at = 0; at < query.length; at += 2) {
    even = (even + ((values[offset + at]! & 255) - evenOffset) * query[at]!) | 0;
    odd = (odd + values[offset + at + 1]! * query[at + 1]!) | 0;
  }
  return (even + odd) | 0;
}
