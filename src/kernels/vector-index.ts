import { blockRows } from './int8-blocks.js';
import { damaged, type SavedChanges } from './vector-blocks.js';
import { createVectorRows, loadVectorRows, type VectorRows } from './vector-rows.js';
import type { VectorReader, VectorSearchResult } from './vector-search.js';
import { checkVector } from './vectors.js';

export interface VectorHit {
  readonly id: string;
  /** Cosine, -1 to 1. */
  readonly score: number;
}

export interface VectorIndexOptions {
  /**
   * Gives the vectors of ids as they were added, of whatever length, in the order asked. With it the index keeps int8
   * rows only and asks for those few vectors whose score has to be computed. Without it float32 rows are kept as well.
   */
  readonly vectors?: (ids: readonly string[]) => readonly Float32Array[];
  /** `surmise/int8-scan.wasm`, compiled, where the platform does not let it be compiled at run time; `false` for JavaScript. */
  readonly kernel?: object | false;
}

export interface NearestOptions {
  /** How many hits at most, a positive integer. */
  readonly k: number;
  /** Which ids may be found; sees each once. */
  readonly allow?: (id: string) => boolean;
  /** Hits with a lower score are left out; matched and range count them still. */
  readonly minScore?: number;
}

export interface NearestResult {
  /** Score descending, then id ascending by code units. */
  readonly hits: VectorHit[];
  /** Allowed ids. */
  readonly matched: number;
  /** Range of the scores of all allowed ids; 0 and 0 where there are none. */
  readonly min: number;
  readonly max: number;
  /** How many scores were computed from float32 rows. */
  readonly rescored: number;
}

/** An index as it stands, or as it stood when the snapshot was taken. */
export interface VectorIndexReader {
  readonly dimensions: number;
  readonly size: number;
  /** Exactly the best k by cosine. RangeError for a bad k, other dimensions or numbers that are not finite. */
  search(vector: Float32Array, options: NearestOptions): NearestResult;
  /** `search` for each of the vectors, reading the index once for every 16 of them. */
  searchAll(vectors: readonly Float32Array[], options: NearestOptions): NearestResult[];
}

export interface VectorIndex extends VectorIndexReader {
  /** Replaces the vector of that id. RangeError naming the id for a wrong length or a number that is not finite. */
  add(id: string, vector: Float32Array): void;
  /** False where there is no such id. */
  remove(id: string): boolean;
  has(id: string): boolean;
  /** A copy of the stored vector, which has length 1 or 0. */
  get(id: string): Float32Array | undefined;
  /** The score of each id, in the order asked; undefined where there is no such id. */
  scoreAgainst(vector: Float32Array, ids: readonly string[]): (number | undefined)[];
  /** Those of the ids that have no vector, in the order asked. */
  missing(ids: readonly string[]): string[];
  /** Removes all other ids; returns how many there were. */
  prune(keep: Iterable<string>): number;
  /** What is there now, whatever changes later. */
  snapshot(): VectorIndexReader;
  /** What changed since the last call, to be written at once; with `all`, everything. See `VectorRows.toBlocks`. */
  toBlocks(options?: { readonly all?: boolean }): SavedChanges;
}

/** Rows that may be without a vector before the index is written anew without them. */
const fewestDead = 4 * blockRows;
const idsName = (block: number) => `ids.${block}`;

/** Exact nearest neighbours by cosine similarity. RangeError unless dimensions are a whole number from 1 to 65,536. */
export function createVectorIndex(dimensions: number, options: VectorIndexOptions = {}): VectorIndex {
  const ids: string[] = [];
  return indexOf(createVectorRows(dimensions, rowOptions(ids, options)), ids, options);
}

/** What `toBlocks` wrote, by name. RangeError for parts that are missing or damaged; see `loadVectorRows`. */
export function loadVectorIndex(parts: ReadonlyMap<string, Uint8Array>, options: VectorIndexOptions = {}): VectorIndex {
  const ids: string[] = [];
  const rows = loadVectorRows(parts, rowOptions(ids, options));
  for (let block = 0; ids.length < rows.rows; block++) {
    const count = Math.min(blockRows, rows.rows - ids.length);
    ids.push(...decodeIds(parts.get(idsName(block)), idsName(block), count));
  }
  return indexOf(rows, ids, options);
}

function rowOptions(ids: readonly string[], { vectors, kernel }: VectorIndexOptions) {
  return {
    id: (row: number) => ids[row]!,
    ...(kernel !== undefined && { kernel }),
    ...(vectors && { vectors: (rows: readonly number[]) => vectors(rows.map((row) => ids[row]!)) }),
  };
}

function indexOf(firstRows: VectorRows, firstIds: string[], options: VectorIndexOptions): VectorIndex {
  let rows = firstRows;
  /** By row; of rows that are no longer there as well, for snapshots. */
  let ids = firstIds;
  const rowOf = new Map<string, number>();
  for (let row = 0; row < ids.length; row++) {
    if (!rows.has(row)) continue;
    if (rowOf.has(ids[row]!)) throw damaged(`the id "${ids[row]}" is there twice`);
    rowOf.set(ids[row]!, row);
  }
  const removed = (): void => {
    const dead = rows.rows - rows.size;
    if (dead < fewestDead || dead < rows.size) return;
    const old = ids;
    const made: string[] = [];
    const { rows: compact, from } = rows.compacted(rowOptions(made, options));
    for (const row of from) made.push(old[row]!);
    rows = compact;
    ids = made;
    made.forEach((id, row) => {
      rowOf.set(id, row);
    });
  };
  const remove = (id: string): boolean => {
    const row = rowOf.get(id);
    if (row === undefined) return false;
    rows.remove(row);
    rowOf.delete(id);
    return true;
  };

  return {
    ...readerOf(rows, ids),
    get size() {
      return rows.size;
    },
    // The rows and ids of now, which compaction replaces.
    search: (vector, wanted) => readerOf(rows, ids).search(vector, wanted),
    searchAll: (vectors, wanted) => readerOf(rows, ids).searchAll(vectors, wanted),
    add(id, vector) {
      checkVector(vector, rows.dimensions, `The vector of "${id}"`);
      const known = rowOf.get(id);
      const row = rows.add(vector);
      ids[row] = id;
      rowOf.set(id, row);
      if (known === undefined) return;
      rows.remove(known);
      removed();
    },
    remove(id) {
      const was = remove(id);
      if (was) removed();
      return was;
    },
    has: (id) => rowOf.has(id),
    get: (id) => rows.get(rowOf.get(id) ?? -1),
    scoreAgainst(vector, wanted) {
      const scores = rows.scores(
        vector,
        wanted.map((id) => rowOf.get(id) ?? -1),
      );
      return Array.from(scores, (score) => (Number.isNaN(score) ? undefined : score));
    },
    missing: (wanted) => wanted.filter((id) => !rowOf.has(id)),
    prune(keep) {
      const kept = new Set(keep);
      const others = [...rowOf.keys()].filter((id) => !kept.has(id));
      others.forEach(remove);
      removed();
      return others.length;
    },
    snapshot: () => readerOf(rows.snapshot(), ids),
    toBlocks(wanted) {
      const { write, remove: gone } = rows.toBlocks(wanted);
      // Ids change with the rows of their block.
      for (const name of [...write.keys()]) {
        const block = blockOf(name);
        if (block !== undefined) write.set(idsName(block), encodeIds(ids, block));
      }
      const goneIds = gone.flatMap((name) => blockOf(name) ?? []).map(idsName);
      return { write, remove: [...gone, ...goneIds] };
    },
  };
}

function readerOf(rows: VectorReader, ids: readonly string[]): VectorIndexReader {
  const byRow = ({ k, allow, minScore }: NearestOptions) => ({
    k,
    ...(minScore !== undefined && { minScore }),
    ...(allow && {
      allow: Uint8Array.from({ length: rows.rows }, (_, row) => (rows.has(row) && allow(ids[row]!) ? 1 : 0)),
    }),
  });
  return {
    dimensions: rows.dimensions,
    size: rows.size,
    search: (vector, options) => byId(rows.search(vector, byRow(options))),
    searchAll: (vectors, options) => rows.searchAll(vectors, byRow(options)).map(byId),
  };
}

function byId({ hits, matched, min, max, rescored }: VectorSearchResult): NearestResult {
  return { hits: hits.map(({ id, score }) => ({ id, score })), matched, min, max, rescored };
}

function blockOf(rowsPart: string): number | undefined {
  const number = /^rows\.(\d+)$/.exec(rowsPart)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** A JSON list, which keeps strings of any code units. */
function encodeIds(ids: readonly string[], block: number): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(ids.slice(block * blockRows, (block + 1) * blockRows)));
}

function decodeIds(bytes: Uint8Array | undefined, name: string, count: number): string[] {
  let list: unknown;
  try {
    list = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // Told below.
  }
  if (!Array.isArray(list) || list.length !== count || list.some((id) => typeof id !== 'string'))
    throw damaged(`the part "${name}" is missing or holds other than ${count} ids`);
  return list;
}
