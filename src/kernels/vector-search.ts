import { createBestOfGroups } from './best-of-groups.js';
import { blockRows, type Int8Blocks, mostQueries } from './int8-blocks.js';
import { quantizeQuery } from './quantize.js';
import { createScoreBounds, firstRows, type ScoreBounds } from './score-bounds.js';
import { checkK, createTopK } from './top-k.js';
import { checkVector, scoreOf, unitVector, type VectorOptions, type VectorResult } from './vectors.js';

export interface VectorSearchOptions extends VectorOptions {
  /** Hits with a lower score are left out; matched and range count them still. */
  readonly minScore?: number;
}

export interface VectorSearchResult extends VectorResult {
  /** How many scores were computed from float32 rows. */
  readonly rescored: number;
}

/** Rows as they stand at one moment. */
export interface VectorReader {
  readonly dimensions: number;
  /** Rows are below this; some may have no vector. */
  readonly rows: number;
  /** Rows with a vector. */
  readonly size: number;
  has(row: number): boolean;
  /** A copy of the vector at length 1, or 0; undefined where the row has none. */
  get(row: number): Float32Array | undefined;
  /**
   * The same as `searchVectors` over all rows. `allow` and `groups` go by row. RangeError as there, for a minScore that is
   * NaN, and where a float32 row is seen not to be the one that was added.
   */
  search(query: Float32Array, options: VectorSearchOptions): VectorSearchResult;
  /** `search` for each of the queries, reading the rows once for every 16 of them. */
  searchAll(queries: readonly Float32Array[], options: VectorSearchOptions): VectorSearchResult[];
  /** The scores of some rows, in the order asked; NaN where the row has no vector. */
  scores(query: Float32Array, rows: readonly number[]): Float64Array;
}

export interface RowsState {
  readonly dimensions: number;
  readonly stride: number;
  rows: number;
  size: number;
  /** By block, and row of the block: 0 where there is no vector. */
  readonly live: Uint8Array[];
  readonly int8: Int8Blocks;
  /** Unit rows; none where `vectors` gives them. */
  readonly floats: Float32Array[];
  readonly vectors: ((rows: readonly number[]) => readonly Float32Array[]) | undefined;
  id(row: number): string;
}

/** Bytes of rows that several queries take turns with, so that they stay in the cache. */
const turnBytes = 262_144;
/** Rows that are fetched at once. */
const fetchedRows = 1_024;

export function createReader(state: RowsState): VectorReader {
  const { dimensions } = state;

  function has(row: number): boolean {
    if (!Number.isSafeInteger(row) || row < 0 || row >= state.rows) return false;
    return state.live[Math.floor(row / blockRows)]![row % blockRows] !== 0;
  }

  function searchAll(queries: readonly Float32Array[], options: VectorSearchOptions): VectorSearchResult[] {
    checkK(options.k);
    const { minScore = -1 } = options;
    if (Number.isNaN(minScore)) throw new RangeError('minScore must be a number.');
    const units = queries.map((query) => unitQuery(query, dimensions));
    const results: VectorSearchResult[] = [];
    for (let from = 0; from < units.length; from += mostQueries) {
      const turn = units.slice(from, from + mostQueries);
      const wanted = { k: options.k, minScore, groups: options.groups };
      const quantized = turn.map(quantizeQuery);
      const bounds = quantized.map(() => createScoreBounds(wanted));
      quantized.forEach((query, slot) => {
        state.int8.setQuery(slot, query);
      });
      const matched = scan(state, bounds, options.allow);
      turn.forEach((unit, slot) => {
        results.push(rescore(state, unit, bounds[slot]!, matched, { ...options, minScore }));
      });
    }
    return results;
  }

  return {
    dimensions,
    rows: state.rows,
    size: state.size,
    has,
    get: (row) =>
      has(row) ? unitRows(state, [row], (matrix, offset) => matrix.slice(offset, offset + dimensions))[0] : undefined,
    search: (query, options) => searchAll([query], options)[0]!,
    searchAll,
    scores(query, rows) {
      const unit = unitQuery(query, dimensions);
      const scores = new Float64Array(rows.length).fill(Number.NaN);
      const known = rows.flatMap((row, at) => (has(row) ? [at] : []));
      const found = unitRows(
        state,
        known.map((at) => rows[at]!),
        (matrix, offset) => scoreOf(matrix, offset, unit),
      );
      known.forEach((at, next) => {
        scores[at] = found[next]!;
      });
      return scores;
    },
  };
}

function unitQuery(query: Float32Array, dimensions: number): Float32Array {
  checkVector(query, dimensions, 'The query vector');
  return unitVector(query);
}

/** Returns how many rows were in question: those that are there and allowed. */
function scan(state: RowsState, bounds: readonly ScoreBounds[], allow: Uint8Array | undefined): number {
  const turnRows = bounds.length === 1 ? blockRows : Math.max(1, Math.floor(turnBytes / state.stride));
  const both = new Uint8Array(blockRows);
  let matched = allow === undefined ? state.size : 0;
  for (let number = 0; number * blockRows < state.rows; number++) {
    const base = number * blockRows;
    const live = state.live[number]!;
    if (allow !== undefined) {
      const allowed = intersect(live, allow, base, both);
      matched += allowed;
      if (allowed === 0) continue;
    }
    const mask = allow !== undefined ? both : state.size < state.rows ? live : undefined;
    const count = Math.min(blockRows, state.rows - base);
    for (let from = 0, to = 0; from < count; from = to) {
      to = Math.min(count, from + (number === 0 ? Math.min(turnRows, firstRows + from) : turnRows));
      for (let slot = 0; slot < bounds.length; slot++) {
        const { top, least } = bounds[slot]!;
        const found = state.int8.scan(number, slot, { from, to, mask, top, least });
        if (found > 0) bounds[slot]!.offer(state.int8.found, found, base);
      }
    }
  }
  return matched;
}

/** Writes which rows of a block are there and allowed, 1 or 0, and returns how many. */
function intersect(live: Uint8Array, allow: Uint8Array, base: number, both: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < blockRows; at++) {
    const allowed = base + at < allow.length && allow[base + at] !== 0 && live[at] !== 0;
    both[at] = allowed ? 1 : 0;
    if (allowed) count++;
  }
  return count;
}

function rescore(
  state: RowsState,
  unit: Float32Array,
  bounds: ScoreBounds,
  matched: number,
  { k, groups, minScore }: VectorSearchOptions & { readonly minScore: number },
): VectorSearchResult {
  const id = (row: number) => state.id(row);
  const { rows, lowers, uppers } = bounds.candidates();
  const top = createTopK(k, id);
  const grouped = groups && createBestOfGroups(k, id, groups);
  let min = rows.length === 0 ? 0 : Number.POSITIVE_INFINITY;
  let max = rows.length === 0 ? 0 : Number.NEGATIVE_INFINITY;
  const scores = unitRows(state, rows, (matrix, offset) => scoreOf(matrix, offset, unit));
  for (let at = 0; at < rows.length; at++) {
    const score = scores[at]!;
    // Bounds may lie beyond 1 or -1, scores do not; a score that is no number lies nowhere.
    if (!(score >= Math.min(1, lowers[at]!) && score <= Math.max(-1, uppers[at]!)))
      throw new RangeError(`The vector of row ${rows[at]} ("${id(rows[at]!)}") is not the one that was added.`);
    if (score < min) min = score;
    if (score > max) max = score;
    if (score < minScore) continue;
    top.offer(rows[at]!, score);
    grouped?.offer(rows[at]!, score);
  }
  const groupHits = grouped?.ranked() ?? [];
  return { hits: top.ranked(), groupHits, matched, min, max, rescored: rows.length };
}

/** Calls with the place of each row's unit vector, which is there during the call only. */
function unitRows<T>(state: RowsState, rows: readonly number[], use: (matrix: Float32Array, offset: number) => T): T[] {
  const { dimensions, vectors, floats } = state;
  if (vectors === undefined)
    return rows.map((row) => use(floats[Math.floor(row / blockRows)]!, (row % blockRows) * dimensions));
  const results: T[] = [];
  for (let from = 0; from < rows.length; from += fetchedRows) {
    const wanted = rows.slice(from, from + fetchedRows);
    const fetched = vectors(wanted);
    if (fetched.length !== wanted.length)
      throw new RangeError(`Vectors of ${wanted.length} rows were asked for, ${fetched.length} came back.`);
    wanted.forEach((row, at) => {
      checkVector(fetched[at]!, dimensions, `The vector of row ${row}`);
      results.push(use(unitVector(fetched[at]!), 0));
    });
  }
  return results;
}
