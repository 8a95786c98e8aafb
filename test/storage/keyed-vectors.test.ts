import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { indexDocuments } from '../../src/core/indexing.js';
import { keyToBytes } from '../../src/storage/keyed-vectors.js';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';
import { embedder, library } from '../core/library.js';

const folder = mkdtempSync(join(tmpdir(), 'surmise-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function indexAt(path: string, prefix = '') {
  const store = openSqliteStore({ path });
  const documents = library.map((document) => ({ document: { ...document, id: prefix + document.id } }));
  const report = await indexDocuments({ store, embedder }, documents);
  await store.close();
  return report;
}

test('keys are found by their index, which holds no vector without a key', async () => {
  const path = join(folder, 'plan.db');
  await indexAt(path);
  const database = new Database(path);
  const plan = database.prepare(
    'EXPLAIN QUERY PLAN SELECT value FROM vectors WHERE substr(key, 1, 4) = substr(@key, 1, 4) AND key = @key ORDER BY chunk LIMIT 1',
  );
  expect(plan.all({ key: Buffer.from('00', 'hex') })).toEqual([
    expect.objectContaining({ detail: 'SEARCH vectors USING INDEX vectors_by_key (<expr>=?)' }),
  ]);
  expect(database.prepare('SELECT DISTINCT typeof(key), length(key) FROM vectors').raw().all()).toEqual([['blob', 16]]);
  database.close();
});

test('a stored vector that can not be read is embedded again', async () => {
  const path = join(folder, 'damaged.db');
  await indexAt(path);
  const database = new Database(path);
  database.exec("UPDATE vectors SET value = x'00' WHERE chunk = 3; UPDATE vectors SET value = 'text' WHERE chunk = 5");
  database.close();
  expect(await indexAt(path, 'moved-')).toMatchObject({ added: 8, embedded: 2, reused: 6 });
});

test('what another connection wrote is found', async () => {
  const path = join(folder, 'two.db');
  const store = openSqliteStore({ path });
  await indexAt(path);
  const documents = library.map((document) => ({ document: { ...document, id: `b-${document.id}` } }));
  expect(await indexDocuments({ store, embedder }, documents)).toMatchObject({ embedded: 0, reused: 8 });
  await store.close();
});

test('bytes of a key are those of hex digits, and of nothing else', () => {
  expect(keyToBytes('00fF')).toEqual(Buffer.from([0, 0xff]));
  // The low bytes of the last are those of the letters a and a.
  for (const key of ['', '0', '0g', 'ab cd', '00f', '\u0161\u0161', 'ab\u0161\u0161'])
    expect(keyToBytes(key)).toBeUndefined();
});
