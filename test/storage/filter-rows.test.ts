import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { parseWhere } from '../../src/core/parse-where.js';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';
import { recordOf } from '../contract/store-fixtures.js';

const folder = mkdtempSync(join(tmpdir(), 'surmise-'));
afterAll(() => rmSync(folder, { recursive: true }));

function numbered(count: number) {
  return Array.from({ length: count }, (_, n) => {
    const record = recordOf(`d${n}`, `boat ${n}`);
    return { ...record, document: { ...record.document, metadata: { n } } };
  });
}

test('more filters than are kept, asked again and in another order', async () => {
  const store = openSqliteStore({ path: ':memory:' });
  await store.put(numbered(60));
  const counts = async (order: readonly number[]) => {
    for (const n of order) {
      expect(await store.count(parseWhere(`n < ${n}`))).toEqual({ documents: n, chunks: n });
      expect((await store.match([{ term: 'boat', weight: 1 }], { k: 99, where: parseWhere(`n < ${n}`) })).matched).toBe(
        n,
      );
    }
  };
  const order = Array.from({ length: 50 }, (_, at) => at);
  await counts(order);
  await counts(order.reverse());
  await store.close();
});

test('a filter sees what another process wrote', async () => {
  const path = join(folder, 'two.db');
  const [writer, reader] = [openSqliteStore({ path }), openSqliteStore({ path })];
  const where = parseWhere('n >= 0');
  await writer.put(numbered(2));
  expect(await reader.count(where)).toEqual({ documents: 2, chunks: 2 });
  await writer.put(numbered(3));
  expect(await reader.count(where)).toEqual({ documents: 3, chunks: 3 });
  await Promise.all([writer.close(), reader.close()]);
});

test('a language that could not be told is missing', async () => {
  const store = openSqliteStore({ path: ':memory:' });
  await store.put([recordOf('a', '42')]);
  expect(await store.count(parseWhere('not exists language'))).toEqual({ documents: 1, chunks: 1 });
  expect(await store.count(parseWhere('language = und'))).toEqual({ documents: 0, chunks: 0 });
  await store.close();
});

test.each(['{', '[]', '7', 'null', ''])(
  'metadata that are %j in the file are damage, where a filter asks for them',
  async (json) => {
    const path = join(folder, `damaged-${json.length}${json.charCodeAt(0)}.db`);
    const made = openSqliteStore({ path });
    await made.put(numbered(2));
    await made.close();
    const database = new Database(path);
    database.prepare("UPDATE documents SET metadata = ? WHERE id = 'd1'").run(json);
    database.close();
    const store = openSqliteStore({ path });
    await expect(store.count(parseWhere('n = 1'))).rejects.toMatchObject({ code: 'index_damaged' });
    expect(await store.count(parseWhere('id = d1'))).toEqual({ documents: 1, chunks: 1 });
    await store.close();
  },
);
