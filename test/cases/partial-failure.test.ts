import { expect, test } from 'vitest';
import { indexDocuments } from '../../src/core/indexing.js';
import type { Embedder } from '../../src/core/ports.js';
import { createSurmise } from '../../src/core/surmise.js';
import { countingEmbedder } from '../core/counting-embedder.js';
import { embedder, memoryStore } from '../core/library.js';

const chapter = (at: number) =>
  Array.from({ length: 40 }, (_, mile) => `Chapter ${at} follows the river to mile ${mile}.`).join(' ');
const chapters = (count: number) => Array.from({ length: count }, (_, at) => chapter(at)).join('\n\n');
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
  const { chunks } = report;
  expect(chunks).toBeGreaterThan(9);
  expect(report).toMatchObject({ added: 1, embedded: chunks });
  expect(await store.info()).toMatchObject({ chunks, vectors: chunks });
});

test('FR-132 a document of which one part failed is not taken for done, and the next run does that part', async () => {
  const store = memoryStore();
  const whole = { document: { id: 'whole', text: 'A note of one part.' } };
  const parts = { document: { id: 'parts', text: `${chapters(3)}\n\nThe ferry is late.` } };
  const refusing: Embedder = {
    ...embedder,
    embed: (texts, options) =>
      texts.some((text) => text.includes('ferry'))
        ? Promise.reject(new Error('not this one'))
        : embedder.embed(texts, options),
  };
  const first = await indexDocuments({ store, embedder: refusing }, [whole, parts], { chunking });
  expect(first).toMatchObject({ added: 2, failed: [{ id: 'parts', reason: expect.stringContaining('not this one') }] });
  const missing = first.chunks - first.embedded;
  expect(missing).toBeGreaterThan(0);
  const surmise = createSurmise({ store, embedder });
  const { hits, degraded } = await surmise.search('ferry');
  expect(hits[0]).toMatchObject({ document: 'parts' });
  expect(degraded).toMatchObject([{ part: 'dense', reason: `${missing} of ${first.chunks} chunks have no vector` }]);

  const counting = countingEmbedder();
  expect(await indexDocuments({ store, embedder: counting }, [whole, parts], { chunking })).toMatchObject({
    updated: 1,
    unchanged: 1,
    failed: [],
  });
  expect(counting.calls.flat()).toHaveLength(missing);
  expect((await surmise.search('ferry')).degraded).toEqual([]);
});
