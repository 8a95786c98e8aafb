import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';
import { put, recordOf } from '../contract/store-fixtures.js';

const folder = mkdtempSync(join(tmpdir(), 'surmise-'));
afterAll(() => rmSync(folder, { recursive: true }));
const program = fileURLToPath(new URL('./filler.js', import.meta.url));

async function filled(name: string): Promise<string> {
  const path = join(folder, name);
  const store = openSqliteStore({ path });
  await put(store, recordOf('a', 'boat', [1, 0, 0]));
  await store.close();
  return path;
}

/** What a process says that may make no file larger than so many kilobytes, as on a disk without room. */
function withinLimit(kilobytes: number, ...args: string[]) {
  const command = `ulimit -f ${kilobytes}; trap '' XFSZ; exec "$0" "$@"`;
  const { stdout, status } = spawnSync('bash', ['-c', command, process.execPath, program, ...args], {
    encoding: 'utf8',
  });
  return {
    status,
    said: JSON.parse(stdout || '{}') as { code?: string; message?: string; documents?: number; found?: number },
  };
}

describe.skipIf(process.platform === 'win32')('without room on the disk', () => {
  test('a write says so, and what was written before is served', async () => {
    const path = await filled('put.db');
    const { status, said } = withinLimit(1_500, path, 'put');
    expect(status).toBe(0);
    expect(said).toMatchObject({ code: 'storage_failed', message: expect.stringMatching(/disk has room/) });
    expect(said.documents).toBeGreaterThan(1);
    expect(said.found).toBe(said.documents);
    const store = openSqliteStore({ path });
    expect(await store.info()).toMatchObject({ documents: said.documents });
    expect((await store.check()).problems).toEqual([]);
    await put(store, recordOf('b', 'boat'));
    await store.close();
  });

  test('compacting says so, and the index is what it was', async () => {
    const path = await filled('compact.db');
    expect(withinLimit(100_000, path, 'put').said.code).toBeUndefined();
    const size = statSync(path).size;
    const { status, said } = withinLimit(Math.floor(size / 2 / 1024), path, 'compact');
    expect(status).toBe(0);
    expect(said).toMatchObject({ code: 'storage_failed' });
    expect(said.found).toBe(said.documents);
    const store = openSqliteStore({ path });
    expect(await store.info()).toMatchObject({ documents: 61 });
    expect((await store.check()).problems).toEqual([]);
    await store.compact();
    expect((await store.info()).documents).toBe(61);
    await store.close();
  });
});

describe.skipIf(process.platform === 'win32')('where nothing may be written', () => {
  test.each([
    ['to the file', 0o755],
    ['beside the file', 0o555],
  ])('%s: searching works, writing says so', async (_, mode) => {
    const path = await filled(`locked-${mode}/index.db`);
    // Whom the process becomes that is started by root.
    if (process.getuid?.() === 0) for (const own of [dirname(path), path]) chownSync(own, 65_534, 65_534);
    chmodSync(folder, 0o755);
    chmodSync(path, 0o400);
    chmodSync(dirname(path), mode);
    const locked = fileURLToPath(new URL('./locked.js', import.meta.url));
    const { stdout } = spawnSync(process.execPath, [locked, path], { encoding: 'utf8' });
    expect(JSON.parse(stdout)).toEqual({ found: ['a#0'], name: 'SurmiseError', code: 'storage_failed' });
    // So that it can be cleared away.
    chmodSync(dirname(path), 0o755);
  });
});
