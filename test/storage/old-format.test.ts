import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { indexDocuments } from '../../src/core/indexing.js';
import { applicationId, schemaVersion } from '../../src/storage/schema.js';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';
import { embedder, library } from '../core/library.js';

const folder = mkdtempSync(join(tmpdir(), 'surmise-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The tables as version 1 had them. */
const version1 = `
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
  PRAGMA user_version = 1;
  PRAGMA application_id = ${applicationId};
`;

/** A file of version 1 that holds what a current one holds. */
async function oldIndex(path: string): Promise<void> {
  const current = `${path}.new`;
  const store = openSqliteStore({ path: current });
  await indexDocuments(
    { store, embedder },
    library.map((document) => ({ document })),
  );
  await store.close();
  const database = new Database(path);
  database.exec(version1);
  database.prepare('ATTACH ? AS current').run(current);
  for (const table of ['meta', 'documents', 'chunks', 'segments', 'postings'])
    database.exec(`INSERT INTO ${table} SELECT * FROM current.${table}`);
  database.exec('INSERT INTO vectors SELECT chunk, value FROM current.vectors');
  database.close();
}

test('an index of version 1 is brought up to date by the next writer and finds what it found', async () => {
  const path = join(folder, 'old.db');
  await oldIndex(path);
  expect(() => openSqliteStore({ path, access: 'read' })).toThrow(/old format.*surmise index/);
  const [now, then] = [openSqliteStore({ path }), openSqliteStore({ path: `${path}.new` })];
  const found = async (store: typeof now) => [
    await store.match([{ term: 'bee', weight: 1 }], { k: 9 }),
    await store.nearest((await embedder.embed(['bees'], { role: 'query' }))[0]!, { k: 9 }),
    await store.get(['bees#0'], { vectors: true }),
    { ...(await store.info()), bytes: 0, location: '' },
  ];
  expect(await found(now)).toEqual(await found(then));
  await now.close();
  await then.close();
  const database = new Database(path);
  expect(database.pragma('user_version', { simple: true })).toBe(schemaVersion);
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
  database.close();
});

test('vectors of version 1 have no key: they stay, and what is written from now on is found by its text', async () => {
  const path = join(folder, 'keys.db');
  await oldIndex(path);
  const store = openSqliteStore({ path });
  const index = async (id: string) => {
    const moved = library.map((document) => (document.id === 'bees' ? { ...document, id } : document));
    return indexDocuments(
      { store, embedder },
      moved.map((document) => ({ document })),
    );
  };
  expect(await index('bees')).toMatchObject({ unchanged: 8, embedded: 0 });
  expect(await index('hive')).toMatchObject({ added: 1, embedded: 1, reused: 0 });
  expect(await index('swarm')).toMatchObject({ added: 1, embedded: 0, reused: 1 });
  await store.close();
});
