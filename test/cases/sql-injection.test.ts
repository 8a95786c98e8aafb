import { expect, test } from 'vitest';
import { indexDocuments } from '../../src/core/indexing.js';
import { embedder, library, memoryStore } from '../core/library.js';

const hostile = [
  "x' OR '1'='1",
  'x" OR "1"="1',
  "'; DROP TABLE vectors; --",
  'back\\slash',
  "ends in \\'",
  'ends in \\"',
  '100%',
  'a_b',
  'two\nlines',
  'nul\u0000byte',
];

test('FR-165 an id made to delete everything deletes nothing, and such ids are ids like others', async () => {
  const store = memoryStore();
  await indexDocuments(
    { store, embedder },
    library.slice(0, 3).map((document) => ({ document })),
  );
  expect(await store.delete(hostile)).toBe(0);
  expect(await store.vectors!(hostile)).toEqual(new Map());
  expect(await store.info()).toMatchObject({ documents: 3, vectors: 3 });
  const documents = hostile.map((id) => ({ document: { id, title: id, text: `Words of ${id}` } }));
  await indexDocuments({ store, embedder }, documents);
  for (const id of hostile) expect(await store.get([`${id}#0`])).toMatchObject([{ document: id, title: id }]);
  expect(await store.delete(hostile)).toBe(hostile.length);
  expect(await store.info()).toMatchObject({ documents: 3, vectors: 3 });
});

test('FR-166 a name that ends in a backslash and a quote widens no deletion', async () => {
  const store = memoryStore();
  const names = ["/notes/it\\'", '/notes/it\\"', "/notes/it'", '/notes/it', '/notes/it\\'];
  await indexDocuments(
    { store, embedder },
    names.map((id) => ({ document: { id, text: 'The same words in each.' } })),
  );
  for (const [at, name] of names.entries()) {
    expect(await store.delete([name])).toBe(1);
    expect(await store.info()).toMatchObject({ documents: names.length - at - 1, vectors: names.length - at - 1 });
  }
});
