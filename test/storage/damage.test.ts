import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Store } from '../../src/core/ports.js';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';
import { contractFingerprint, match, put, recordOf } from '../contract/store-fixtures.js';

const folder = mkdtempSync(join(tmpdir(), 'surmise-'));
const whole = join(folder, 'whole.db');
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(async () => {
  const store = openSqliteStore({ path: whole });
  await put(store, recordOf('a', 'boat and oar', [1, 0, 0]));
  await put(store, recordOf('b', 'boat', [0, 1, 0]));
  await store.close();
});

const lexical = (store: Store) => match(store, 'boat');
const dense = (store: Store) => store.nearest(Float32Array.of(1, 0, 0), { k: 1 });
const get = (store: Store) => store.get(['a#0', 'b#0']);
const getVectors = (store: Store) => store.get(['a#0', 'b#0'], { vectors: true });
const write = async (store: Store) => {
  for (let n = 0; n < 8; n++) await store.put([recordOf(`new ${n}`, 'boat')]);
};

const damages: readonly (readonly [sql: string, asks: Record<string, (store: Store) => Promise<unknown>>])[] = [
  ["UPDATE postings SET data = x'ff'", { lexical, write }],
  ["UPDATE postings SET data = 'text'", { lexical }],
  ["UPDATE postings SET data = x''", { lexical, write }],
  ['UPDATE postings SET data = (SELECT data FROM postings WHERE segment = 1)', { lexical, write }],
  ["UPDATE vectors SET value = x'0000803f'", { dense, getVectors }],
  ["UPDATE vectors SET value = x'00000000ff'", { dense, getVectors }],
  ["UPDATE vectors SET value = x'0000c07f0000c07f0000c07f'", { dense, getVectors }],
  ["UPDATE meta SET value = '{'", { lexical, dense, getVectors }],
  [`UPDATE meta SET value = '{"dimensions":3}'`, { lexical, dense }],
  ['UPDATE chunks SET heading = 1', { get }],
  ['UPDATE chunks SET header = 0', { get }],
  ['UPDATE chunks SET "end" = 99', { get }],
  ['UPDATE documents SET characters = characters - 1', { get }],
  ['UPDATE documents SET outline = 1', { get }],
  ["UPDATE texts SET data = 'text'", { get }],
  ["UPDATE texts SET data = x'ff'", { get }],
  ['UPDATE texts SET "start" = 1', { get }],
  ['UPDATE texts SET data = substr(data, 1, length(data) - 2)', { get }],
  ["UPDATE texts SET data = CAST(x'01010101' || substr(data, 5) AS BLOB)", { get }],
  ['DELETE FROM texts', { get }],
  ['UPDATE chunks SET length = -1', { lexical }],
  ['UPDATE chunks SET row = 1 << 40 WHERE row = 2', { lexical }],
  ['DELETE FROM documents', { lexical, dense }],
];

test.each(damages.flatMap(([sql, asks]) => Object.entries(asks).map(([name, ask]) => [sql, name, ask] as const)))(
  'an index is damaged after: %s (%s)',
  async (sql, _, ask) => {
    const path = join(folder, 'damaged.db');
    copyFileSync(whole, path);
    const database = new Database(path);
    database.pragma('foreign_keys = OFF');
    database.exec(sql);
    database.close();
    const store = openSqliteStore({ path });
    await expect(ask(store)).rejects.toMatchObject({
      name: 'SurmiseError',
      code: 'index_damaged',
      message: expect.stringContaining(path),
    });
    await store.close();
  },
);

test('without vectors in the index a question of any length finds nothing', async () => {
  const store = openSqliteStore({ path: ':memory:' });
  await store.put([recordOf('a', 'boat')], { fingerprint: contractFingerprint });
  for (const length of [3, 4])
    expect(await store.nearest(new Float32Array(length), { k: 1 })).toMatchObject({ hits: [] });
  await store.close();
});
