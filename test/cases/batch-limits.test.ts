import { expect, test } from 'vitest';
import { SurmiseError } from '../../src/core/errors.js';
import { indexDocuments } from '../../src/core/indexing.js';
import { countingEmbedder } from '../core/counting-embedder.js';
import { embedder, memoryStore } from '../core/library.js';

test('FR-076 no call holds more texts than the embedder allows', async () => {
  const counting = countingEmbedder(embedder, { batch: 32 });
  const documents = Array.from({ length: 142 }, (_, at) => ({ document: { id: `${at}`, text: `Entry ${at}.` } }));
  const report = await indexDocuments({ store: memoryStore(), embedder: counting }, documents);
  expect(report).toMatchObject({ added: 142, embedded: 142 });
  expect(counting.calls.map((texts) => texts.length)).toEqual([32, 32, 32, 32, 14]);
});

test.each([
  ['413', 'takes less in one request (HTTP 413)'],
  ['400', 'refused the request (HTTP 400): too many inputs'],
])('FR-076 after %s for too many texts the other calls are as small as the server takes them', async (_, message) => {
  const sizes: number[] = [];
  const counting = countingEmbedder(embedder, { batch: 64 });
  const narrow = {
    ...counting,
    embed: (texts: readonly string[], options: Parameters<typeof counting.embed>[1]) => {
      sizes.push(texts.length);
      if (texts.length > 20) return Promise.reject(new SurmiseError('provider_failed', message));
      return counting.embed(texts, options);
    },
  };
  const documents = Array.from({ length: 500 }, (_, at) => ({ document: { id: `${at}`, text: `Entry ${at}.` } }));
  const report = await indexDocuments({ store: memoryStore(), embedder: narrow }, documents);
  expect(report).toMatchObject({ added: 500, embedded: 500, failed: [] });
  // The first call and its first half.
  expect(sizes.filter((size) => size > 20)).toEqual([64, 32]);
});

test('FR-074 a call keeps the limits of tokens and bytes of all its texts together', async () => {
  const counting = {
    ...countingEmbedder(),
    limits: { batch: 1_000, callTokens: 300, callBytes: 2_000 },
    countTokens: (text: string) => text.split(' ').length,
  };
  const text = (at: number) => `${at} ${'sand '.repeat(50)}${'dune'.repeat(at % 60)}`;
  const documents = Array.from({ length: 100 }, (_, at) => ({ document: { id: `${at}`, text: text(at) } }));
  const report = await indexDocuments({ store: memoryStore(), embedder: counting }, documents);
  expect(counting.calls.flat()).toHaveLength(report.embedded);
  expect(counting.calls.length).toBeLessThan(40);
  for (const texts of counting.calls) {
    expect(texts.join(' ').split(' ').length).toBeLessThanOrEqual(300);
    expect(texts.join('').length).toBeLessThanOrEqual(2_000);
  }
});
