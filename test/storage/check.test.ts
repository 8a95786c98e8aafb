import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { indexDocuments } from '../../src/core/indexing.js';
import { deterministicEmbedder } from '../../src/models/deterministic-embedder.js';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';
import { hashes, match } from '../contract/store-fixtures.js';

const folder = mkdtempSync(join(tmpdir(), 'surmise-'));
afterAll(() => rmSync(folder, { recursive: true }));
const embedder = deterministicEmbedder({});
const whole = join(folder, 'whole.db');
const inputs = Array.from({ length: 120 }, (_, at) => ({
  document: {
    id: `d${at}`,
    title: `Pier ${at}`,
    text: `The boat ${at} lies at pier ${at % 7}. `.repeat(1 + (at % 30)),
  },
}));
let files = 0;

beforeAll(async () => {
  const store = openSqliteStore({ path: whole });
  for (let at = 0; at < inputs.length; at += 30) await indexDocuments({ store, embedder }, inputs.slice(at, at + 30));
  await store.delete(['d3']);
  await store.saveCollection('notes', { roots: ['/notes'] });
  await store.close();
});

function copy(): string {
  const path = join(folder, `${files++}.db`);
  copyFileSync(whole, path);
  return path;
}

function changed(sql: string): string {
  const path = copy();
  const database = new Database(path);
  database.pragma('foreign_keys = OFF');
  database.exec(sql);
  database.close();
  return path;
}

test('a whole index has no problems, and repairing it changes nothing', async () => {
  const path = copy();
  const store = openSqliteStore({ path });
  const before = await hashes(store);
  const seen: number[] = [];
  const progress = (done: { documents: number }) => seen.push(done.documents);
  expect(await store.check({ repair: true, onProgress: progress })).toEqual({
    problems: [],
    damaged: { documents: 0, ids: [] },
  });
  expect(await hashes(store)).toEqual(before);
  await store.close();
  const memory = openSqliteStore({ path: ':memory:' });
  await indexDocuments({ store: memory, embedder }, inputs.slice(0, 3));
  expect((await memory.check({ repair: true })).problems).toEqual([]);
  await memory.close();
});

describe('what is damaged is named and repaired', () => {
  const one = "(SELECT row FROM documents WHERE id = 'd9')";
  const chunkOf = `(SELECT row FROM chunks WHERE document = ${one} LIMIT 1)`;
  test.each([
    ['document', 1, `UPDATE texts SET data = x'00' WHERE row = ${one} * 1048576`],
    ['document', 1, `DELETE FROM texts WHERE row = ${one} * 1048576`],
    ['document', 1, `INSERT INTO texts SELECT row + 9, "start", data FROM texts WHERE row = ${one} * 1048576`],
    ['document', 1, `UPDATE documents SET characters = characters + 1 WHERE row = ${one}`],
    ['document', 1, `UPDATE documents SET metadata = '[' WHERE row = ${one}`],
    ['document', 1, `UPDATE chunks SET "end" = 99999 WHERE row = ${chunkOf}`],
    ['document', 1, `UPDATE chunks SET heading = 99 WHERE row = ${chunkOf}`],
    ['document', 1, `UPDATE chunks SET ordinal = 99 WHERE row = ${chunkOf}`],
    ['document', 1, `UPDATE vectors SET value = zeroblob(8) WHERE chunk = ${chunkOf}`],
    ['document', 1, `DELETE FROM chunks WHERE document = ${one}`],
    ['references', 0, "INSERT INTO texts VALUES (99999 * 1048576, 0, x'00')"],
    ['references', 1, `DELETE FROM documents WHERE row = ${one}`],
    ['postings', 0, "UPDATE postings SET data = x'ff'"],
    ['postings', 0, 'DELETE FROM postings WHERE row = 1'],
    ['postings', 0, 'DELETE FROM postings; DELETE FROM segments'],
    ['postings', 0, 'UPDATE segments SET last_row = 1'],
    ['postings', 0, `UPDATE chunks SET length = length + 1 WHERE row = ${chunkOf}`],
  ])('%s (%i lost): %s', async (kind, lost, sql) => {
    const path = changed(sql);
    const store = openSqliteStore({ path });
    const found = await store.check();
    expect(found.problems.map((problem) => problem.kind)).toContain(kind);
    if (kind === 'document') expect(found.damaged).toEqual({ documents: 1, ids: ['d9'] });
    const { repair } = await store.check({ repair: true });
    expect(repair).toEqual({ removed: kind === 'document' ? 1 : 0 });
    expect((await store.check()).problems).toEqual([]);
    expect(await store.info()).toMatchObject({ documents: 119 - lost });
    expect(await indexDocuments({ store, embedder }, inputs)).toMatchObject({ added: 1 + lost, updated: 0 });
    const { chunks } = await store.info();
    expect(await match(store, 'boat', 5_000)).toHaveLength(chunks);
    await store.close();
  });
});

test('vectors of nobody knows which embedder go, and everything is embedded again', async () => {
  const path = changed("UPDATE meta SET value = '{'");
  const store = openSqliteStore({ path });
  expect((await store.check({ repair: true })).problems.map(({ kind }) => kind)).toContain('fingerprint');
  expect(await store.info()).toMatchObject({ vectors: 0 });
  const other = deterministicEmbedder({ dimensions: 8 });
  expect(await indexDocuments({ store, embedder: other }, inputs)).toMatchObject({ unchanged: 0 });
  expect((await store.check()).problems).toEqual([]);
  await store.close();
});

test('where pages are damaged, what can be read goes into a new file, and the old one is kept', async () => {
  const path = join(folder, 'pages.db');
  const many = Array.from({ length: 60 }, (_, at) => {
    const words = Array.from({ length: 1_500 }, (_, word) => ((at * 1_500 + word) * 2_654_435_761).toString(36));
    return { document: { id: `d${at}`, text: `boat ${words.join(' ')}` } };
  });
  const first = openSqliteStore({ path });
  await indexDocuments({ store: first, embedder }, many);
  await first.saveCollection('notes', { roots: ['/notes'] });
  await first.close();
  const bytes = readFileSync(path);
  const database = new Database(path, { readonly: true });
  const pages = database.prepare('SELECT rootpage FROM sqlite_schema WHERE rootpage > 0').pluck().all() as number[];
  database.close();
  // The leaves of texts lie behind all roots; one that holds rows of ours is destroyed.
  const page = Array.from({ length: bytes.length / 32_768 }, (_, at) => at + 1).find(
    (number) => !pages.includes(number) && bytes[(number - 1) * 32_768] === 0x0d,
  )!;
  bytes.fill(0x5a, (page - 1) * 32_768, page * 32_768);
  writeFileSync(path, bytes);
  const store = openSqliteStore({ path });
  const { problems, repair } = await store.check({ repair: true });
  expect(problems.map(({ kind }) => kind)).toContain('file');
  expect(repair!.kept).toBe(`${path}.damaged`);
  const kept = readFileSync(`${path}.damaged`);
  expect(kept.length).toBe(bytes.length);
  expect(existsSync(`${path}.repair`)).toBe(false);
  expect((await store.check()).problems).toEqual([]);
  expect((await store.info()).documents).toBe(60 - repair!.removed);
  expect(repair!.removed).toBeLessThan(60);
  expect(await store.collections()).toEqual([{ name: 'notes', settings: { roots: ['/notes'] } }]);
  await indexDocuments({ store, embedder }, many);
  expect(await store.info()).toMatchObject({ documents: 60 });
  await store.close();

  // Damaged once more: what was kept first stays.
  writeFileSync(path, bytes);
  const again = openSqliteStore({ path });
  expect((await again.check({ repair: true })).repair!.kept).toBe(`${path}.damaged-2`);
  expect((await again.check()).problems).toEqual([]);
  await again.close();
  expect(readFileSync(`${path}.damaged`).equals(kept)).toBe(true);
});

test.each(['sqlite_autoindex_chunks_1', 'vectors', 'sqlite_autoindex_documents_1', 'postings'])(
  'no document is lost with the first page of %s',
  async (name) => {
    const path = copy();
    const database = new Database(path, { readonly: true });
    const size = database.pragma('page_size', { simple: true }) as number;
    const page = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(name) as number;
    database.close();
    const bytes = readFileSync(path);
    bytes.fill(0, (page - 1) * size, page * size);
    writeFileSync(path, bytes);
    const sound = openSqliteStore({ path: whole, access: 'read' });
    const { chunks } = await sound.info();
    await sound.close();
    const store = openSqliteStore({ path });
    const { repair } = await store.check({ repair: true });
    expect(repair).toMatchObject({ removed: 0, kept: `${path}.damaged` });
    expect(await store.check()).toMatchObject({ problems: [] });
    expect((await hashes(store)).map(([id]) => id)).toHaveLength(119);
    expect((await store.match([{ term: 'boat', weight: 1 }], { k: 500, perDocument: true })).matched).toBe(chunks);
    // What was read without a part is done again, and only that.
    const report = await indexDocuments(
      { store, embedder },
      inputs.filter(({ document }) => document.id !== 'd3'),
    );
    expect(report.updated + report.unchanged).toBe(119);
    expect((await store.info()).vectors).toBe((await store.info()).chunks);
    await store.close();
  },
);

test('a check of an index that is open for reading repairs nothing; one that is closed checks nothing', async () => {
  const path = copy();
  const store = openSqliteStore({ path, access: 'read' });
  expect((await store.check()).problems).toEqual([]);
  const broken = changed('DELETE FROM segments; DELETE FROM postings');
  const reader = openSqliteStore({ path: broken, access: 'read' });
  await expect(reader.check({ repair: true })).rejects.toMatchObject({ code: 'bad_argument' });
  await Promise.all([store.close(), reader.close()]);
  await expect(store.check()).rejects.toMatchObject({ code: 'bad_argument' });
});

test('random bytes in the file are an error that says so, or are repaired; never anything else', {
  timeout: 120_000,
}, async () => {
  const bytes = readFileSync(whole);
  let state = 7;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const path = join(folder, 'random.db');
  const outcomes = { read: 0, repaired: 0, refused: 0 };
  for (let round = 0; round < 40; round++) {
    const damaged = Buffer.from(bytes);
    const start = random(damaged.length);
    const length = [8, 400, 40_000][round % 3]!;
    for (let at = start; at < Math.min(start + length, damaged.length); at++) damaged[at] = random(256);
    for (const suffix of ['', '-wal', '-shm', '.damaged']) rmSync(path + suffix, { force: true });
    writeFileSync(path, round % 8 === 7 ? damaged.subarray(0, start) : damaged);
    const expectClear = (error: unknown) =>
      expect(error).toMatchObject({
        name: 'SurmiseError',
        code: expect.stringMatching(/^(index_damaged|index_too_new|storage_failed|no_index)$/),
      });
    try {
      const store = openSqliteStore({ path, access: 'read' });
      await match(store, 'boat').finally(() => store.close());
      outcomes.read++;
    } catch (error) {
      expectClear(error);
    }
    let store: ReturnType<typeof openSqliteStore> | undefined;
    try {
      store = openSqliteStore({ path, waitMs: 100 });
      await store.check({ repair: true });
      expect((await store.check()).problems).toEqual([]);
      outcomes.repaired++;
    } catch (error) {
      expectClear(error);
      outcomes.refused++;
    } finally {
      await store?.close();
    }
  }
  expect(outcomes.repaired).toBeGreaterThan(10);
});
