import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { indexDocuments } from '../../src/core/indexing.js';
import type { Document } from '../../src/core/ports.js';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';
import { countingEmbedder } from '../core/counting-embedder.js';
import { library } from '../core/library.js';

const folder = mkdtempSync(join(tmpdir(), 'surmise-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** One run of a program that opens the index, brings it up to date and ends. */
async function run(path: string, documents: readonly Document[]) {
  const store = openSqliteStore({ path });
  const embedder = countingEmbedder();
  const report = await indexDocuments(
    { store, embedder },
    documents.map((document) => ({ document })),
  );
  await store.close();
  return { report, calls: embedder.calls.length };
}

test('FR-161 a second run without changes asks the embedder for nothing', async () => {
  const path = join(folder, 'restart.db');
  expect(await run(path, library)).toMatchObject({ report: { added: 8, embedded: 8 }, calls: 1 });
  for (let start = 0; start < 2; start++)
    expect(await run(path, library)).toMatchObject({ report: { unchanged: 8, embedded: 0, reused: 0 }, calls: 0 });
});

test('FR-163 an older copy of the index costs only what changed since then; times play no part', async () => {
  const [path, copy] = [join(folder, 'state.db'), join(folder, 'copy.db')];
  await run(path, library);
  copyFileSync(path, copy);
  const edited = library.map((document) =>
    document.id === 'bread' ? { ...document, text: 'Rye keeps long.' } : document,
  );
  await run(path, edited);
  for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
  copyFileSync(copy, path);
  expect(await run(path, edited)).toMatchObject({ report: { updated: 1, unchanged: 7, embedded: 1 }, calls: 1 });
});
