import { expect, test } from 'vitest';
import type { Json } from '../../src/core/ports.js';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';

test('collections are kept by name; names and settings that could not be read again are refused', async () => {
  const store = openSqliteStore({ path: ':memory:' });
  await store.saveCollection('notes', { roots: ['/notes'] });
  await store.saveCollection('a'.repeat(100), null);
  await store.saveCollection('notes', { roots: [] });
  const kept = [
    { name: 'a'.repeat(100), settings: null },
    { name: 'notes', settings: { roots: [] } },
  ];
  expect(await store.collections()).toEqual(kept);
  for (const name of ['', ' ', 'a'.repeat(101), 'two\nlines', 'a\u0000', '\u009b', '\ud800', 7, ['notes']])
    await expect(store.saveCollection(name as string, {})).rejects.toMatchObject({ code: 'bad_argument' });
  const circle: unknown[] = [];
  circle.push(circle);
  for (const settings of [5n, undefined, () => 1, circle])
    await expect(store.saveCollection('v', settings as Json)).rejects.toMatchObject({ code: 'bad_argument' });
  await expect(store.dropCollection(['notes'] as unknown as string)).rejects.toMatchObject({ code: 'bad_argument' });
  expect(await store.collections()).toEqual(kept);
  await store.dropCollection('notes');
  expect(await store.collections()).toEqual(kept.slice(0, 1));
  await store.close();
});
