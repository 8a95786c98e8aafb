import type Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DocumentRecord } from '../../src/core/ports.js';
import { compact } from '../../src/storage/compact.js';
import { deleteDocuments } from '../../src/storage/delete-documents.js';
import { openDatabase } from '../../src/storage/open.js';
import { readChunks } from '../../src/storage/read.js';
import { entriesOf as entriesOfSegment, readSegments } from '../../src/storage/segments.js';
import { takeSnapshot } from '../../src/storage/snapshot.js';
import { readVectors } from '../../src/storage/stored-vectors.js';
import { contractFingerprint, recordOf } from '../contract/store-fixtures.js';
import { putDocuments } from './put-documents.js';

const words = ['boat', 'oar', 'sail'];
const names = ['a', 'b', 'c', 'd', 'e'];

/** Documents of many chunks of one word. */
function wordsOf(id: string, count: number): DocumentRecord {
  const chunks = Array.from({ length: count }, (_, index) => ({ start: index * 5, end: index * 5 + 4 }));
  return { document: { id, text: 'boat '.repeat(count) }, hash: 'h', chunks };
}

const rowsOf = (database: Database.Database) =>
  database.prepare('SELECT row FROM chunks ORDER BY row').pluck().all() as number[];
const entriesOf = (database: Database.Database) =>
  readSegments(database)
    .flatMap(({ id }) => [...entriesOfSegment(database, id)])
    .reduce((sum, { list }) => sum + list.count, 0);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** What searches see, chunks by id. */
function sight(database: Database.Database) {
  const { postings } = takeSnapshot(database);
  const dense = readVectors(database, 3, (row) => postings.id(row), 0);
  const near = (...query: number[]) => {
    const { hits, matched } = dense.search(Float32Array.from(query), { k: 100 });
    return { hits: hits.map(({ id, score }) => [id, score]), matched };
  };
  const ids = names.map((name) => `${name}#0`);
  return {
    size: postings.size,
    averageLength: postings.averageLength,
    terms: words.map((word) => {
      const { rows = [], frequencies = [] } = postings.postings(word) ?? {};
      return Array.from(rows, (row, index) => [postings.id(row), frequencies[index], postings.lengths[row]]);
    }),
    vectors: [near(1, 0, 0), near(0, 1, 2)],
    chunks: readChunks(database, ids, true),
  };
}

const record = fc
  .tuple(
    fc.constantFrom(...names),
    fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }),
    fc.option(fc.constantFrom([1, 0, 0], [0, 2, 1])),
  )
  .map(([id, text, vector]) => recordOf(id, text.join(' '), vector ?? undefined));
const steps = fc.array(
  fc.oneof({ weight: 4, arbitrary: record }, { weight: 1, arbitrary: fc.constantFrom(...names) }),
  {
    maxLength: 40,
    size: 'max',
  },
);

function apply(database: Database.Database, step: DocumentRecord | string): void {
  if (typeof step === 'string') deleteDocuments(database, [step]);
  else putDocuments(database, [step], contractFingerprint);
}

test('compacting leaves no gaps and no dead postings, and searches see what they saw, also after more writes', () =>
  fc.assert(
    fc.property(steps, steps, (before, after) => {
      const [database, other] = [openDatabase(':memory:', 'write'), openDatabase(':memory:', 'write')];
      for (const step of before) for (const one of [database, other]) apply(one, step);
      compact(database);
      expect(sight(database)).toEqual(sight(other));
      expect(rowsOf(database)).toEqual(upTo(rowsOf(other).length));
      expect(entriesOf(database)).toBe(sight(database).terms.flat().length);
      expect(database.prepare('SELECT count(*) FROM segments').pluck().get()).toBeLessThanOrEqual(1);
      expect(database.pragma('foreign_key_check')).toEqual([]);
      for (const step of after) for (const one of [database, other]) apply(one, step);
      expect(sight(database)).toEqual(sight(other));
      database.close();
      other.close();
    }),
    { numRuns: 40 },
  ));

test('an index that is replaced again and again compacts itself', () => {
  const database = openDatabase(':memory:', 'write');
  for (let n = 0; n < 8; n++) {
    putDocuments(database, [wordsOf('a', 4_000)], undefined);
    expect(rowsOf(database)).toHaveLength(4_000);
    expect(rowsOf(database).at(-1)).toBeLessThanOrEqual(2 * 4_000 + 10_000);
  }
  expect(takeSnapshot(database).postings.postings('boat')?.rows).toHaveLength(4_000);
  database.close();
});

test('an index from which most is removed compacts itself', () => {
  const database = openDatabase(':memory:', 'write');
  putDocuments(database, [wordsOf('a', 11_000), wordsOf('b', 100)], undefined);
  putDocuments(database, [wordsOf('c', 200)], undefined);
  expect(deleteDocuments(database, ['a'])).toBe(1);
  expect(rowsOf(database)).toEqual(upTo(300));
  expect(entriesOf(database)).toBe(300);
  expect(deleteDocuments(database, ['b', 'c'])).toBe(2);
  database.close();
});
