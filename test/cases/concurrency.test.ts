import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { indexDocuments } from '../../src/core/indexing.js';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';
import { embedder, library, memoryStore } from '../core/library.js';

const folder = mkdtempSync(join(tmpdir(), 'surmise-'));
afterAll(() => rmSync(folder, { recursive: true }));
const inputs = library.map((document) => ({ document }));

test('FR-141 three readers are never in the way of a writer, nor it in theirs', async () => {
  const path = join(folder, 'three.db');
  const writer = openSqliteStore({ path });
  await indexDocuments({ store: writer, embedder }, inputs);
  const readers = [1, 2, 3].map(() => openSqliteStore({ path, access: 'read' }));
  let writing = true;
  const reading = readers.map(async (reader) => {
    let looks = 0;
    for (; writing || looks === 0; looks++) {
      const { documents, chunks, vectors } = await reader.info();
      expect([chunks, vectors]).toEqual([documents, documents]);
      await turn();
    }
    return looks;
  });
  for (let at = 0; at < 60; at++) {
    await indexDocuments({ store: writer, embedder }, [{ document: { id: `new-${at}`, text: `Write ${at}.` } }]);
    await turn();
  }
  writing = false;
  for (const looks of await Promise.all(reading)) expect(looks).toBeGreaterThan(0);
  for (const reader of readers) expect(await reader.info()).toMatchObject({ documents: 68 });
  for (const store of [...readers, writer]) await store.close();
});

test('FR-142 reading, also looking vectors up, waits for no writer and writes nothing', async () => {
  const path = join(folder, 'readers.db');
  const store = openSqliteStore({ path });
  await indexDocuments({ store, embedder }, inputs);
  const writer = new Database(path);
  writer.exec("BEGIN IMMEDIATE; DELETE FROM documents WHERE id = 'bees'");
  const key = writer.prepare('SELECT lower(hex(key)) FROM vectors LIMIT 1').pluck().get() as string;
  for (const reader of [openSqliteStore({ path, access: 'read' }), openSqliteStore({ path, access: 'read' })]) {
    expect((await reader.vectors!([key])).size).toBe(1);
    expect(await reader.info()).toMatchObject({ documents: 8, vectors: 8 });
    await reader.close();
  }
  writer.exec('ROLLBACK');
  writer.close();
  await store.close();
});

test('FR-144 twenty calls at once that add, change and remove leave what they say', async () => {
  const store = memoryStore();
  await indexDocuments({ store, embedder }, inputs);
  const calls = Array.from({ length: 20 }, (_, at) =>
    at % 4 === 3
      ? store.delete([library[at % 8]!.id])
      : indexDocuments({ store, embedder }, [{ document: { id: `new-${at}`, text: `Call ${at % 2} was made.` } }]),
  );
  const done = await Promise.allSettled(calls);
  expect(done.filter(({ status }) => status === 'rejected')).toEqual([]);
  // Calls 3, 7, 11, … remove the fourth and the eighth document of the library.
  expect(await store.info()).toMatchObject({ documents: 8 - 2 + 15, chunks: 21, vectors: 21 });
  const [first, second] = await store.get(['new-0#0', 'new-2#0'], { vectors: true });
  expect(first!.vector).toEqual(second!.vector);
});

test('FR-145 two writers on one file, twenty writes each: all forty are there', async () => {
  const path = join(folder, 'writers.db');
  const stores = [openSqliteStore({ path }), openSqliteStore({ path })];
  await Promise.all(
    stores.map(async (store, writer) => {
      for (let at = 0; at < 20; at++)
        await indexDocuments({ store, embedder }, [{ document: { id: `${writer}-${at}`, text: `Write ${at}.` } }]);
    }),
  );
  for (const store of stores) expect(await store.info()).toMatchObject({ documents: 40, vectors: 40 });
  for (const store of stores) await store.close();
});
