import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { indexDocuments } from '../../src/core/indexing.js';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';
import { embedder, library } from '../core/library.js';

const folder = mkdtempSync(join(tmpdir(), 'surmise-'));
afterAll(() => rmSync(folder, { recursive: true }));
const inputs = library.map((document) => ({ document }));

/** Offsets in the file's header: the page size (2 bytes), the number of pages, and the number of free pages. */
test.each([
  [16, 'ffff'],
  [28, 'ffffffff'],
  [36, 'ffffffff'],
])('FR-147 a header with a number out of range at %i is an error that says so, or does no harm', async (at, hex) => {
  const path = join(folder, `${at}.db`);
  const store = openSqliteStore({ path });
  await indexDocuments({ store, embedder }, inputs);
  await store.close();
  const bytes = readFileSync(path);
  bytes.write(hex, at, 'hex');
  writeFileSync(path, bytes);
  const use = async () => {
    const damaged = openSqliteStore({ path });
    try {
      const moved = inputs.map(({ document }) => ({ document: { ...document, id: `moved-${document.id}` } }));
      return await indexDocuments({ store: damaged, embedder }, moved);
    } finally {
      await damaged.close();
    }
  };
  const outcome = await use().catch((error: unknown) => error);
  const harmless = { added: 8, embedded: 0, reused: 8 };
  const said = { code: 'index_damaged', message: expect.stringContaining(path) };
  expect([expect.objectContaining(harmless), expect.objectContaining(said)]).toContainEqual(outcome);
});
