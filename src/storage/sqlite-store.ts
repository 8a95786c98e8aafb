import { type ScoredList, type Store, type StoreInfo, SurmiseError } from '../core/index.js';
import {
  analyzeQuery,
  type Bm25Result,
  detectLanguage,
  type PostingsSource,
  type QueryTerm,
  searchBm25,
  searchVectors,
  type VectorResult,
} from '../kernels/index.js';
import { createRowFilter, type FilteredRows } from './filter-rows.js';
import { fromStoredHash } from './index-version.js';
import { readKeyedVectors } from './keyed-vectors.js';
import { undetermined } from './language.js';
import { openDatabase } from './open.js';
import { readChunks, readInfo } from './read.js';
import { type Snapshot, takeSnapshot } from './snapshot.js';
import { guarded } from './sqlite-errors.js';
import { checkStoreOptions, type SqliteStoreOptions } from './store-options.js';
import { deleteDocuments, putDocuments } from './write.js';

/** A question is analysed in so many languages of the index, those with most chunks first. */
const maxLanguages = 6;
/** UTF-16 units from which a text is taken to be a passage that shows its language. */
const passageLength = 200;

/**
 * A store in one SQLite file. Lexical searches read the postings of their terms only; vectors are loaded at the first
 * dense search. A change by another process is seen by the next call.
 *
 * @throws SurmiseError `bad_argument`, `no_index`, `index_too_new`, `index_damaged`, `index_busy`, `storage_failed`
 */
export function openSqliteStore(options: SqliteStoreOptions): Store {
  checkStoreOptions(options);
  const { path, access = 'write', bm25 } = options;
  const database = openDatabase(path, access);
  let current:
    | {
        readonly version: number;
        readonly snapshot: Snapshot;
        readonly info: StoreInfo;
        readonly filter: ReturnType<typeof createRowFilter>;
      }
    | undefined;

  const state = () => {
    const version = database.pragma('data_version', { simple: true }) as number;
    if (current?.version !== version) {
      const snapshot = takeSnapshot(database);
      const filter = createRowFilter(database, snapshot.documents, snapshot.postings.lengths);
      current = { version, snapshot, info: readInfo(database, path), filter };
    }
    return current;
  };
  const write = <T>(work: () => T): T => {
    if (access === 'read') throw new SurmiseError('bad_argument', `The index ${path} was opened for reading only.`);
    try {
      return work();
    } finally {
      current = undefined;
    }
  };
  const run = <T>(work: () => T): T => {
    if (!database.open) throw new SurmiseError('bad_argument', `The index ${path} has been closed.`);
    return guarded(path, work);
  };
  /** Everything that one call reads is of one moment, also what the snapshot reads only when it is asked. */
  const read = async <T>(work: (now: ReturnType<typeof state>) => T): Promise<T> =>
    run(() => database.transaction(() => work(state()))());

  return {
    put: async (records, { fingerprint } = {}) => run(() => write(() => putDocuments(database, records, fingerprint))),
    delete: async (ids) => run(() => write(() => deleteDocuments(database, ids))),
    get: async (ids, { vectors = false } = {}) =>
      run(() => database.transaction(() => readChunks(database, ids, vectors))()),
    vectors: async (keys) => run(() => database.transaction(() => readKeyedVectors(database, keys))()),
    async *documents() {
      const page = run(() => database.prepare('SELECT id, hash FROM documents WHERE id > ? ORDER BY id LIMIT 1000'));
      for (let after = ''; ; ) {
        const rows = run(() => page.all(after)) as { id: string; hash: string }[];
        for (const { id, hash } of rows) yield { id, hash: fromStoredHash(hash) };
        const last = rows.at(-1);
        if (last === undefined) return;
        after = last.id;
      }
    },
    analyze: (texts) =>
      read(({ snapshot, info }) =>
        texts.map((text) =>
          countAcross(text, languagesFor(text, info), snapshot.postings).map(({ term, weight }) => ({
            term,
            weight,
            chunks: snapshot.postings.postings(term)?.rows.length ?? 0,
          })),
        ),
      ),
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
    nearest: (vector, { k, ids, perDocument, where }) =>
      read(({ snapshot, info, filter }) => {
        checkCount(k);
        checkVector(vector, info);
        const source = snapshot.vectors(vector.length);
        const rows = allowedRows(snapshot, ids, where === undefined ? undefined : filter(where));
        const allow = rows && Uint8Array.from(source.chunkRows, (row) => rows[row]!);
        const { of, count } = snapshot.documents;
        const groups = perDocument ? { groups: { of: source.chunkRows.map((row) => of[row]!), count } } : {};
        return toScoredList(searchVectors(source, vector, { k, ...groups, ...(allow && { allow }) }));
      }),
    count: (where) =>
      read(({ filter }) => {
        const { documents, chunks } = filter(where);
        return { documents, chunks };
      }),
    info: () => read(({ info }) => info),
    close: async () => {
      database.close();
    },
  };
}

/** What each term of a text counts in a search of these languages. */
function countAcross(text: string, languages: readonly string[], { size, postings }: PostingsSource): QueryTerm[] {
  const frequency = (term: string) => postings(term)?.rows.length ?? 0;
  return analyzeQuery(text, languages.length > 0 ? languages : [undetermined], { size, frequency });
}

/**
 * The languages in which a text is analysed: a passage in its own, where the index holds it, since the stems of others
 * would only thin it out; a question, which is too short to show one, in those of the index.
 */
function languagesFor(text: string, { languages }: StoreInfo): string[] {
  const own = text.length < passageLength ? undefined : detectLanguage(text);
  return own !== undefined && languages[own] !== undefined ? [own] : Object.keys(languages).slice(0, maxLanguages);
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
