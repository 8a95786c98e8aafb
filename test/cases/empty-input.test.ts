import { expect, test } from 'vitest';
import { indexDocuments } from '../../src/core/indexing.js';
import { countingEmbedder } from '../core/counting-embedder.js';
import { embedder, library, memoryStore } from '../core/library.js';

test('FR-070 blank texts are left out before the call, and each vector belongs to its text', async () => {
  const store = memoryStore();
  const counting = countingEmbedder();
  const blank = ['', ' ', '\n\t\n', '\u00a0', '\u3000', '\ufeff'];
  const documents = library.flatMap((document, at) => [
    document,
    { id: `blank-${at}`, text: blank[at % blank.length]! },
  ]);
  const report = await indexDocuments(
    { store, embedder: counting },
    documents.map((document) => ({ document })),
  );
  expect(report).toMatchObject({ added: 8, embedded: 8 });
  expect(report.skipped.map(({ reason }) => reason)).toEqual(library.map(() => 'empty'));
  expect(counting.calls.flat().filter((text) => text.trim() === '')).toEqual([]);
  for (const { id, title, text } of library) {
    const [chunk] = await store.get([`${id}#0`], { vectors: true });
    const said = text.includes(title!) ? text : `${title}\n${text}`;
    expect([chunk!.vector]).toEqual(await embedder.embed([said], { role: 'document' }));
  }
});

test('FR-071 a document that becomes empty leaves the index, spoils nothing and is done', async () => {
  const store = memoryStore();
  const inputs = library.map((document) => ({ document }));
  await indexDocuments({ store, embedder }, inputs);
  const now = inputs.map((input) => (input.document.id === 'bees' ? { document: { id: 'bees', text: ' ' } } : input));
  const edited = [...now, { document: { id: 'new', text: 'Something new.' } }];
  const report = await indexDocuments({ store, embedder }, edited);
  expect(report).toMatchObject({ added: 1, unchanged: 7, skipped: [{ id: 'bees', reason: 'empty' }] });
  const counting = countingEmbedder();
  expect(await indexDocuments({ store, embedder: counting }, edited)).toMatchObject({ added: 0, unchanged: 8 });
  expect(counting.calls).toEqual([]);
});

test('FR-073 nothing is asked for documents and blocks without words', async () => {
  const counting = countingEmbedder();
  const text = '# A\n\n   \n';
  const inputs = [
    { document: { id: 'a', text }, blocks: [{ start: 4, end: text.length, heading: ['A'] }] },
    { document: { id: 'b', text: ' \n\n\t' } },
  ];
  const report = await indexDocuments({ store: memoryStore(), embedder: counting }, inputs);
  expect(report).toMatchObject({ added: 0, embedded: 0 });
  expect(counting.calls).toEqual([]);
});
