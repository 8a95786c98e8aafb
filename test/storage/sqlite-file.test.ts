import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, test } from 'vitest';
import { schemaVersion } from '../../src/storage/schema.js';
import { asSurmiseError } from '../../src/storage/sqlite-errors.js';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';
import { contractFingerprint, recordOf } from '../contract/store-fixtures.js';

const folder = mkdtempSync(join(tmpdir(), 'surmise-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const newPath = () => join(folder, `${files++}.db`);
const boat = [{ term: 'boat', weight: 1 }];

async function filled(path = newPath()): Promise<string> {
  const store = openSqliteStore({ path });
  await store.put([recordOf('a', 'boat and oar', [1, 0, 0]), recordOf('b', 'boat', [0, 1, 0])], {
    fingerprint: contractFingerprint,
  });
  await store.close();
  return path;
}

function change(path: string, sql: string): void {
  const database = new Database(path);
  database.exec(sql);
  database.close();
}

const failure = (code: string, path: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(path) });

test('reopened, for reading or writing, it is what it was', async () => {
  const path = newPath();
  const first = openSqliteStore({ path });
  const records = [recordOf('a', 'boat and oar', [1, 0, 0]), recordOf('b', 'boat', [0, 1, 0])];
  await first.put(records, { fingerprint: contractFingerprint });
  const all = async (store: typeof first) => [
    await store.match(boat, { k: 9 }),
    await store.nearest(Float32Array.of(1, 2, 3), { k: 9 }),
    await store.get(['a#0', 'b#0'], { vectors: true }),
    { ...(await store.info()), bytes: 0, version: '' },
  ];
  const expected = await all(first);
  await first.close();
  for (const access of ['read', 'write', 'read'] as const) {
    const again = openSqliteStore({ path, access });
    expect(await all(again)).toEqual(expected);
    await again.close();
  }
});

test('what another connection writes is seen by the next call', async () => {
  const path = await filled();
  const [writer, other, reader] = [
    openSqliteStore({ path }),
    openSqliteStore({ path }),
    openSqliteStore({ path, access: 'read' }),
  ];
  const seen = async (store: typeof writer) => [
    (await store.match(boat, { k: 9 })).hits.map(({ id }) => id),
    (await store.nearest(Float32Array.of(0, 1, 0), { k: 1 })).hits[0]?.id,
    (await store.info()).documents,
    (await store.analyze(['boat']))[0]![0]!.chunks,
  ];
  for (const store of [other, reader]) expect(await seen(store)).toEqual([['b#0', 'a#0'], 'b#0', 2, 2]);
  await writer.put([recordOf('c', 'boat', [0, 5, 0.1])], { fingerprint: contractFingerprint });
  await writer.delete(['b']);
  for (const store of [other, reader]) expect(await seen(store)).toEqual([['c#0', 'a#0'], 'c#0', 2, 2]);
  await other.put([recordOf('b', 'boat', [0, 1, 0])], { fingerprint: contractFingerprint });
  for (const store of [writer, reader]) expect(await seen(store)).toEqual([['b#0', 'c#0', 'a#0'], 'b#0', 3, 3]);
  await Promise.all([writer.close(), other.close(), reader.close()]);
});

test('the version changes with what another connection writes, and with nothing else', async () => {
  const path = await filled();
  const [writer, reader] = [openSqliteStore({ path }), openSqliteStore({ path, access: 'read' })];
  const version = async () => (await reader.info()).version;
  const versions = [await version()];
  for (const write of [() => writer.put([recordOf('c', 'boat')]), () => writer.delete(['c']), () => writer.compact()]) {
    expect(await version()).toBe(versions.at(-1));
    await write();
    versions.push(await version());
  }
  expect(new Set(versions).size).toBe(4);
  await writer.check();
  expect(await version()).toBe(versions.at(-1));
  await Promise.all([writer.close(), reader.close()]);
});

test('a write that is not finished is not seen', async () => {
  const path = await filled();
  const reader = openSqliteStore({ path, access: 'read' });
  const writer = new Database(path);
  writer.pragma('foreign_keys = ON');
  writer.exec("BEGIN IMMEDIATE; DELETE FROM documents WHERE id = 'a'");
  expect((await reader.match(boat, { k: 9 })).hits).toHaveLength(2);
  writer.exec('COMMIT');
  expect((await reader.match(boat, { k: 9 })).hits).toHaveLength(1);
  writer.close();
  await reader.close();
});

describe('opening', () => {
  test('for reading: where nothing is, or an empty file', async () => {
    const path = newPath();
    expect(() => openSqliteStore({ path, access: 'read' })).toThrow(failure('no_index', path));
    writeFileSync(path, '');
    expect(() => openSqliteStore({ path, access: 'read' })).toThrow(failure('no_index', path));
    expect(readFileSync(path)).toHaveLength(0);
    await filled(path);
    openSqliteStore({ path, access: 'read' }).close();
  });

  test('an index of a newer version is left alone', async () => {
    const path = await filled();
    change(path, `PRAGMA user_version = ${schemaVersion + 1}`);
    const before = readFileSync(path);
    for (const access of ['read', 'write'] as const)
      expect(() => openSqliteStore({ path, access })).toThrow(failure('index_too_new', path));
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('what is no index is left alone', () => {
    const text = newPath();
    writeFileSync(text, 'Dear diary, today the boat leaked again. '.repeat(100));
    const foreign = newPath();
    change(foreign, 'CREATE TABLE songs (title TEXT); INSERT INTO songs VALUES (1)');
    for (const path of [text, foreign])
      for (const access of ['read', 'write'] as const) {
        const before = readFileSync(path);
        expect(() => openSqliteStore({ path, access })).toThrow(failure('index_damaged', path));
        expect(readFileSync(path).equals(before)).toBe(true);
      }
  });

  test('a folder, or a place below a file', () => {
    const place = newPath();
    mkdirSync(place);
    expect(() => openSqliteStore({ path: place })).toThrow(failure('storage_failed', place));
    const file = newPath();
    writeFileSync(file, 'x');
    const below = join(file, 'index.db');
    expect(() => openSqliteStore({ path: below })).toThrow(failure('storage_failed', below));
  });
});

test('a damaged index says so, when it is opened or when it is asked', async () => {
  const path = await filled();
  const bytes = readFileSync(path);
  for (const damaged of [bytes.subarray(0, 4_096 + 100), Buffer.from(bytes).fill(0xa5, 4_096)]) {
    writeFileSync(path, damaged);
    const ask = async () => {
      const store = openSqliteStore({ path, access: 'read' });
      try {
        await store.info();
        await store.match(boat, { k: 9 });
        await store.get(['a#0']);
      } finally {
        await store.close();
      }
    };
    await expect(ask()).rejects.toEqual(failure('index_damaged', path));
  }
});

test('opened for reading it can not be written', async () => {
  const path = await filled();
  const store = openSqliteStore({ path, access: 'read' });
  await expect(store.put([recordOf('c', 'oar')])).rejects.toMatchObject({ code: 'bad_argument' });
  await expect(store.delete(['a'])).rejects.toMatchObject({ code: 'bad_argument' });
  expect(await store.info()).toMatchObject({ documents: 2 });
  await store.close();
});

test.each([
  ['SQLITE_BUSY', 'index_busy', true],
  ['SQLITE_BUSY_SNAPSHOT', 'index_busy', true],
  ['SQLITE_FULL', 'storage_failed', false],
  ['SQLITE_READONLY_DBMOVED', 'storage_failed', false],
  ['SQLITE_CORRUPT_VTAB', 'index_damaged', false],
  ['SQLITE_NOMEM', 'index_damaged', false],
  ['SQLITE_CONSTRAINT_UNIQUE', 'internal', false],
])('%s is %s for a user', (sqlite, code, retryable) => {
  const cause = new Database.SqliteError('near "SELEKT": syntax error', sqlite);
  const error = asSurmiseError(cause, '/x/index.db');
  expect(error).toMatchObject({ code, retryable, cause, message: expect.stringContaining('/x/index.db') });
  expect(error).not.toMatchObject({ message: expect.stringMatching(/SQLITE|SELEKT/) });
});

test('a phrase that is in too many chunks asks for each of its words once, however often it says them', async () => {
  const store = openSqliteStore({ path: ':memory:' });
  await store.put(Array.from({ length: 5_001 }, (_, at) => recordOf(`${at}`, 'boat oar')));
  const { require, notes } = await store.parse!(`"${'boat oar '.repeat(1_000)}"`);
  expect(require!.must).toEqual([[{ sequence: ['boat'] }], [{ sequence: ['oar'] }]]);
  expect(notes).toHaveLength(1);
  await store.close();
});
