import { blockRows, createInt8Blocks } from './int8-blocks.js';
import { mostDimensions, quantizeRow, strideOf } from './quantize.js';
import {
  damaged,
  decodeBlock,
  decodeHead,
  encodeHead,
  encodeLive,
  encodeRows,
  headName,
  liveName,
  rowsName,
  type SavedChanges,
} from './vector-blocks.js';
import { createReader, type RowsState, type VectorReader } from './vector-search.js';
import { checkVector, unitVector } from './vectors.js';

export interface VectorRowsOptions {
  /** Names a row, for ties. Asked for rows with a vector only. */
  id(row: number): string;
  /**
   * Gives the vectors of rows as they were added, of whatever length. With it the index keeps int8 rows only, and asks
   * for those few whose score has to be computed. Without it float32 rows are kept as well.
   */
  readonly vectors?: (rows: readonly number[]) => readonly Float32Array[];
  /** `surmise/int8-scan.wasm`, compiled, where the platform does not let it be compiled at run time; `false` for JavaScript. */
  readonly kernel?: object | false;
}

/**
 * Vectors by number of their row, for exact search by cosine similarity. A row takes its dimensions, rounded up to a
 * multiple of 32, in bytes, 9 bytes more, and 4 bytes for each dimension where float32 rows are kept.
 *
 * Rows are not overwritten while a snapshot or a saved copy may know them: a changed vector gets another row.
 */
export interface VectorRows extends VectorReader {
  /**
   * Adds a vector and returns its row: that of a removed one which no snapshot and no saved copy has seen, or else the
   * next. RangeError for a wrong length or numbers that are not finite.
   */
  add(vector: Float32Array): number;
  /** False where there is no such row. */
  remove(row: number): boolean;
  /** What is there now, whatever changes later. Costs a pointer for each 1,024 rows. */
  snapshot(): VectorReader;
  /**
   * What changed since the last call; with `all`, everything. A write of n rows changes the parts of about n / 1,024
   * blocks, a removal 128 bytes. Has no checksums. Parts are of the order of `1,024 · (dimensions + 8)` bytes.
   */
  toBlocks(options?: { readonly all?: boolean }): SavedChanges;
  /**
   * A copy with the rows that are there, in their order, without gaps; `from[row]` is what a row was before. The options
   * are for its rows, with `vectors` in the same case as here.
   */
  compacted(options: VectorRowsOptions): { readonly rows: VectorRows; readonly from: Uint32Array };
}

/** A mark of a row that is there: no snapshot has seen it, or one may have. */
const [unseen, seen] = [1, 2];
/** Rows have 32 bits. */
const mostRows = 0xffff_ffff;

/** No rows yet. RangeError unless dimensions are a whole number from 1 to 65,536. */
export function createVectorRows(dimensions: number, options: VectorRowsOptions): VectorRows {
  return openRows(dimensions, options).rows;
}

/**
 * What `toBlocks` wrote, by name. RangeError for parts that are missing or damaged, or without float32 rows where no
 * `vectors` are given. A part that is damaged in its values only is not noticed.
 */
export function loadVectorRows(parts: ReadonlyMap<string, Uint8Array>, options: VectorRowsOptions): VectorRows {
  const { dimensions, rows: count, floats } = decodeHead(parts.get(headName));
  if (!floats && options.vectors === undefined) throw damaged('they hold no float32 rows, and no "vectors" are given');
  const { rows, state, addBlock, release, savedBefore } = openRows(dimensions, options);
  state.rows = count;
  for (let block = 0; block * blockRows < count; block++) {
    addBlock();
    decodeBlock(state, block, parts, floats);
  }
  savedBefore(state.live.length);
  release();
  return rows;
}

function openRows(dimensions: number, options: VectorRowsOptions) {
  if (!Number.isSafeInteger(dimensions) || dimensions < 1 || dimensions > mostDimensions)
    throw new RangeError(`dimensions must be a positive integer up to ${mostDimensions}, got ${dimensions}.`);
  const { vectors, kernel } = options;
  const stride = strideOf(dimensions);
  const int8 = createInt8Blocks(stride, kernel);
  const id = (row: number) => options.id(row);
  const state: RowsState = { dimensions, stride, rows: 0, size: 0, live: [], int8, floats: [], vectors, id };
  const changedRows = new Set<number>();
  const changedLive = new Set<number>();
  /** Blocks whose marks no snapshot shares. */
  const own = new Set<number>();
  /** Rows without a vector that nothing knows. */
  const free: number[] = [];
  let savedBlocks = 0;

  function addBlock(): void {
    own.add(state.live.length);
    int8.add();
    state.live.push(new Uint8Array(blockRows));
    if (vectors === undefined) state.floats.push(new Float32Array(blockRows * dimensions));
  }

  function mark(row: number, value: number): void {
    const block = Math.floor(row / blockRows);
    if (!own.has(block)) {
      state.live[block] = state.live[block]!.map((known) => (known === 0 ? 0 : seen));
      own.add(block);
    }
    state.live[block]![row % blockRows] = value;
    changedLive.add(block);
  }

  /** A row for a vector; the caller fills it. */
  function place(): { row: number; block: number; at: number } {
    if (free.length === 0 && state.rows === mostRows)
      throw new RangeError('A vector index holds 2^32 - 1 rows at most.');
    if (free.length === 0 && state.rows === state.live.length * blockRows) addBlock();
    const row = free.pop() ?? state.rows++;
    const block = Math.floor(row / blockRows);
    mark(row, unseen);
    changedRows.add(block);
    state.size++;
    return { row, block, at: row % blockRows };
  }

  /** From now on rows are known elsewhere. */
  const release = () => own.clear();

  const rows: VectorRows = {
    ...createReader(state),
    // Spreading copies the counts of now.
    get rows() {
      return state.rows;
    },
    get size() {
      return state.size;
    },
    add(vector) {
      checkVector(vector, dimensions, 'The vector');
      const unit = unitVector(vector);
      const { row, block, at } = place();
      const { values, scales, errors } = int8.block(block);
      const { scale, error } = quantizeRow(unit, values, at * stride);
      scales[at] = scale;
      errors[at] = error;
      state.floats[block]?.set(unit, at * dimensions);
      return row;
    },
    remove(row) {
      if (!rows.has(row)) return false;
      const block = Math.floor(row / blockRows);
      if (own.has(block) && state.live[block]![row % blockRows] === unseen) free.push(row);
      mark(row, 0);
      state.size--;
      return true;
    },
    snapshot() {
      release();
      return createReader({ ...state, live: state.live.slice() });
    },
    toBlocks({ all = false } = {}) {
      const write = new Map([[headName, encodeHead(state)]]);
      for (let block = 0; block < state.live.length; block++) {
        if (all || changedRows.has(block)) write.set(rowsName(block), encodeRows(state, block));
        if (all || changedLive.has(block)) write.set(liveName(block), encodeLive(state, block));
      }
      const remove: string[] = [];
      for (let block = state.live.length; block < savedBlocks; block++) remove.push(rowsName(block), liveName(block));
      savedBlocks = state.live.length;
      changedRows.clear();
      changedLive.clear();
      // Rows here and there would make whole blocks of the saved copy change.
      free.length = 0;
      release();
      return { write, remove };
    },
    compacted(newOptions) {
      const from = new Uint32Array(state.size);
      const other = openRows(dimensions, newOptions);
      for (let row = 0; row < state.rows; row++) {
        if (!rows.has(row)) continue;
        from[other.copy(state, row)] = row;
      }
      other.savedBefore(savedBlocks);
      return { rows: other.rows, from };
    },
  };

  function copy(source: RowsState, sourceRow: number): number {
    const [sourceBlock, sourceAt] = [Math.floor(sourceRow / blockRows), sourceRow % blockRows];
    const { row, block, at } = place();
    const [old, made] = [source.int8.block(sourceBlock), int8.block(block)];
    made.values.set(old.values.subarray(sourceAt * stride, (sourceAt + 1) * stride), at * stride);
    made.scales[at] = old.scales[sourceAt]!;
    made.errors[at] = old.errors[sourceAt]!;
    const floats = source.floats[sourceBlock]?.subarray(sourceAt * dimensions, (sourceAt + 1) * dimensions);
    if (floats) state.floats[block]!.set(floats, at * dimensions);
    return row;
  }

  const savedBefore = (blocks: number) => {
    savedBlocks = blocks;
  };
  return { rows, state, addBlock, release, copy, savedBefore };
}
