import type Database from 'better-sqlite3';
import { chunkId, parseChunkId } from '../core/chunk-id.js';
import { SurmiseError } from '../core/errors.js';
import { describeFingerprint, fingerprintKey } from '../core/fingerprint.js';
import { indexText } from '../core/index-text.js';
import type { Chunk, Fingerprint } from '../core/ports.js';
import type { BesideVector, VectorsBeside } from '../core/vectors-beside.js';
import { fingerprintJson } from './check-records.js';
import type { Connection } from './connection.js';
import { toStoredHash } from './index-version.js';
import { readChunks } from './read.js';
import { storedFingerprint, storedVector } from './stored.js';
import { toBlob, toKey } from './vector-blob.js';

/** Chunks and UTF-16 units of a page. */
const pageChunks = 1_000;
const pageCharacters = 4_000_000;

/**
 * The table of vectors beside is there only while some are made, so it is no other format. Its rows go with their chunks
 * and move with them when `compact` renumbers. Equal texts are embedded once, so there are keys to look for.
 */
const makeTable = `
  CREATE TABLE IF NOT EXISTS vectors_beside (
    chunk INTEGER PRIMARY KEY REFERENCES chunks (row) ON DELETE CASCADE ON UPDATE CASCADE,
    value BLOB NOT NULL,
    key BLOB NOT NULL
  );
  CREATE INDEX IF NOT EXISTS vectors_beside_by_key ON vectors_beside (substr(key, 1, 4));
`;

/** See `VectorsBeside`; each call is one transaction. */
export function vectorsBeside(connection: Connection): VectorsBeside {
  const write = <T>(work: (database: Database.Database) => T) =>
    connection.write((database) => database.transaction(() => work(database)).immediate());
  return {
    info: () => connection.read(readBeside),
    begin: (fingerprint) => write((database) => begin(database, fingerprint)),
    missing: (after) => connection.read((database) => readMissing(database, after)),
    find: (keys) => connection.read((database) => findVectors(database, keys)),
    put: (fingerprint, vectors) => write((database) => putVectors(database, fingerprint, vectors)),
    swap: (fingerprint, without) => write((database) => swap(database, fingerprint, without)),
    drop: () => write(drop),
  };
}

function fingerprintBeside(database: Database.Database): Fingerprint | undefined {
  const json = database.prepare("SELECT value FROM meta WHERE key = 'fingerprint-beside'").pluck().get();
  return json === undefined ? undefined : storedFingerprint(String(json));
}

function readBeside(database: Database.Database): { fingerprint: Fingerprint; vectors: number } | undefined {
  const fingerprint = fingerprintBeside(database);
  if (fingerprint === undefined) return undefined;
  return { fingerprint, vectors: database.prepare('SELECT count(*) FROM vectors_beside').pluck().get() as number };
}

function begin(database: Database.Database, fingerprint: Fingerprint): void {
  const other = fingerprintBeside(database);
  if (other !== undefined && fingerprintKey(other) !== fingerprintKey(fingerprint)) drop(database);
  database.exec(makeTable);
  database
    .prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('fingerprint-beside', ?)")
    .run(fingerprintJson(fingerprint));
}

function drop(database: Database.Database): void {
  database.exec('DROP TABLE IF EXISTS vectors_beside');
  database.prepare("DELETE FROM meta WHERE key = 'fingerprint-beside'").run();
}

/** Another process may have begun with another embedder. */
function checkOwn(database: Database.Database, fingerprint: Fingerprint): void {
  const now = fingerprintBeside(database);
  if (now !== undefined && fingerprintKey(now) === fingerprintKey(fingerprint)) return;
  throw new SurmiseError(
    'index_busy',
    now === undefined
      ? 'Another process has ended the making of new vectors for this index.'
      : `Another process makes vectors of ${describeFingerprint(now)} for this index by now.`,
  );
}

function readMissing(database: Database.Database, after: number): { chunks: Chunk[]; last: number } {
  const rows = database
    .prepare(
      `SELECT c.row, d.id, c.ordinal, c."end" - c."start" FROM chunks c JOIN documents d ON d.row = c.document
       WHERE c.row > ? AND NOT EXISTS (SELECT 1 FROM vectors_beside b WHERE b.chunk = c.row)
       ORDER BY c.row LIMIT ?`,
    )
    .raw()
    .all(after, pageChunks) as [number, string, number, number][];
  let characters = 0;
  let end = 0;
  // One that is longer than a page is a page.
  while (end < rows.length && (end === 0 || characters + rows[end]![3] <= pageCharacters))
    characters += rows[end++]![3];
  const page = rows.slice(0, end);
  const ids = page.map(([, document, ordinal]) => chunkId(document, ordinal));
  return { chunks: readChunks(database, ids, false), last: page.at(-1)?.[0] ?? after };
}

function findVectors(database: Database.Database, keys: readonly string[]): Map<string, Float32Array> {
  const found = new Map<string, Float32Array>();
  const dimensions = fingerprintBeside(database)?.dimensions;
  if (dimensions === undefined) return found;
  const read = database
    .prepare('SELECT value FROM vectors_beside WHERE substr(key, 1, 4) = substr(@key, 1, 4) AND key = @key LIMIT 1')
    .pluck();
  for (const key of keys) {
    const value = read.get({ key: toKey(key) });
    if (value !== undefined) found.set(key, storedVector(value, dimensions));
  }
  return found;
}

function putVectors(database: Database.Database, fingerprint: Fingerprint, vectors: readonly BesideVector[]): void {
  checkOwn(database, fingerprint);
  const ids = vectors.map(({ id }) => id);
  const now = new Map(readChunks(database, ids, false).map((chunk) => [chunk.id, chunk]));
  const add = database.prepare(
    `INSERT OR IGNORE INTO vectors_beside (chunk, value, key)
     SELECT c.row, @value, @key FROM chunks c JOIN documents d ON d.row = c.document WHERE d.id = @document AND c.ordinal = @ordinal`,
  );
  for (const { id, text, vector, key } of vectors) {
    const chunk = now.get(id);
    if (chunk === undefined || indexText(chunk.title, chunk.heading, chunk.text, chunk.header) !== text) continue;
    add.run({ ...parseChunkId(id), value: toBlob(vector, fingerprint), key: toKey(key) });
  }
}

/** A document of which a chunk has no vector is marked, so that the next run does it again. */
function swap(database: Database.Database, fingerprint: Fingerprint, without: ReadonlySet<string>): boolean {
  checkOwn(database, fingerprint);
  const missing = database
    .prepare(
      `SELECT d.row, d.id, c.ordinal FROM chunks c JOIN documents d ON d.row = c.document
       WHERE NOT EXISTS (SELECT 1 FROM vectors_beside b WHERE b.chunk = c.row)`,
    )
    .raw()
    .all() as [number, string, number][];
  if (missing.some(([, document, ordinal]) => !without.has(chunkId(document, ordinal)))) return false;
  database.exec(`
    DELETE FROM vectors;
    INSERT INTO vectors (chunk, value, key) SELECT chunk, value, key FROM vectors_beside ORDER BY chunk;
    DELETE FROM meta WHERE key = 'leg-balance';
    INSERT OR REPLACE INTO meta (key, value) SELECT 'fingerprint', value FROM meta WHERE key = 'fingerprint-beside';
  `);
  drop(database);
  const mark = database.prepare('UPDATE documents SET hash = ? WHERE row = ?');
  for (const row of new Set(missing.map(([document]) => document))) mark.run(toStoredHash('incomplete:'), row);
  return true;
}
