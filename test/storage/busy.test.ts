import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';
import { contractFingerprint, match, put, recordOf } from '../contract/store-fixtures.js';

const folder = mkdtempSync(join(tmpdir(), 'surmise-'));
afterAll(() => rmSync(folder, { recursive: true }));
const program = fileURLToPath(new URL('./holder.js', import.meta.url));
let files = 0;

async function filled(): Promise<string> {
  const path = join(folder, `${files++}.db`);
  const store = openSqliteStore({ path });
  await put(store, recordOf('a', 'boat', [1, 0, 0]));
  await store.close();
  return path;
}

/** Another process that holds the index until it is let go. */
async function hold(path: string, ...how: string[]): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [program, path, ...how], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return async () => {
    child.stdin.end();
    await once(child, 'close');
  };
}

test('a write waits for another process, while this one goes on and reads', async () => {
  const path = await filled();
  const store = openSqliteStore({ path });
  const release = await hold(path);
  const done: string[] = [];
  const writes = [
    put(store, recordOf('b', 'boat')).then(() => done.push('b')),
    put(store, recordOf('c', 'boat')).then(() => done.push('c')),
    store.delete(['a']).then(() => done.push('a')),
  ];
  let turns = 0;
  for (const until = performance.now() + 300; performance.now() < until; turns++) await turn();
  expect(turns).toBeGreaterThan(20);
  expect(await match(store, 'boat')).toEqual(['a#0']);
  expect(done).toEqual([]);
  await release();
  await Promise.all(writes);
  // In the order in which they were asked for.
  expect(done).toEqual(['b', 'c', 'a']);
  expect(await match(store, 'boat')).toEqual(['b#0', 'c#0']);
  await store.close();
});

test('after the time that it was given it says who is in the way, and leaves the index as it was', async () => {
  const path = await filled();
  const store = openSqliteStore({ path, waitMs: 100 });
  const release = await hold(path);
  for (const write of [() => put(store, recordOf('b', 'boat')), () => store.delete(['a']), () => store.compact()])
    await expect(write()).rejects.toMatchObject({
      code: 'index_busy',
      retryable: true,
      message: expect.stringMatching(/Another process.*surmise index.*end it/),
    });
  await release();
  expect(await match(store, 'boat')).toEqual(['a#0']);
  await put(store, recordOf('b', 'boat'));
  await store.close();
});

test('closing ends the waiting', async () => {
  const path = await filled();
  const store = openSqliteStore({ path });
  const release = await hold(path);
  const write = put(store, recordOf('b', 'boat'));
  const ended = expect(write).rejects.toMatchObject({ code: 'bad_argument' });
  await store.close();
  await ended;
  await release();
});

test('a reader that stays at one moment lets others write, and is waited for only where the log is to be emptied', async () => {
  const path = await filled();
  const store = openSqliteStore({ path, waitMs: 200 });
  const release = await hold(path, 'read');
  await put(store, recordOf('b', 'boat', [0, 1, 0]));
  expect(await match(store, 'boat')).toEqual(['a#0', 'b#0']);
  await expect(store.compact()).rejects.toMatchObject({ code: 'index_busy' });
  expect(await match(store, 'boat')).toEqual(['a#0', 'b#0']);
  await release();
  await store.compact();
  expect(statSync(`${path}-wal`).size).toBe(0);
  await store.close();
});

test('the log does not grow with what is written', async () => {
  const path = await filled();
  const store = openSqliteStore({ path });
  const reader = openSqliteStore({ path, access: 'read' });
  let largest = 0;
  for (let round = 0; round < 30; round++) {
    const text = Array.from({ length: 60_000 }, (_, at) => ((round * 60_000 + at) * 2_654_435_761).toString(36)).join(
      ' ',
    );
    await store.put([{ document: { id: `${round}`, text }, hash: 'h', chunks: [{ start: 0, end: 100 }] }], {
      fingerprint: contractFingerprint,
    });
    await reader.info();
    largest = Math.max(largest, statSync(`${path}-wal`).size);
  }
  expect((await store.info()).bytes).toBeGreaterThan(8_000_000);
  expect(largest).toBeLessThan(13_000_000);
  await Promise.all([store.close(), reader.close()]);
});
