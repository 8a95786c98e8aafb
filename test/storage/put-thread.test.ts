import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
// The thread's program exists in what was built only.
import { openSqliteStore } from '../../dist/storage/index.js';
import type { DocumentRecord, Store } from '../../src/core/ports.js';
import { openSqliteStore as openFromSource } from '../../src/storage/sqlite-store.js';
import { contractFingerprint, recordOf } from '../contract/store-fixtures.js';

const folder = mkdtempSync(join(tmpdir(), 'surmise-'));
const workers: Worker[] = [];
const note = (worker: Worker) => workers.push(worker);
process.on('worker', note);
afterAll(() => {
  process.off('worker', note);
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  workers.length = 0;
});
let files = 0;
const newPath = () => join(folder, `${files++}.db`);
const options = { fingerprint: contractFingerprint };

/** More than what a thread is started for. */
function many(name: string, count = 400): DocumentRecord[] {
  return Array.from({ length: count }, (_, at) => recordOf(`${name}${at}`, `boat ${name} ${at}`, [1, at, 0]));
}

async function idsOf(store: Store): Promise<string[]> {
  const ids = [];
  for await (const { id } of store.documents()) ids.push(id);
  return ids.sort();
}

const idsIn = (...records: DocumentRecord[]) => records.map(({ document }) => document.id).sort();

describe.skipIf(availableParallelism() < 2)('a large put', () => {
  test('is written in a thread, which small ones then use as well, and is found at once', async () => {
    const store = openSqliteStore({ path: newPath() });
    await store.put([recordOf('small', 'boat')], options);
    expect(workers).toHaveLength(0);
    expect((await store.info()).documents).toBe(1);
    const [a, b] = [many('a'), many('b')];
    await store.put(a, options);
    expect(workers).toHaveLength(1);
    expect((await store.match([{ term: 'boat', weight: 1 }], { k: 1 })).matched).toBe(401);
    await store.put(b, options);
    await store.put([recordOf('last', 'boat')], options);
    expect(workers).toHaveLength(1);
    expect(await idsOf(store)).toEqual(['last', 'small', ...idsIn(...a, ...b)].sort());
    expect((await store.nearest(Float32Array.of(1, 399, 0), { k: 1 })).matched).toBe(800);
    expect((await store.check()).problems).toEqual([]);
    await store.close();
  });

  test('keeps its place among other writes', async () => {
    const store = openSqliteStore({ path: newPath() });
    const [a, b] = [many('a'), many('b')];
    const done: string[] = [];
    const writes = [
      store.put(a, options).then(() => done.push('put')),
      store.delete(idsIn(...a)).then((count) => done.push(`deleted ${count}`)),
      store.put(b, options).then(() => done.push('put')),
      store.saveCollection('notes', {}).then(() => done.push('saved')),
      store.put([...a.slice(0, 300), recordOf('b1', 'pier')], options).then(() => done.push('put')),
      store.compact().then(() => done.push('compacted')),
      store.delete(['a7', 'b7']).then((count) => done.push(`deleted ${count}`)),
      store.put(many('c'), options).then(() => done.push('put')),
    ];
    await Promise.all(writes);
    expect(done).toEqual(['put', 'deleted 400', 'put', 'saved', 'put', 'compacted', 'deleted 2', 'put']);
    // To compact, nobody else may have the file open.
    expect(workers).toHaveLength(2);
    const left = idsIn(...a.slice(0, 300), ...b, ...many('c')).filter((id) => id !== 'a7' && id !== 'b7');
    expect(await idsOf(store)).toEqual(left);
    expect((await store.match([{ term: 'pier', weight: 1 }], { k: 5 })).hits.map(({ id }) => id)).toEqual(['b1#0']);
    expect((await store.check()).problems).toEqual([]);
    await store.close();
  });

  test('holds what the records were when it was asked for, metadata as JSON has it', async () => {
    const store = openSqliteStore({ path: newPath() });
    const vector = Float32Array.of(1, 0, 0);
    const date = new Date(0);
    const text = 'boat \ud800 😀';
    const heading = ['One'];
    const odd = {
      document: { id: 'odd', text, metadata: { date: date as unknown as string, list: [1, null] } },
      hash: 'h',
      chunks: [{ start: 0, end: text.length, heading, vector, key: 'ab' }],
    };
    const put = store.put([odd, ...many('a')], options);
    vector.fill(9);
    heading[0] = 'Two';
    await put;
    expect(workers).toHaveLength(1);
    const [chunk] = await store.get(['odd#0'], { vectors: true });
    expect(chunk).toMatchObject({ text: 'boat \ufffd 😀', heading: ['One'], vector: Float32Array.of(1, 0, 0) });
    expect(await store.count({ field: 'date', is: '=', value: date.toJSON() })).toMatchObject({ documents: 1 });
    await store.close();
  });

  test('gives the same file as one that was written without a thread', async () => {
    const [path, other] = [newPath(), newPath()];
    const [store, plain] = [openSqliteStore({ path }), openFromSource({ path: other })];
    for (const one of [store, plain]) {
      await one.put(many('a'), options);
      await one.put(many('b', 20), options);
      await one.close();
    }
    expect(workers).toHaveLength(1);
    const rowsOf = (file: string) => {
      const database = new Database(file, { readonly: true });
      const tables = ['documents', 'texts', 'chunks', 'vectors', 'segments', 'postings', 'meta'];
      const rows = tables.map((table) => database.prepare(`SELECT * FROM ${table}`).all());
      database.close();
      return rows;
    };
    expect(rowsOf(path)).toEqual(rowsOf(other));
  });

  test('fails with the errors that it has without a thread', async () => {
    const path = newPath();
    const store = openSqliteStore({ path, waitMs: 50 });
    await store.put(many('a'), options);
    const fingerprint = { ...contractFingerprint, model: 'another' };
    await expect(store.put(many('b'), { fingerprint })).rejects.toMatchObject({
      name: 'SurmiseError',
      code: 'embedder_mismatch',
      message: expect.stringContaining('another'),
    });
    const outside = { document: { id: 'x', text: 'boat' }, hash: 'h', chunks: [{ start: 0, end: 9 }] };
    await expect(store.put([...many('b'), outside], options)).rejects.toMatchObject({ code: 'bad_data' });
    await expect(store.put([...many('b'), recordOf('x', 'boat', [1])], options)).rejects.toMatchObject({
      code: 'bad_data',
    });
    await expect(store.put(many('b'))).rejects.toMatchObject({ code: 'bad_argument' });
    const holder = new Database(path);
    holder.exec('BEGIN IMMEDIATE');
    await expect(store.put(many('b'), options)).rejects.toMatchObject({ code: 'index_busy', retryable: true });
    holder.exec('ROLLBACK');
    holder.close();
    expect(workers).toHaveLength(1);
    await store.put(many('c'), options);
    expect(await idsOf(store)).toEqual(idsIn(...many('a'), ...many('c')));
    await store.close();
  });

  test('that no message can carry is answered by the calling thread', async () => {
    const store = openSqliteStore({ path: newPath() });
    const [first, ...rest] = many('a');
    const put = (more: object) =>
      store.put([{ ...first!, document: { ...first!.document, ...more } }, ...rest], options);
    await expect(put({ language: Symbol('en') })).rejects.toMatchObject({ code: 'bad_data' });
    // What is not asked for is not sent.
    await put({ note: () => 'boat' });
    await store.put(many('b'), options);
    expect(await idsOf(store)).toEqual(idsIn(...many('a'), ...many('b')));
    await store.close();
  });

  test.each(['at once', 'while it works', 'when it is idle'])(
    'is not lost when its thread ends %s, nor written twice',
    async (moment) => {
      const store = openSqliteStore({ path: newPath() });
      if (moment === 'when it is idle') await store.put(many('a'), options);
      else {
        const started = once(process, 'worker');
        const put = store.put(many('a', 3_000), options);
        await started;
        if (moment === 'while it works') await once(workers[0]!, 'online');
        void workers[0]!.terminate();
        await put;
      }
      void workers[0]!.terminate();
      const later = [store.put(many('b'), options), store.delete(['b1']), store.put(many('c'), options)];
      await Promise.all(later);
      const wanted = [...many('a', moment === 'when it is idle' ? 400 : 3_000), ...many('b'), ...many('c')];
      expect(await idsOf(store)).toEqual(idsIn(...wanted).filter((id) => id !== 'b1'));
      expect((await store.check()).problems).toEqual([]);
      await store.close();
    },
  );

  test('that fails without its thread as well tells of both', async () => {
    const path = newPath();
    const store = openSqliteStore({ path, waitMs: 100 });
    await store.put(many('a'), options);
    const holder = new Database(path);
    holder.exec('BEGIN IMMEDIATE');
    void workers[0]!.terminate();
    await expect(store.put(many('b'), options)).rejects.toMatchObject({
      code: 'index_busy',
      retryable: true,
      cause: { errors: [{ code: 'index_busy' }, { message: 'The thread that writes has ended.' }] },
    });
    holder.exec('ROLLBACK');
    holder.close();
    await store.put(many('b'), options);
    expect(await idsOf(store)).toEqual(idsIn(...many('a'), ...many('b')));
    await store.close();
  });

  test('is done when the store has been closed; what is asked for later fails', async () => {
    const path = newPath();
    const store = openSqliteStore({ path });
    const puts = [store.put(many('a'), options), store.put(many('b'), options), store.delete(['a1'])];
    const closing = store.close();
    await expect(store.put(many('c'), options)).rejects.toMatchObject({ code: 'bad_argument' });
    await expect(store.info()).rejects.toMatchObject({ code: 'bad_argument' });
    await closing;
    await Promise.all(puts);
    await store.close();
    const again = openSqliteStore({ path, access: 'read' });
    expect((await again.info()).documents).toBe(799);
    await again.close();
  });

  test('that waits for another process is given up when the store is closed', async () => {
    const path = newPath();
    const store = openSqliteStore({ path });
    await store.put(many('a'), options);
    const holder = new Database(path);
    holder.exec('BEGIN IMMEDIATE');
    const put = expect(store.put(many('b'), options)).rejects.toMatchObject({ code: 'bad_argument' });
    await store.close();
    await put;
    holder.close();
  });

  test('keeps a process alive while it is written, and no longer', () => {
    const path = newPath();
    const program = `
      const { openSqliteStore } = await import(${JSON.stringify(new URL('../../dist/storage/index.js', import.meta.url))});
      const records = Array.from({ length: 400 }, (_, at) => ({
        document: { id: 'a' + at, text: 'boat' }, hash: 'h', chunks: [{ start: 0, end: 4 }] }));
      const store = openSqliteStore({ path: ${JSON.stringify(path)} });
      store.put(records).then(() => console.log('written'));`;
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    expect({ stdout, status }).toEqual({ stdout: 'written\n', status: 0 });
  });
});

test('puts of sources that were not built, and into memory, need no thread', async () => {
  const stores = [openFromSource({ path: newPath() }), openSqliteStore({ path: ':memory:' })];
  for (const store of stores) {
    await store.put(many('a'), options);
    expect((await store.info()).documents).toBe(400);
    await store.close();
  }
  expect(workers).toHaveLength(0);
});
