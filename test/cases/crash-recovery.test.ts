import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { indexDocuments } from '../../src/core/indexing.js';
import type { Embedder } from '../../src/core/ports.js';
import { createSurmise } from '../../src/core/surmise.js';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';
import { countingEmbedder } from '../core/counting-embedder.js';
import { embedder, library, memoryStore } from '../core/library.js';

const folder = mkdtempSync(join(tmpdir(), 'surmise-'));
afterAll(() => rmSync(folder, { recursive: true }));
const inputs = library.map((document) => ({ document }));

test('FR-133 a log whose last record was cut in half still opens, with all that was whole', async () => {
  const path = join(folder, 'cut.db');
  const store = openSqliteStore({ path });
  await indexDocuments({ store, embedder }, inputs.slice(0, 4));
  await store.compact();
  await indexDocuments({ store, embedder }, inputs.slice(4));
  // As a process leaves them that ends without closing.
  const left = join(folder, 'left.db');
  for (const suffix of ['', '-wal']) copyFileSync(path + suffix, left + suffix);
  await store.close();
  truncateSync(`${left}-wal`, statSync(`${left}-wal`).size - 100);
  const again = openSqliteStore({ path: left });
  expect(await again.info()).toMatchObject({ documents: 4 });
  expect((await again.check()).problems).toEqual([]);
  expect(await indexDocuments({ store: again, embedder }, inputs)).toMatchObject({ added: 4, unchanged: 4 });
  await again.close();
});

test('FR-136 a repair that fails leaves the file as it was', async () => {
  const path = join(folder, 'repair.db');
  const store = openSqliteStore({ path });
  await indexDocuments({ store, embedder }, inputs);
  await store.close();
  const bytes = readFileSync(path);
  bytes.fill(0xa5, 32_768);
  writeFileSync(path, bytes);
  const damaged = openSqliteStore({ path });
  await expect(damaged.check({ repair: true })).rejects.toMatchObject({ code: 'index_damaged' });
  await damaged.close();
  expect(readFileSync(path).length).toBe(bytes.length);
  expect(readdirSync(folder).filter((name) => name.startsWith('repair.db'))).toEqual(['repair.db']);
});

test('FR-135 a search while documents are stored sees none or all of them', async () => {
  const path = join(folder, 'reader.db');
  const writer = openSqliteStore({ path });
  await indexDocuments({ store: writer, embedder }, inputs.slice(0, 1));
  const reader = openSqliteStore({ path, access: 'read' });
  const seen = new Set<string>();
  const look = async () => {
    const { documents, chunks, vectors } = await reader.info();
    seen.add([documents, chunks, vectors].join());
  };
  // Looks in the middle of the work, when half of the texts are embedded.
  const looking: Embedder = {
    ...embedder,
    limits: { batch: 4 },
    async embed(texts, options) {
      await look();
      return embedder.embed(texts, options);
    },
  };
  await indexDocuments({ store: writer, embedder: looking }, inputs);
  await look();
  expect([...seen]).toEqual(['1,1,1', '8,8,8']);
  await reader.close();
  await writer.close();
});

test('FR-137 another embedder can not join an index, also not one that was being made when its process ended', async () => {
  const other = countingEmbedder({ ...embedder, fingerprint: { ...embedder.fingerprint, model: 'another' } });
  const store = memoryStore();
  const failing = countingEmbedder(embedder, { batch: 3, failAt: 1 });
  await expect(indexDocuments({ store, embedder: failing }, inputs)).rejects.toThrow('the line is busy');
  expect(await store.info()).toMatchObject({ documents: 3, vectors: 3, fingerprint: embedder.fingerprint });
  await expect(indexDocuments({ store, embedder: other }, inputs)).rejects.toMatchObject({ code: 'embedder_mismatch' });
  expect(other.calls).toEqual([]);
  await expect(createSurmise({ store, embedder: other }).search('bees', { mode: 'hybrid' })).rejects.toMatchObject({
    code: 'embedder_mismatch',
  });
  // From nothing it may begin, and takes none of the vectors that were there.
  await store.delete(library.map(({ id }) => id));
  expect(await indexDocuments({ store, embedder: other }, inputs)).toMatchObject({ embedded: 8, reused: 0 });
});

test('FR-138 what was there is found until its new text is written', async () => {
  const store = memoryStore();
  const surmise = createSurmise({ store, embedder });
  await surmise.index(inputs);
  const found: number[] = [];
  const looking: Embedder = {
    ...embedder,
    limits: { batch: 2 },
    async embed(texts, options) {
      found.push((await surmise.search('bees and bread', { mode: 'dense', hyde: 'off', k: 20 })).hits.length);
      return embedder.embed(texts, options);
    },
  };
  const edited = inputs.map(({ document }) => ({ document: { ...document, text: `${document.text} So it is said.` } }));
  await indexDocuments({ store, embedder: looking }, edited);
  expect(found).toEqual([8, 8, 8, 8]);
});
