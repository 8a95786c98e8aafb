import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';
import { match } from '../contract/store-fixtures.js';

const folder = mkdtempSync(join(tmpdir(), 'surmise-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('FR-146 no value in the file grows with the index, and its size is told', async () => {
  const path = join(folder, 'large.db');
  const store = openSqliteStore({ path });
  // A document of 10 million characters, and many small ones.
  const large = 'The boat lies at the pier. '.repeat(370_000);
  const chunks = Array.from({ length: 5_000 }, (_, at) => ({ start: at * 2_000, end: at * 2_000 + 1_900 }));
  const hash = 'h';
  await store.put([{ document: { id: 'large', text: large, language: 'en' }, hash, chunks: chunks.slice(0, 4_990) }]);
  for (let put = 0; put < 9; put++)
    await store.put(
      Array.from({ length: 1_000 }, (_, at) => {
        const text = `boat ${put}-${at}`;
        return {
          document: { id: `${put}/${at}`, text, language: 'en' },
          hash,
          chunks: [{ start: 0, end: text.length }],
        };
      }),
    );
  expect(await match(store, 'boat', 20_000)).toHaveLength(13_990);
  expect((await store.get(['large#4989']))[0]!.text).toBe(large.slice(4_989 * 2_000, 4_989 * 2_000 + 1_900));
  const { bytes, characters } = await store.info();
  expect(characters).toBeGreaterThan(large.length);
  expect(bytes).toBeGreaterThan(500_000);
  await store.close();
  const database = new Database(path, { readonly: true });
  const longest = (table: string) => database.prepare(`SELECT max(length(data)) FROM ${table}`).pluck().get();
  expect(longest('texts')).toBeLessThan(20_000);
  // Some bytes for each chunk that has the term.
  expect(longest('postings')).toBeLessThan(3 * 13_990 + 10_000);
  database.close();
});
