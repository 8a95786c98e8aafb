import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, test } from 'vitest';
import { deterministicEmbedder } from '../../src/models/deterministic-embedder.js';
import { schemaVersion } from '../../src/storage/schema.js';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';
import { match, put, recordOf } from '../contract/store-fixtures.js';

const folder = mkdtempSync(join(tmpdir(), 'surmise-'));
afterAll(() => rmSync(folder, { recursive: true }));
const embedder = deterministicEmbedder({});

/** A copy of an index that was written by a version of Surmise with this format. */
function oldIndex(version: number, name: string): string {
  const path = join(folder, `${name}-${version}.db`);
  writeFileSync(path, gunzipSync(readFileSync(new URL(`version-${version}.db.gz`, import.meta.url))));
  return path;
}

describe.each([1, 2, 3])('an index of version %i', (version) => {
  test('is brought up to date by the next writer and finds what it found', async () => {
    const path = oldIndex(version, 'found');
    expect(() => openSqliteStore({ path, access: 'read' })).toThrow(/old format.*surmise index/);
    const store = openSqliteStore({ path });
    expect(await match(store, 'bee')).toEqual(['bees#0', '/notes/glacier.md#1']);
    const [question] = await embedder.embed(['lakes and rock'], { role: 'query' });
    expect((await store.nearest(question!, { k: 2 })).hits.map(({ id }) => id).sort()).toEqual([
      '/notes/glacier.md#0',
      '/notes/glacier.md#1',
    ]);
    const [ice, water, bees] = await store.get(['/notes/glacier.md#0', '/notes/glacier.md#1', 'bees#0']);
    expect(ice).toEqual({
      id: '/notes/glacier.md#0',
      document: '/notes/glacier.md',
      path: 'glacier.md',
      title: 'Glacier',
      heading: ['Ice'],
      start: 0,
      end: 40,
      text: '# Ice\nA glacier grinds rock to flour 😀.',
    });
    expect(water).toMatchObject({ heading: ['Water'], text: expect.stringMatching(/^# Water\n.*there\.$/) });
    expect(bees).toMatchObject({ path: 'bees', heading: [], text: expect.stringMatching(/^A hive.*bees\.$/) });
    expect(await store.info()).toMatchObject({ documents: 3, characters: 48_000 + 70 + 100 });
    expect((await store.get(['long#47']))[0]!.text).toMatch(/^(The tide turns\. ?)+$/);
    expect(await store.check()).toMatchObject({ problems: [] });
    await store.close();
  });

  test('has the tables of a new one, and takes new documents', async () => {
    const path = oldIndex(version, 'tables');
    const store = openSqliteStore({ path });
    await store.delete(['long']);
    await store.put([recordOf('new', 'one more of the bees')]);
    expect(await match(store, 'bee')).toEqual(['bees#0', 'new#0', '/notes/glacier.md#1']);
    await store.compact();
    expect(await match(store, 'bee')).toEqual(['bees#0', 'new#0', '/notes/glacier.md#1']);
    await store.close();
    const fresh = openSqliteStore({ path: `${path}.new` });
    await put(fresh, recordOf('a', 'boat', [1, 0, 0]));
    await fresh.close();
    const [now, then] = [path, `${path}.new`].map((file) => {
      const database = new Database(file);
      const tables = database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all();
      const state = ['user_version', 'application_id', 'page_size', 'journal_mode'].map((name) =>
        database.pragma(name, { simple: true }),
      );
      expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
      expect(database.pragma('foreign_key_check')).toEqual([]);
      database.close();
      return { tables: JSON.stringify(tables).replaceAll(/["\\]/g, ''), state };
    });
    expect(now).toEqual(then);
    expect(now!.state[0]).toBe(schemaVersion);
  });
});

test('vectors of version 2 are found by their keys', async () => {
  const path = oldIndex(2, 'keys');
  const before = new Database(path);
  const key = before.prepare('SELECT lower(hex(key)) FROM vectors ORDER BY chunk LIMIT 1').pluck().get() as string;
  before.close();
  const store = openSqliteStore({ path });
  const [chunk] = await store.get(['bees#0'], { vectors: true });
  expect((await store.vectors!([key])).get(key)).toEqual(chunk!.vector);
  await store.close();
});
