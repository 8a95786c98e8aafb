import { expect, test } from 'vitest';
import { indexDocuments } from '../../src/core/indexing.js';
import { formatWhere, parseWhere } from '../../src/core/parse-where.js';
import { embedder, indexed, library, memoryStore } from '../core/library.js';

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

test('FR-164 a value of a filter is a value, whatever it holds, and a filter is no SQL', async () => {
  const values = [...hostile, "it's", "notes/o'neil.md", 'a = b', '") or ("1" = "1', "tags', 'x')) --", '\\'];
  const documents = values.map((value, at) => ({
    id: `d${at}`,
    path: value,
    text: 'The same words in each.',
    metadata: { [value]: value, note: value },
  }));
  const { store, search } = await indexed(documents);
  const found = async (where: Parameters<typeof store.count>[0]) =>
    (await search('same words', { where, k: 100 })).hits.map(({ document }) => document);
  for (const [at, value] of values.entries()) {
    expect(await found(parseWhere(formatWhere({ field: 'path', is: '=', value })))).toEqual([`d${at}`]);
    for (const field of ['path', 'note', value]) expect(await found({ field, is: '=', value })).toEqual([`d${at}`]);
  }
  expect(await found({ field: "id = 'd0' or '1", is: '=', value: '1' })).toEqual([]);
  expect(await found(parseWhere("1'='1' or 1 = 1"))).toEqual([]);
  for (const text of ["tag = it's ; DROP TABLE documents", "tags = 'x' --"])
    await expect(async () => found(parseWhere(text))).rejects.toMatchObject({ code: 'bad_argument' });
  expect(await store.info()).toMatchObject({ documents: values.length, vectors: values.length });
});

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
