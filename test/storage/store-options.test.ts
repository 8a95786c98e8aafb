import { expect, test } from 'vitest';
import { openSqliteStore, type SqliteStoreOptions } from '../../src/storage/index.js';
import { match, put, recordOf } from '../contract/store-fixtures.js';

const path = ':memory:';

test.each<unknown>([
  undefined,
  null,
  ':memory:',
  {},
  { path: '' },
  { path: '  ' },
  { path: ' :memory:' },
  { path: 'a\0b' },
  { path: 3 },
  { path, acess: 'read' },
  { path, access: 'rw' },
  { path, floatBytes: -1 },
  { path, floatBytes: 0.5 },
  { path, floatBytes: '1' },
  { path, bm25: null },
  { path, bm25: [0.9, 0.4] },
  { path, bm25: { k1: -1, b: 0.4 } },
  { path, bm25: { k1: Number.NaN, b: 0.4 } },
  { path, bm25: { k1: Number.POSITIVE_INFINITY, b: 0.4 } },
  { path, bm25: { k1: '1', b: 0.4 } },
  { path, bm25: { k1: 0.9, b: 1.1 } },
  { path, bm25: { k1: 0.9, b: -0.1 } },
  { path, bm25: { k1: 0.9 } },
  { path, bm25: { k1: 0.9, b: 0.4, k3: 1 } },
])('refused at once: %j', (options) => {
  expect(() => openSqliteStore(options as SqliteStoreOptions)).toThrow(
    expect.objectContaining({ name: 'SurmiseError', code: 'bad_argument' }),
  );
});

test('the parameters of BM25 at their limits are taken', async () => {
  for (const bm25 of [
    { k1: 0, b: 0 },
    { k1: 3, b: 1 },
  ]) {
    const store = openSqliteStore({ path, access: 'write', bm25 });
    await put(store, recordOf('a', 'boat'));
    expect(await match(store, 'boat')).toEqual(['a#0']);
    await store.close();
  }
});
