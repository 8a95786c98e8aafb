import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
// The thread's program exists in what was built only.
import { openSqliteStore } from '../../dist/storage/index.js';
import { contractFingerprint, hashes, put, recordOf } from '../contract/store-fixtures.js';

const folder = mkdtempSync(join(tmpdir(), 'surmise-'));
afterAll(() => rmSync(folder, { recursive: true }));
let folders = 0;
let home = '';
let path = '';
beforeEach(() => {
  home = join(folder, `${folders++}`);
  mkdirSync(home);
  path = join(home, 'index.db');
});
const many = (name: string) => Array.from({ length: 400 }, (_, at) => recordOf(`${name}${at}`, 'boat', [1, at, 0]));
const removed = { code: 'storage_failed', message: expect.stringMatching(/index\.db was removed or replaced/) };

// Windows lets nobody remove a file that is open.
describe.skipIf(process.platform === 'win32')('an index whose file', () => {
  test.each([
    ['is removed', () => rmSync(path)],
    ['is moved away', () => renameSync(path, `${path}.old`)],
    [
      'is replaced by a copy',
      () => {
        copyFileSync(path, `${path}.copy`);
        renameSync(`${path}.copy`, path);
      },
    ],
    ['is gone with its folder', () => rmSync(home, { recursive: true })],
  ])('%s while it is open says so, and makes no other', async (_, happen) => {
    const [store, reader] = [openSqliteStore({ path }), openSqliteStore({ path, access: 'read' })];
    await put(store, recordOf('a', 'boat', [1, 0, 0]));
    expect((await reader.info()).documents).toBe(1);
    happen();
    const there = existsSync(home) ? readdirSync(home).sort() : [];
    const failing = [
      () => put(store, recordOf('b', 'boat')),
      () => put(store, ...many('c')),
      () => store.delete(['a']),
      () => store.saveCollection('notes', {}),
      () => store.compact(),
      () => store.check({ repair: true }),
      () => store.check(),
      () => store.info(),
      () => store.get(['a#0']),
      () => hashes(store),
      () => reader.match([{ term: 'boat', weight: 1 }], { k: 1 }),
    ];
    for (const call of failing) await expect(call()).rejects.toMatchObject(removed);
    expect(existsSync(home) ? readdirSync(home).sort() : []).toEqual(there);
    await Promise.all([store.close(), reader.close()]);
  });

  test.skipIf(availableParallelism() < 2)('is removed makes no other in a running thread either', async () => {
    const store = openSqliteStore({ path });
    await put(store, ...many('a'));
    rmSync(path);
    await expect(put(store, ...many('b'))).rejects.toMatchObject(removed);
    await expect(put(store, recordOf('c', 'boat'))).rejects.toMatchObject(removed);
    expect(existsSync(path)).toBe(false);
    await store.close();
  });

  test('is named by another path stays the same', async () => {
    const store = openSqliteStore({ path });
    renameSync(home, `${home}.moved`);
    mkdirSync(home);
    await expect(put(store, recordOf('a', 'boat'))).rejects.toMatchObject(removed);
    rmSync(home, { recursive: true });
    renameSync(`${home}.moved`, home);
    await put(store, recordOf('a', 'boat'), ...many('b'));
    expect((await store.info()).documents).toBe(401);
    await store.close();
  });
});

test('an index that was opened by a relative path stays where it is when the working folder changes', async () => {
  const before = process.cwd();
  process.chdir(home);
  const store = openSqliteStore({ path: 'index.db' });
  try {
    process.chdir(folder);
    await put(store, recordOf('a', 'boat'));
    await store.put(many('b'), { fingerprint: contractFingerprint });
    expect((await store.info()).documents).toBe(401);
    expect(existsSync(path)).toBe(true);
  } finally {
    process.chdir(before);
    await store.close();
  }
});
