import type Database from 'better-sqlite3';
import { moveTo3 } from './migrate-3.js';

/** "Surm" in ASCII: says that an SQLite file is a Surmise index. */
export const applicationId = 0x5375726d;

/** Rows of a kilobyte, as vectors are, waste a fifth of small pages; pages above this make each small change larger. */
export const pageSize = 32_768;

/**
 * One entry per version of the file, applied in order; `user_version` counts them. An entry never changes once released.
 *
 * Rows of `chunks` only grow (but for `compact`, which renumbers them together with their postings), so a posting's row
 * never comes to mean another chunk; postings of removed chunks are passed over until their segment is merged. A segment
 * holds the postings of one write; rows in a segment are above those of the segments before it.
 */
const migrations: readonly (string | ((database: Database.Database) => void))[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE documents (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    path TEXT NOT NULL,
    title TEXT NOT NULL,
    language TEXT NOT NULL,
    hash TEXT NOT NULL,
    metadata TEXT NOT NULL,
    characters INTEGER NOT NULL,
    text TEXT NOT NULL
  );
  CREATE TABLE chunks (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL REFERENCES documents (row) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    "start" INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    heading TEXT NOT NULL,
    length INTEGER NOT NULL,
    UNIQUE (document, ordinal)
  );
  CREATE TABLE vectors (
    chunk INTEGER PRIMARY KEY REFERENCES chunks (row) ON DELETE CASCADE,
    value BLOB NOT NULL
  );
  CREATE TABLE segments (id INTEGER PRIMARY KEY, tier INTEGER NOT NULL);
  CREATE TABLE postings (
    term TEXT NOT NULL,
    segment INTEGER NOT NULL REFERENCES segments (id),
    data BLOB NOT NULL,
    PRIMARY KEY (term, segment)
  ) WITHOUT ROWID;
  `,
  `
  ALTER TABLE vectors ADD COLUMN key BLOB;
  CREATE INDEX vectors_by_key ON vectors (key) WHERE key IS NOT NULL;
  `,
  moveTo3,
  // The same tables. Vectors may be packed and texts deflated, which versions before this one do not read.
  '',
];

export const schemaVersion = migrations.length;

/**
 * With `vectors_by_key` it has all vectors, so that they are counted without reading them. Versions before this one keep
 * it up to date when it is there, so it is no other format.
 */
export const countIndex = 'CREATE INDEX IF NOT EXISTS vectors_without_key ON vectors (chunk) WHERE key IS NULL';

/** Brings the file to this version in one transaction; two processes that start at once do it once. */
export function migrate(database: Database.Database): void {
  // Tables that others refer to are made anew; what refers to them keeps its rows.
  database.pragma('foreign_keys = OFF');
  database
    .transaction(() => {
      const version = database.pragma('user_version', { simple: true }) as number;
      for (const migration of migrations.slice(version))
        if (typeof migration === 'string') database.exec(migration);
        else migration(database);
      database.pragma(`user_version = ${schemaVersion}`);
      database.pragma(`application_id = ${applicationId}`);
    })
    .immediate();
  database.pragma('foreign_keys = ON');
}
