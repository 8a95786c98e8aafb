import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import type { Store } from '../../src/core/ports.js';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';
import { contractFingerprint, recordOf } from '../contract/store-fixtures.js';

const folder = mkdtempSync(join(tmpdir(), 'surmise-'));
afterAll(() => rmSync(folder, { recursive: true }));
const program = fileURLToPath(new URL('./writer.js', import.meta.url));

interface Writer {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly lines: string[];
  /** Settles when the writer has said this line; rejects when it ends before. */
  said(line: string): Promise<void>;
  readonly ended: Promise<number | null>;
}

function startWriter(...args: string[]): Writer {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const waiting: { line: string; resolve: () => void; reject: (error: Error) => void }[] = [];
  createInterface(child.stdout).on('line', (line) => {
    lines.push(line);
    for (const entry of waiting) if (entry.line === line) entry.resolve();
  });
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      for (const { line, reject } of waiting) reject(new Error(`The writer ended before it said "${line}".`));
      resolve(code);
    });
  });
  const said = (line: string) =>
    lines.includes(line)
      ? Promise.resolve()
      : new Promise<void>((resolve, reject) => waiting.push({ line, resolve, reject }));
  return { child, lines, said, ended };
}

async function documentIds(store: Store): Promise<string[]> {
  const ids = [];
  for await (const { id } of store.documents()) ids.push(id);
  return ids;
}

async function expectWhole(path: string, ids: readonly string[]): Promise<void> {
  const database = new Database(path, { readonly: true });
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(database.pragma('foreign_key_check')).toEqual([]);
  database.close();
  const store = openSqliteStore({ path });
  const wanted = [...ids].sort();
  const found = async () => (await store.match([{ term: 'boat', weight: 1 }], { k: 100_000 })).hits;
  expect((await documentIds(store)).sort()).toEqual(wanted);
  expect((await found()).map(({ id }) => id).sort()).toEqual(wanted.map((id) => `${id}#0`).sort());
  expect((await store.nearest(Float32Array.of(1, 1, 1), { k: 1 })).matched).toBe(wanted.length);
  expect(await store.info()).toMatchObject({ documents: wanted.length, chunks: wanted.length, vectors: wanted.length });
  await store.put([recordOf('after', 'boat', [1, 0, 0])], { fingerprint: contractFingerprint });
  expect(await found()).toHaveLength(wanted.length + 1);
  await store.close();
}

test.each([
  { puts: 15, records: 2 },
  // So many are written in a thread of each process.
  { puts: 3, records: 400 },
])('processes that make and fill one index at once lose nothing: $puts puts of $records', async ({ puts, records }) => {
  const path = join(folder, `shared-${records}/index.db`);
  const names = ['one', 'two', 'three'];
  const writers = names.map((name) => startWriter(path, name, `${puts}`, `${records}`));
  await Promise.all(writers.map(({ said }) => said('ready')));
  for (const { child } of writers) child.stdin.end('go\n');
  expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual([0, 0, 0]);
  const each = (count: number) => Array.from({ length: count }, (_, at) => at);
  await expectWhole(
    path,
    names.flatMap((name) => each(puts).flatMap((put) => each(records).map((at) => `${name}-${put}-${at}`))),
  );
});

test('readers see the old state or the new one while a process writes', async () => {
  const path = join(folder, 'read.db');
  const writer = startWriter(path, 'one', '20', '5');
  await writer.said('ready');
  writer.child.stdin.end('go\n');
  await writer.said('end 0');
  const reader = openSqliteStore({ path, access: 'read' });
  let running = true;
  const ended = writer.ended.finally(() => {
    running = false;
  });
  const seen = new Set<number>();
  while (running) {
    const { matched, hits } = await reader.match([{ term: 'boat', weight: 1 }], { k: 1_000 });
    expect(hits).toHaveLength(matched);
    expect(matched % 5).toBe(0);
    seen.add(matched);
    await turn();
  }
  expect(await ended).toBe(0);
  expect((await reader.match([{ term: 'boat', weight: 1 }], { k: 1 })).matched).toBe(100);
  expect([...seen]).toEqual([...seen].sort((a, b) => a - b));
  await reader.close();
});

test.each(['begins', 'has written a part'])(
  'a process killed when a put %s leaves all of it or nothing',
  async (moment) => {
    const path = join(folder, `${moment}.db`);
    const first = openSqliteStore({ path });
    await first.put([recordOf('old', 'boat', [1, 0, 0])], { fingerprint: contractFingerprint });
    await first.close();
    // More than SQLite keeps in memory, so that parts of the transaction are on disk before it ends.
    const writer = startWriter(path, 'one', '1', '2500', '10000');
    await writer.said('ready');
    writer.child.stdin.write('go\n');
    await writer.said('begin 0');
    const logSize = () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    const before = logSize();
    const done = () => writer.lines.includes('end 0');
    if (moment !== 'begins') while (logSize() <= before && !done()) await turn();
    writer.child.kill('SIGKILL');
    await writer.ended;
    // On a slow machine the signal may come when the put has been done; then all of it must be there.
    const store = openSqliteStore({ path });
    const { documents } = await store.info();
    await store.close();
    expect(done() ? [2_501] : [1, 2_501]).toContain(documents);
    const added = Array.from({ length: documents - 1 }, (_, index) => `one-0-${index}`);
    await expectWhole(path, ['old', ...added]);
  },
);

test('killed at random moments while it indexes, compacts and repairs, it loses nothing', {
  timeout: 180_000,
}, async () => {
  const script = fileURLToPath(new URL('../../scripts/kill-9.js', import.meta.url));
  const child = spawn(process.execPath, [script, '--times', '12', '--documents', '300'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (data) => {
    said += data;
  });
  const [code] = await once(child, 'close');
  expect(JSON.parse(said)).toMatchObject({ lost: 0, twice: 0, failedOpens: 0, notWhole: 0 });
  expect(code).toBe(0);
});
