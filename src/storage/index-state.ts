import type Database from 'better-sqlite3';
import type { Requirement, StoreInfo } from '../core/ports.js';
import type { QuerySource } from '../kernels/bm25-query.js';
import { createRowFilter } from './filter-rows.js';
import type { operatorRows } from './operator-rows.js';
import { readInfo } from './read.js';
import { type Snapshot, takeSnapshot } from './snapshot.js';
import type { readVectors, StoredVectors } from './stored-vectors.js';

/** What was read at one version of the index. Parts are read when first asked for. */
export interface IndexState {
  readonly info: StoreInfo;
  readonly snapshot: Snapshot;
  readonly filter: ReturnType<typeof createRowFilter>;
  vectors(read: typeof readVectors, dimensions: number): StoredVectors;
  /** What prefixes and phrases are looked up in, and which rows fulfil a requirement. */
  operators(read: typeof operatorRows): OperatorRows;
}

export interface OperatorRows {
  readonly source: QuerySource;
  /** By row of `chunks`: 1 where the chunk fulfils it. */
  fulfilling(require: Requirement): Uint8Array;
}

/** What `read` of the connection gives is of one moment, so all parts are, as long as the version is the same. */
export function readState(database: Database.Database, path: string, version: string, floatBytes: number): IndexState {
  let snapshot: Snapshot | undefined;
  let filter: IndexState['filter'] | undefined;
  let vectors: StoredVectors | undefined;
  let operators: OperatorRows | undefined;
  const state: IndexState = {
    info: readInfo(database, path, version),
    get snapshot() {
      snapshot ??= takeSnapshot(database);
      return snapshot;
    },
    get filter() {
      filter ??= createRowFilter(database, state.snapshot.documents, state.snapshot.postings.lengths);
      return filter;
    },
    vectors(readAll, dimensions) {
      // Without a vector in the index a question may have any length.
      if (vectors?.dimensions !== dimensions)
        vectors = readAll(database, dimensions, (row) => state.snapshot.postings.id(row), floatBytes);
      return vectors;
    },
    operators(readRows) {
      operators ??= readRows(database, state.snapshot.postings);
      return operators;
    },
  };
  return state;
}
