import { expect, test } from 'vitest';
import { indexDocuments } from '../../src/core/indexing.js';
import type { Embedder } from '../../src/core/ports.js';
import { countingEmbedder } from '../core/counting-embedder.js';
import { embedder, memoryStore } from '../core/library.js';

const chapters = (count: number) =>
  Array.from({ length: count }, (_, at) => `Chapter ${at} follows the river. `.repeat(4).trim()).join('\n\n');
const chunking = { size: 130 };

test('FR-130 a document whose embedding broke off after the first part is done by the next run', async () => {
  const store = memoryStore();
  const book = [{ document: { id: 'book', text: chapters(10) } }];
  const caller = new AbortController();
  const stopping: Embedder = {
    ...embedder,
    limits: { batch: 1 },
    async embed(texts, options) {
      caller.abort();
      return embedder.embed(texts, options);
    },
  };
  const run = indexDocuments({ store, embedder: stopping }, book, { chunking, signal: caller.signal });
  await expect(run).rejects.toMatchObject({ code: 'aborted' });
  expect(await store.info()).toMatchObject({ documents: 0, chunks: 0, vectors: 0 });
  const report = await indexDocuments({ store, embedder }, book, { chunking });
  expect(report).toMatchObject({ added: 1, embedded: 10, chunks: 10 });
  expect(await store.info()).toMatchObject({ chunks: 10, vectors: 10 });
});

test('FR-132 a document of which one part of three failed is not taken for done', async () => {
  const store = memoryStore();
  const whole = { document: { id: 'whole', text: 'A note of one part.' } };
  const three = { document: { id: 'three', text: chapters(3) } };
  const failing = countingEmbedder(embedder, { batch: 1, failAt: 2 });
  await expect(indexDocuments({ store, embedder: failing }, [whole, three], { chunking })).rejects.toMatchObject({
    code: 'provider_failed',
    message: expect.stringContaining('document "three"'),
  });
  const ids = [];
  for await (const { id } of store.documents()) ids.push(id);
  expect(ids).toEqual(['whole']);
  const counting = countingEmbedder();
  expect(await indexDocuments({ store, embedder: counting }, [whole, three], { chunking })).toMatchObject({
    added: 1,
    unchanged: 1,
    chunks: 3,
  });
  expect(counting.calls.flat()).toHaveLength(3);
});
