import { expect, test } from 'vitest';
import { indexDocuments } from '../../src/core/indexing.js';
import { countingEmbedder } from '../core/counting-embedder.js';
import { embedder, memoryStore } from '../core/library.js';

const pages = (text: string) => Array.from({ length: 50 }, (_, at) => ({ document: { id: `page-${at}`, text } }));

test('FR-115 fifty equal pages in one batch are fifty documents, embedded once; blank ones are left out and named', async () => {
  const store = memoryStore();
  const counting = countingEmbedder();
  const report = await indexDocuments({ store, embedder: counting }, pages('This page is left blank on purpose.'));
  expect(report).toMatchObject({ added: 50, embedded: 1, reused: 49, skipped: [] });
  expect(await store.info()).toMatchObject({ documents: 50, chunks: 50, vectors: 50 });
  const blank = await indexDocuments({ store: memoryStore(), embedder: counting }, pages(' \n'));
  expect(blank).toMatchObject({ added: 0, embedded: 0 });
  expect(blank.skipped).toEqual(pages('').map(({ document: { id } }) => ({ id, reason: 'empty' })));
  expect(counting.calls).toHaveLength(1);
});

test('FR-116 ids that look like the chunks of another document overwrite nothing', async () => {
  const store = memoryStore();
  const documents = ['a', 'a#0', 'a#0#0'].map((id) => ({ document: { id, text: `The words of ${id}.` } }));
  const report = await indexDocuments({ store, embedder }, [
    ...documents,
    { document: { id: 'a', text: 'Another a.' } },
  ]);
  expect(report).toMatchObject({ added: 3, skipped: [{ id: 'a', reason: 'duplicate id' }] });
  const chunks = await store.get(['a#0', 'a#0#0', 'a#0#0#0']);
  expect(chunks.map(({ text }) => text)).toEqual(documents.map(({ document }) => document.text));
});

test('FR-117 an update that names a document twice removes no rows: the first counts, the second is named', async () => {
  const store = memoryStore();
  await indexDocuments({ store, embedder }, pages('Old.'));
  const twice = ['First.', 'Second.'].map((text) => ({ document: { id: 'page-7', text } }));
  const report = await indexDocuments({ store, embedder }, twice);
  expect(report).toMatchObject({ updated: 1, skipped: [{ id: 'page-7', reason: 'duplicate id' }] });
  expect(await store.info()).toMatchObject({ documents: 50, chunks: 50, vectors: 50 });
  expect(await store.get(['page-7#0'])).toMatchObject([{ text: 'First.' }]);
  // Where a store is given both, the last one counts.
  const record = (text: string) => ({ document: { id: 'page-7', text }, hash: text, chunks: [{ start: 0, end: 4 }] });
  await store.put([record('Last but one.'), record('Last.')]);
  expect(await store.info()).toMatchObject({ documents: 50, chunks: 50 });
  expect(await store.get(['page-7#0'])).toMatchObject([{ text: 'Last' }]);
});
