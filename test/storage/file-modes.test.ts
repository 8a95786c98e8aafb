import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';
import { put, recordOf } from '../contract/store-fixtures.js';

const folder = mkdtempSync(join(tmpdir(), 'surmise-'));
afterAll(() => rmSync(folder, { recursive: true }));
const mode = (path: string) => statSync(path).mode & 0o777;

test('the size of an index counts the log beside it', async () => {
  const path = join(folder, 'size.db');
  const store = openSqliteStore({ path });
  await put(store, recordOf('a', 'boat '.repeat(20_000)));
  const log = statSync(`${path}-wal`).size;
  expect(log).toBeGreaterThan(100_000);
  expect((await store.info()).bytes).toBe(statSync(path).size + log);
  await store.close();
});

describe.skipIf(process.platform === 'win32')('what is made', () => {
  test('can be read by its user only', async () => {
    const shared = join(folder, 'shared');
    mkdirSync(shared);
    chmodSync(shared, 0o755);
    const path = join(shared, 'new/deep/index.db');
    const store = openSqliteStore({ path });
    await put(store, recordOf('a', 'boat'));
    for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(mode(file)).toBe(0o600);
    expect([mode(join(shared, 'new')), mode(join(shared, 'new/deep')), mode(shared)]).toEqual([0o700, 0o700, 0o755]);
    await store.close();
  });

  test('keeps the modes that its user gives it', async () => {
    const path = join(folder, 'open.db');
    await openSqliteStore({ path }).close();
    chmodSync(path, 0o640);
    const store = openSqliteStore({ path });
    await put(store, recordOf('a', 'boat'));
    expect([mode(path), mode(`${path}-wal`)]).toEqual([0o640, 0o640]);
    await store.close();
  });
});
