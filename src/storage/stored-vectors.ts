import type Database from 'better-sqlite3';
import type { Groups } from '../kernels/best-of-groups.js';
import { createVectorRows } from '../kernels/vector-rows.js';
import type { VectorResult } from '../kernels/vectors.js';
import { corrupt, decoded, storedVector } from './stored.js';

export interface StoredVectorOptions {
  readonly k: number;
  /** By row of `chunks`, not 0 where the chunk may be found. */
  readonly allow?: Uint8Array | undefined;
  /** The document of each row of `chunks`: asks for the best chunk of each of the best k. */
  readonly groups?: Groups;
}

/** Rows of results are rows of `chunks`. */
export interface StoredVectors {
  readonly dimensions: number;
  search(vector: Float32Array, options: StoredVectorOptions): VectorResult;
}

/**
 * The vectors of one state of the file, for exact search. A vector takes its dimensions, rounded up to a multiple of 32,
 * and 17 bytes in memory; while all float32 rows take no more than `floatBytes`, these as well. Of larger indexes the
 * few that a search has to score exactly are read from the file, so it must be searched in a transaction of that state.
 *
 * Int8 rows are made here, at some 5 µs each, and not stored: they would take a quarter as much room on disk again.
 */
export function readVectors(
  database: Database.Database,
  dimensions: number,
  idOf: (row: number) => string,
  floatBytes: number,
): StoredVectors {
  const count = database.prepare('SELECT count(*) FROM vectors').pluck().get() as number;
  if (count === 0) return { dimensions, search: () => ({ hits: [], groupHits: [], matched: 0, min: 0, max: 0 }) };
  const chunkRows = new Uint32Array(count);
  const read = database.prepare('SELECT value FROM vectors WHERE chunk = ?').pluck();
  const inMemory = count * dimensions * Float32Array.BYTES_PER_ELEMENT <= floatBytes;
  const rows = createVectorRows(dimensions, {
    id: (row) => idOf(chunkRows[row]!),
    ...(!inMemory && {
      vectors: (wanted) => wanted.map((row) => storedVector(read.get(chunkRows[row]!), dimensions)),
    }),
  });
  let next = 0;
  const stored = database.prepare('SELECT chunk, value FROM vectors ORDER BY chunk').raw().iterate();
  for (const [chunk, value] of stored as Iterable<[number, Buffer]>) {
    if (next === count) throw corrupt('More vectors than were counted');
    rows.add(storedVector(value, dimensions));
    chunkRows[next++] = chunk;
  }
  if (next < count) throw corrupt('Fewer vectors than were counted');

  let documents: Groups | undefined;
  let groupOf = new Uint32Array(0);
  const toChunks = (list: VectorResult['hits']) => list.map((hit) => ({ ...hit, row: chunkRows[hit.row]! }));
  return {
    dimensions,
    search(vector, { k, allow, groups }) {
      if (groups !== undefined && groups !== documents) {
        groupOf = chunkRows.map((row) => groups.of[row]!);
        documents = groups;
      }
      const result = decoded('the vectors', () =>
        rows.search(vector, {
          k,
          ...(allow && { allow: marksOf(chunkRows, allow) }),
          ...(groups && { groups: { of: groupOf, count: groups.count } }),
        }),
      );
      return { ...result, hits: toChunks(result.hits), groupHits: toChunks(result.groupHits) };
    },
  };
}

function marksOf(chunkRows: Uint32Array, allow: Uint8Array): Uint8Array {
  const marks = new Uint8Array(chunkRows.length);
  for (let row = 0; row < chunkRows.length; row++) marks[row] = allow[chunkRows[row]!] ?? 0;
  return marks;
}
