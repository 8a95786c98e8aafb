import { resolve } from 'node:path';
import type { Json, Store } from '../core/ports.js';
import type { VectorsBeside } from '../core/vectors-beside.js';
import { readCollections, removeCollection, type StoredCollection, writeCollection } from './collections.js';
import { type CompactReport, compactFile } from './compact-file.js';
import { connect } from './connection.js';
import { deleteDocuments } from './delete-documents.js';
import { type IndexState, readState } from './index-state.js';
import { fromStoredHash } from './index-version.js';
import { readKeyedVectors } from './keyed-vectors.js';
import { writeLegBalance } from './leg-balance.js';
import type { CheckOptions, CheckReport } from './maintenance.js';
import { explainTerms, loadOperators, matchTerms, nearestTo } from './ranked-lists.js';
import { readChunks } from './read.js';
import { addSpending, readSpending, type Spending } from './spending.js';
import { checkStoreOptions, type SqliteStoreOptions } from './store-options.js';
import { undetermined } from './stored.js';
import { countVectors, type VectorCounts } from './vector-counts.js';

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
  /** How many chunks have their vector, and how many wait for one. */
  vectorCounts(): Promise<VectorCounts>;
  /** What embedders were asked for this index, for people. */
  spending(): Promise<Spending[]>;
  addSpending(more: Spending): Promise<void>;
  readonly beside: VectorsBeside;
  /** Reads everything and says what is damaged; with `repair`, removes or makes anew what is. */
  check(options?: CheckOptions): Promise<CheckReport>;
  /** Makes the file as small as can be; no byte of what was deleted is left in it. Nobody can write meanwhile. */
  compact(): Promise<CompactReport>;
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
  let current: IndexState | undefined;

  const read = <T>(work: (now: IndexState) => T): Promise<T> =>
    connection.read((database, version) => {
      if (current?.info.version !== version) current = readState(database, path, version, floatBytes);
      return work(current);
    });

  // Hardly ever wanted, and who searches loads few files.
  const beside = async () => (await import('./beside.js')).vectorsBeside(connection);

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
    vectorCounts: () => connection.read(countVectors),
    spending: () => connection.read(readSpending),
    addSpending: (more) =>
      connection.write((database) => database.transaction(() => addSpending(database, more)).immediate()),
    beside: {
      info: async () => (await beside()).info(),
      begin: async (fingerprint) => (await beside()).begin(fingerprint),
      missing: async (after) => (await beside()).missing(after),
      find: async (keys) => (await beside()).find(keys),
      put: async (fingerprint, vectors) => (await beside()).put(fingerprint, vectors),
      swap: async (fingerprint, without) => (await beside()).swap(fingerprint, without),
      drop: async () => (await beside()).drop(),
    },
    check: async (options) => (await import('./maintenance.js')).checkFile(connection, options),
    compact: () => compactFile(connection),
    async analyze(texts) {
      const { questionTerms } = await import('./question-terms.js');
      const { languages } = await read(({ info }) => info);
      const count = await questionTerms(texts, languages);
      return read(({ snapshot }) => count(snapshot.postings));
    },
    async parse(question) {
      const { languages } = await read(({ info }) => info);
      const { parseQuestion } = await import('./parse-question.js');
      const parse = await parseQuestion(question, languages);
      return read(parse);
    },
    async match(terms, options) {
      const operators = await loadOperators(options);
      return read((now) => matchTerms(now, terms, options, operators, bm25));
    },
    async explainMatch(terms, ids, options = {}) {
      const operators = await loadOperators({ k: 1, ...options });
      return read((now) => explainTerms(now, terms, ids, options, operators, bm25));
    },
    async scoreText(terms, text) {
      const { scoreText } = await import('./score-text.js');
      return read(({ snapshot, info }) => {
        const language = Object.keys(info.languages)[0] ?? undetermined;
        return scoreText(snapshot.postings, terms, text, language, bm25);
      });
    },
    keepLegBalance: (balance) => connection.write((database) => writeLegBalance(database, balance)),
    async nearest(vector, options) {
      const [operators, vectors] = await Promise.all([loadOperators(options), import('./stored-vectors.js')]);
      return read((now) => nearestTo(now, vector, options, operators, vectors));
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
