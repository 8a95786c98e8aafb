import { resolve } from 'node:path';
import type Database from 'better-sqlite3';
import { SurmiseError } from '../core/errors.js';
import type { Json, ScoredList, Store, StoreInfo } from '../core/ports.js';
import { type Bm25Result, searchBm25 } from '../kernels/bm25.js';
import type { VectorResult } from '../kernels/vectors.js';
import { readCollections, removeCollection, type StoredCollection, writeCollection } from './collections.js';
import { connect } from './connection.js';
import { createRowFilter, type FilteredRows } from './filter-rows.js';
import { fromStoredHash } from './index-version.js';
import { readKeyedVectors } from './keyed-vectors.js';
import { writeLegBalance } from './leg-balance.js';
import type { CheckOptions, CheckReport, CompactReport } from './maintenance.js';
import { readChunks, readInfo } from './read.js';
import { type Snapshot, takeSnapshot } from './snapshot.js';
import { checkStoreOptions, type SqliteStoreOptions } from './store-options.js';
import { undetermined } from './stored.js';
import type { readVectors, StoredVectors } from './stored-vectors.js';
import { deleteDocuments } from './write.js';

/** How long a call waits for another process unless its options say otherwise. */
const defaultWaitMs = 60_000;
/** How many bytes of float32 vectors are kept unless its options say otherwise: 87,000 of 384 dimensions. */
const defaultFloatBytes = 134_217_728;

/** A store in a file, with what is to be done about the file. */
export interface SqliteStore extends Store {
  /** Collections that were set up, in order of name. */
  collections(): Promise<StoredCollection[]>;
  /** Adds a collection or replaces its settings. */
  saveCollection(name: string, settings: Json): Promise<void>;
  /** Forgets the settings; the documents are their caller's to remove. */
  dropCollection(name: string): Promise<void>;
  /** Reads everything and says what is damaged; with `repair`, removes or makes anew what is. */
  check(options?: CheckOptions): Promise<CheckReport>;
  /** Makes the file as small as can be; no byte of what was deleted is left in it. Nobody can write meanwhile. */
  compact(): Promise<CompactReport>;
}

/** What was read at one version of the index. */
interface State {
  readonly info: StoreInfo;
  /** Read when first asked for. */
  readonly snapshot: Snapshot;
  readonly filter: ReturnType<typeof createRowFilter>;
  vectors(read: typeof readVectors, dimensions: number): StoredVectors;
}

/**
 * A store in one SQLite file. Lexical searches read the postings of their terms only; vectors are loaded at the first
 * dense search: a byte and an eighth for each dimension, and float32 rows as long as they are no more than `floatBytes`.
 * A change by another process is seen by the next call. While another process writes, writing waits and reading does not.
 *
 * @throws SurmiseError `bad_argument`, `no_index`, `index_too_new`, `index_damaged`, `index_busy`, `storage_failed`
 */
export function openSqliteStore(options: SqliteStoreOptions): SqliteStore {
  checkStoreOptions(options);
  const { access = 'write', bm25, waitMs = defaultWaitMs, floatBytes = defaultFloatBytes } = options;
  // The working folder may change while it is open.
  const path = options.path === ':memory:' ? options.path : resolve(options.path);
  const connection = connect(path, access, waitMs);
  let current: State | undefined;

  const read = <T>(work: (now: State) => T): Promise<T> =>
    connection.read((database, version) => {
      if (current?.info.version !== version) current = readState(database, path, version, floatBytes);
      return work(current);
    });

  return {
    put: (records, { fingerprint } = {}) => connection.put(records, fingerprint),
    delete: (ids) => connection.write((database) => deleteDocuments(database, ids)),
    get: (ids, { vectors = false } = {}) => connection.read((database) => readChunks(database, ids, vectors)),
    vectors: (keys) => connection.read((database) => readKeyedVectors(database, keys)),
    async *documents() {
      const page = 'SELECT id, hash, collection FROM documents WHERE id > ? ORDER BY id LIMIT 1000';
      for (let after = ''; ; ) {
        const rows = await connection.read(
          (database) => database.prepare(page).all(after) as { id: string; hash: unknown; collection: string }[],
        );
        for (const { id, hash, collection } of rows)
          yield { id, hash: fromStoredHash(hash), ...(collection !== '' && { collection }) };
        const last = rows.at(-1);
        if (last === undefined) return;
        after = last.id;
      }
    },
    collections: () => connection.read(readCollections),
    saveCollection: (name, settings) => connection.write((database) => writeCollection(database, name, settings)),
    dropCollection: (name) => connection.write((database) => removeCollection(database, name)),
    check: async (options) => (await import('./maintenance.js')).checkFile(connection, options),
    compact: async () => (await import('./maintenance.js')).compactFile(connection),
    async analyze(texts) {
      const { questionTerms } = await import('./question-terms.js');
      const { languages } = await read(({ info }) => info);
      const count = await questionTerms(texts, languages);
      return read(({ snapshot }) => count(snapshot.postings));
    },
    match: (terms, { k, ids, perDocument, where }) =>
      read(({ snapshot, filter }) => {
        checkCount(k);
        for (const { term, weight } of terms)
          if (!(weight > 0 && weight < Number.POSITIVE_INFINITY))
            throw new SurmiseError('bad_argument', `The weight of "${term}" must be a finite number above 0.`);
        const source = snapshot.postings;
        const allow = allowedRows(snapshot, ids, where === undefined ? undefined : filter(where));
        const groups = perDocument ? { groups: snapshot.documents } : {};
        const parameters = bm25 ? { parameters: bm25 } : {};
        return toScoredList(searchBm25(source, terms, { k, ...parameters, ...groups, ...(allow && { allow }) }));
      }),
    async scoreText(terms, text) {
      const { scoreText } = await import('./score-text.js');
      return read(({ snapshot, info }) => {
        const language = Object.keys(info.languages)[0] ?? undetermined;
        return scoreText(snapshot.postings, terms, text, language, bm25);
      });
    },
    keepLegBalance: (balance) => connection.write((database) => writeLegBalance(database, balance)),
    async nearest(vector, { k, ids, perDocument, where }) {
      const { readVectors: readAll } = await import('./stored-vectors.js');
      return read(({ snapshot, info, filter, vectors }) => {
        checkCount(k);
        checkVector(vector, info);
        const allow = allowedRows(snapshot, ids, where === undefined ? undefined : filter(where));
        const groups = perDocument ? { groups: snapshot.documents } : {};
        return toScoredList(vectors(readAll, vector.length).search(vector, { k, ...groups, ...(allow && { allow }) }));
      });
    },
    count: (where) =>
      read(({ filter }) => {
        const { documents, chunks } = filter(where);
        return { documents, chunks };
      }),
    info: () => read(({ info }) => info),
    close: () => connection.close(),
  };
}

function readState(database: Database.Database, path: string, version: string, floatBytes: number): State {
  let snapshot: Snapshot | undefined;
  let filter: State['filter'] | undefined;
  let vectors: StoredVectors | undefined;
  const state: State = {
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
  };
  return state;
}

function checkCount(k: number): void {
  if (!Number.isSafeInteger(k) || k < 1)
    throw new SurmiseError('bad_argument', `"k" must be a whole number of 1 or more, not ${k}.`);
}

function checkVector(vector: Float32Array, { fingerprint }: StoreInfo): void {
  if (fingerprint !== undefined && vector.length !== fingerprint.dimensions)
    throw new SurmiseError(
      'bad_argument',
      `The vector has ${vector.length} dimensions, those in the index have ${fingerprint.dimensions}.`,
    );
  if (!vector.every(Number.isFinite))
    throw new SurmiseError('bad_argument', 'The vector holds a value that is not a finite number.');
}

/** By row of `chunks`: 1 where it may be found, of the given ids and of what the filter lets through; undefined for all. */
function allowedRows(
  { documents, rowsOf }: Snapshot,
  ids: readonly string[] | undefined,
  passing: FilteredRows | undefined,
): Uint8Array | undefined {
  if (ids === undefined) return passing?.allow;
  const allow = new Uint8Array(documents.of.length);
  for (const row of rowsOf(ids)) allow[row] = passing?.allow[row] ?? 1;
  return allow;
}

function toScoredList({ hits, groupHits, matched, min, max }: Bm25Result | VectorResult): ScoredList {
  const known = new Set(hits.map(({ row }) => row));
  const more = groupHits.filter(({ row }) => !known.has(row));
  const scored = (list: typeof hits) => list.map(({ id, score }) => ({ id, score }));
  return {
    hits: scored(hits),
    ...(more.length > 0 && { more: scored(more) }),
    matched,
    range: { min, max },
  };
}
