import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { modelCachePath, openModelCache, openSqliteStore } from '../../src/storage/index.js';
import { makeWorkspace } from '../cli/workspace.js';

const folder = await makeWorkspace();
let files = 0;
const newPath = () => join(folder, `cache-${files++}`);
const key = (value: number) => value.toString(16).padStart(32, '0');
const bytes = (length: number, fill = 7) => new Uint8Array(length).fill(fill);

test('what one keeps another finds; nothing is made before something is kept', async () => {
  const path = newPath();
  const one = openModelCache({ path });
  expect(await one.find([key(1)])).toEqual(new Map());
  await one.keep(new Map());
  expect(existsSync(path)).toBe(false);
  await one.keep(
    new Map([
      [key(1), bytes(3)],
      [key(2), bytes(0)],
    ]),
  );
  const two = openModelCache({ path });
  expect(await two.find([key(2), key(3), key(1)])).toEqual(
    new Map([
      [key(2), bytes(0)],
      [key(1), bytes(3)],
    ]),
  );
  await two.keep(new Map([[key(1), bytes(5)]]));
  expect((await one.find([key(1)])).get(key(1))).toEqual(bytes(5));
  one.close();
  two.close();
  await expect(one.find([key(1)])).rejects.toMatchObject({ code: 'storage_failed' });
});

test.skipIf(process.platform === 'win32')('nobody else may read it', async () => {
  const path = newPath();
  const cache = openModelCache({ path });
  await cache.keep(new Map([[key(1), bytes(1)]]));
  for (const file of [path, `${path}-wal`]) expect((await stat(file)).mode & 0o077).toBe(0);
  cache.close();
});

test('it stays within its bytes: what was unused longest goes, what is large is not kept', async () => {
  const path = newPath();
  const maxBytes = 400_000;
  const cache = openModelCache({ path, maxBytes });
  const many = (from: number, count: number) =>
    new Map(Array.from({ length: count }, (_, at) => [key(from + at), bytes(1_500)]));
  await cache.keep(many(0, 150));
  await cache.keep(new Map([[key(9_999), bytes(50_000)]]));
  const database = new Database(path);
  database.prepare('UPDATE entries SET used = used - 2').run();
  expect([...(await cache.find([key(0), key(75), key(9_999)])).keys()]).toEqual([key(0), key(75)]);
  for (let from = 1_000; from < 1_120; from += 10) await cache.keep(many(from, 10));
  const kept = await cache.find([key(0), key(1), key(2), key(75), key(1_119)]);
  expect([...kept.keys()]).toEqual([key(0), key(75), key(1_119)]);
  const held = database.prepare('SELECT sum(length(value)) FROM entries').pluck().get() as number;
  expect(held).toBeGreaterThan(maxBytes / 2);
  database.pragma('wal_checkpoint(TRUNCATE)');
  expect((await stat(path)).size).toBeLessThan(maxBytes * 1.1);
  database.close();
  cache.close();
});

test('what nobody asked for in a long time goes', async () => {
  const path = newPath();
  const first = openModelCache({ path, maxDays: 10 });
  await first.keep(
    new Map([
      [key(1), bytes(1)],
      [key(2), bytes(1)],
    ]),
  );
  first.close();
  const database = new Database(path);
  database.prepare('UPDATE entries SET used = used - 11').run();
  database.close();
  const later = openModelCache({ path, maxDays: 10 });
  await later.find([key(2)]);
  await later.keep(new Map([[key(3), bytes(1)]]));
  expect([...(await later.find([key(1), key(2), key(3)])).keys()]).toEqual([key(2), key(3)]);
  later.close();
});

test('what is found is given also while another writes', async () => {
  const path = newPath();
  const cache = openModelCache({ path });
  await cache.keep(new Map([[key(1), bytes(1)]]));
  const writer = new Database(path);
  writer.exec('UPDATE entries SET used = used - 2; BEGIN IMMEDIATE');
  expect((await cache.find([key(1)])).size).toBe(1);
  await expect(cache.keep(new Map([[key(2), bytes(1)]]))).rejects.toMatchObject({ code: 'storage_failed' });
  writer.exec('COMMIT');
  expect((await cache.find([key(1)])).size).toBe(1);
  expect(writer.prepare('SELECT used FROM entries').pluck().get()).toBe(Math.floor(Date.now() / 86_400_000));
  writer.close();
  cache.close();
});

test('a damaged entry is as if it were not there; a file of another kind is named', async () => {
  const path = newPath();
  const cache = openModelCache({ path });
  await cache.keep(
    new Map([
      [key(1), bytes(8)],
      [key(2), bytes(8)],
    ]),
  );
  const database = new Database(path);
  database.prepare("UPDATE entries SET value = replace(value, x'07', x'08') WHERE row = 1").run();
  database.prepare("UPDATE entries SET value = 'text' WHERE row = 2").run();
  database.close();
  expect(await cache.find([key(1), key(2)])).toEqual(new Map());
  cache.close();

  const other = newPath();
  await writeFile(other, 'no database at all, but long enough to be read as the beginning of one'.repeat(9));
  const wrong = openModelCache({ path: other });
  await expect(wrong.find([key(1)])).rejects.toMatchObject({ message: expect.stringContaining(other) });
  await expect(wrong.keep(new Map([[key(1), bytes(1)]]))).rejects.toMatchObject({ code: 'storage_failed' });
});

test('two processes that begin at once both keep', async () => {
  const path = newPath();
  const script = `
    const { openModelCache } = await import(${JSON.stringify(new URL('../../dist/storage/index.js', import.meta.url).href)});
    const cache = openModelCache({ path: process.argv[1] });
    for (let at = 0; at < 20; at++)
      await cache.keep(new Map([[(Number(process.argv[2]) * 100 + at).toString(16).padStart(32, '0'), new Uint8Array(10)]]));
    cache.close();`;
  const run = (id: number) =>
    new Promise<number | null>((resolve) => {
      spawn(process.execPath, ['--input-type=module', '-e', script, path, `${id}`], { stdio: 'inherit' }).on(
        'close',
        resolve,
      );
    });
  expect(await Promise.all([run(1), run(2)])).toEqual([0, 0]);
  const cache = openModelCache({ path });
  const keys = [1, 2].flatMap((id) => Array.from({ length: 20 }, (_, at) => key(id * 100 + at)));
  expect((await cache.find(keys)).size).toBe(40);
  cache.close();
});

test('compacting an index leaves no byte of what models made for it', async () => {
  const path = join(folder, 'index.db');
  const store = openSqliteStore({ path });
  const cache = openModelCache({ path: modelCachePath(path) });
  await cache.keep(new Map([[key(1), new TextEncoder().encode('a passage that quotes a removed document')]]));
  await store.compact();
  expect(await cache.find([key(1)])).toEqual(new Map());
  for (const file of [modelCachePath(path), `${modelCachePath(path)}-wal`])
    if (existsSync(file)) expect((await readFile(file)).includes('removed document')).toBe(false);
  cache.close();
  await store.close();
});
