import type Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { DocumentRecord } from '../../src/core/ports.js';
import { openDatabase } from '../../src/storage/open.js';
import { readChunks } from '../../src/storage/read.js';
import { putDocuments } from './put-documents.js';

/** A document of so many chunks of one word. */
function wordsOf(id: string, count: number): DocumentRecord {
  const chunks = Array.from({ length: count }, (_, index) => ({ start: index * 5, end: index * 5 + 4 }));
  return { document: { id, text: 'boat '.repeat(count) }, hash: 'h', chunks };
}

test('texts are analysed before a transaction begins', () => {
  const database = openDatabase(':memory:', 'write');
  const whileOpen: boolean[] = [];
  const record = wordsOf('a', 2);
  const watched = {
    ...record,
    chunks: record.chunks.map((chunk) => ({
      ...chunk,
      get heading() {
        whileOpen.push(database.inTransaction);
        return [];
      },
    })),
  };
  putDocuments(database, [watched], undefined);
  expect(new Set(whileOpen)).toEqual(new Set([false]));
  database.close();
});

test('a chunk reads the parts of its text that it lies in only, and parts once for all of its chunks', () => {
  const database = openDatabase(':memory:', 'write');
  putDocuments(database, [wordsOf('a', 30_000), wordsOf('b', 300)], undefined);
  let reads = 0;
  const counting = new Proxy(database, {
    get: (target, name) =>
      name === 'prepare'
        ? (sql: string) => counted(target.prepare(sql), sql.includes('texts'))
        : Reflect.get(target, name),
  });
  function counted(statement: Database.Statement, ofTexts: boolean) {
    const get = statement.get.bind(statement);
    return Object.defineProperty(statement, 'get', {
      value: (...values: unknown[]) => {
        if (ofTexts) reads++;
        return get(...values);
      },
    });
  }
  const ids = Array.from({ length: 300 }, (_, index) => [`a#${20_000 + index}`, `b#${index}`]).flat();
  expect(readChunks(counting, ids, false).map(({ id }) => id)).toEqual(ids);
  // 1,500 of the 150,000 units of the first text, and all of the other.
  expect(reads).toBe(2);
  database.close();
});
