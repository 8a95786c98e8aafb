import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { indexDocuments } from '../../src/core/indexing.js';
import type { Store } from '../../src/core/ports.js';
import { createSurmise } from '../../src/core/surmise.js';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';
import { surmise } from '../cli/surmise.js';
import { makeWorkspace } from '../cli/workspace.js';
import { put, recordOf } from '../contract/store-fixtures.js';
import { embedder, library, memoryStore } from '../core/library.js';

const folder = mkdtempSync(join(tmpdir(), 'surmise-'));
afterAll(() => rmSync(folder, { recursive: true }));

const sentences = (count: number, word: string) =>
  Array.from({ length: count }, (_, at) => `The ${word} is seen from pier ${at}. `.repeat(3).trim()).join('\n\n');

async function write(store: Store, id: string, text: string): Promise<number> {
  const report = await indexDocuments({ store, embedder }, [{ document: { id, text } }], { chunking: { size: 100 } });
  return report.chunks;
}

/** The chunks that each leg finds, in order of id. */
async function found(store: Store, word: string): Promise<string[][]> {
  const [vector] = await embedder.embed([word], { role: 'query' });
  const terms = (await store.analyze([word]))[0]!;
  const lists = [await store.match(terms, { k: 1_000 }), await store.nearest(vector!, { k: 1_000 })];
  return lists.map(({ hits }) => hits.map(({ id }) => id).sort());
}

test('FR-118 the file stops growing when as much is deleted as is added', async () => {
  const path = join(folder, 'grow.db');
  const store = openSqliteStore({ path });
  const sizes: number[] = [];
  for (let round = 0; round < 20; round++) {
    const records = Array.from({ length: 1_000 }, (_, at) => recordOf(`${round}-${at}`, `note ${at}`, [at, round, 1]));
    await put(store, ...records);
    expect(await store.delete(records.map(({ document }) => document.id))).toBe(1_000);
    sizes.push(statSync(path).size + statSync(`${path}-wal`).size);
  }
  await store.close();
  expect(sizes[19]).toBeLessThan(1.25 * sizes[9]!);
});

test('FR-119 after compacting, no byte of what was deleted is in the file or beside it', async () => {
  const path = join(folder, 'purge.db');
  const store = openSqliteStore({ path });
  const vector = [0.123456, 7.654321, 1.000001];
  const secret = { ...recordOf('secret-note', 'xylograph zymurgy quokka', vector), hash: 'c0ffee' };
  await put(store, ...Array.from({ length: 300 }, (_, at) => recordOf(`n${at}`, `note ${at}`, [at, 1, 1])), secret);
  await put(store, recordOf('secret-note', 'replaced by a dull note', [1, 1, 1]));
  await store.delete(['secret-note']);
  const { before, after } = await store.compact();
  expect(after).toBeLessThanOrEqual(before);
  const traces = ['xylograph', 'zymurgi', 'zymurgy', 'quokka', 'secret-note', 'replaced', 'dull'].map((word) =>
    Buffer.from(word),
  );
  traces.push(Buffer.from(Float32Array.from(vector).buffer));
  const files = readdirSync(folder).filter((name) => name.startsWith('purge.db'));
  const bytes = Buffer.concat(files.map((name) => readFileSync(join(folder, name))));
  expect(bytes.includes('n299')).toBe(true);
  for (const trace of traces) expect([trace.toString(), bytes.includes(trace)]).toEqual([trace.toString(), false]);
  // Texts are compressed: none may be there but those of the documents that stayed.
  expect(statSync(`${path}-wal`).size).toBe(0);
  const database = new Database(path, { readonly: true });
  expect(database.prepare('SELECT count(*) FROM texts').pluck().get()).toBe(300);
  expect(database.pragma('freelist_count', { simple: true })).toBe(0);
  database.close();
  expect(await store.info()).toMatchObject({ documents: 300, vectors: 300 });
  await store.close();
});

test('FR-120 deleting again and again removes each document once and never fails', async () => {
  const store = memoryStore();
  for (let round = 0; round < 30; round++) {
    await write(store, 'a', sentences(3, 'gull'));
    expect(await store.delete(['a'])).toBe(1);
    expect(await store.delete(['a'])).toBe(0);
    expect(await store.info()).toMatchObject({ documents: 0, chunks: 0, vectors: 0 });
  }
});

test.each([
  [1, 1],
  [5, 2],
  [2, 5],
])('FR-124 a document of %i parts updated to %i is found by all of its new parts', async (before, after) => {
  const store = memoryStore();
  await write(store, 'other', sentences(2, 'buoy'));
  await write(store, 'a', sentences(before, 'gull'));
  const chunks = await write(store, 'a', sentences(after, 'heron'));
  const expected = Array.from({ length: chunks }, (_, ordinal) => `a#${ordinal}`);
  const [lexical, dense] = await found(store, 'heron');
  expect(lexical).toEqual(expected);
  expect(dense!.filter((id) => id.startsWith('a#'))).toEqual(expected);
  expect((await found(store, 'gull'))[0]).toEqual([]);
  expect(await store.info()).toMatchObject({ vectors: dense!.length, documents: 2 });
});

test('FR-126 deleting tells how many there were', async () => {
  const surmise = createSurmise({ store: memoryStore(), embedder });
  await surmise.index(library.map((document) => ({ document })));
  expect(await surmise.remove(['elsewhere/bees', 'bees#0', 'Bees'])).toBe(0);
  expect(await surmise.remove(['bees', 'bees', 'nobody'])).toBe(1);
  expect(await surmise.info()).toMatchObject({ documents: 7, vectors: 7 });
});

test('FR-127 a document that became shorter, another id, or nothing keeps none of its old parts', async () => {
  const store = memoryStore();
  const long = await write(store, 'a', sentences(10, 'gull'));
  const short = await write(store, 'a', sentences(3, 'gull'));
  expect(short).toBeLessThan(long);
  const expected = (id: string) => Array.from({ length: short }, (_, ordinal) => `${id}#${ordinal}`);
  expect(await found(store, 'gull')).toEqual([expected('a'), expected('a')]);
  // Moved: what is new is written, then what is gone is removed.
  await write(store, 'b', sentences(3, 'gull'));
  await store.delete(['a']);
  expect(await found(store, 'gull')).toEqual([expected('b'), expected('b')]);
  await write(store, 'b', '');
  expect(await found(store, 'gull')).toEqual([[], []]);
});

test('FR-128 files that were moved or deleted are found no more, and counts agree with the disk', async () => {
  const home = await makeWorkspace({
    'n/one.md': 'The gull eats.',
    'n/two.md': 'A gull sleeps.',
    'n/three.md': 'No gull.',
  });
  const run = async (...args: string[]) => {
    const { stdout } = await surmise([...args, '--index', join(home, 'i.db'), '--json'], { home });
    return JSON.parse(stdout) as { removed?: number; documents?: number; hits?: { document: string }[] };
  };
  const notes = join(home, 'n');
  await run('index', notes);
  await rename(join(notes, 'one.md'), join(notes, 'moved.md'));
  await rm(join(notes, 'three.md'));
  expect(await run('index', notes)).toMatchObject({ added: 1, removed: 2 });
  const { hits } = await run('search', 'gull');
  expect(hits!.map(({ document }) => document).sort()).toEqual([join(notes, 'moved.md'), join(notes, 'two.md')]);
  expect(await run('status')).toMatchObject({ documents: 2 });
});
