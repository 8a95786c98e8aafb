import { describe, expect, test } from 'vitest';
import { checkEmbedder } from '../../src/core/check-embedder.js';
import { embedTexts } from '../../src/core/embed.js';
import { indexDocuments } from '../../src/core/indexing.js';
import type { Embedder } from '../../src/core/ports.js';
import { createSurmise } from '../../src/core/surmise.js';
import { embedder, memoryStore } from './library.js';

const { fingerprint } = embedder;
const inputs = [{ document: { id: 'a', text: 'A ferry.' } }];

test.each<[string, object | null | number]>([
  ['embedder', null],
  ['embedder', 5],
  ['fingerprint', { fingerprint: undefined }],
  ['fingerprint', { fingerprint: null }],
  ['fingerprint.provider', { fingerprint: { ...fingerprint, provider: '' } }],
  ['fingerprint.model', { fingerprint: { ...fingerprint, model: undefined } }],
  ['fingerprint.dimensions', { fingerprint: { ...fingerprint, dimensions: 0 } }],
  ['fingerprint.dimensions', { fingerprint: { ...fingerprint, dimensions: Number.NaN } }],
  ['fingerprint.dimensions', { fingerprint: { ...fingerprint, dimensions: '64' } }],
  ['fingerprint.normalised', { fingerprint: { ...fingerprint, normalised: undefined } }],
  ['fingerprint.prefixes', { fingerprint: { ...fingerprint, prefixes: { query: 'q' } } }],
  ['limits', { limits: undefined }],
  ['limits.batch', { limits: {} }],
  ['limits.batch', { limits: { batch: Number.POSITIVE_INFINITY } }],
  ...[0, -1, 1.5, Number.NaN, '5'].flatMap((limit): [string, object][] => [
    ['limits.batch', { limits: { batch: limit } }],
    ['limits.concurrency', { limits: { batch: 1, concurrency: limit } }],
    ['limits.tokens', { limits: { batch: 1, tokens: limit } }],
    ['limits.callTokens', { limits: { batch: 1, callTokens: limit } }],
    ['limits.callBytes', { limits: { batch: 1, callBytes: limit } }],
  ]),
  ['limits.tokens', { limits: { batch: 1, tokens: Number.POSITIVE_INFINITY } }],
  ['embed', { embed: undefined }],
  ['countTokens', { countTokens: 5 }],
  ['price', { price: { perMillionTokens: 'much', currency: 'EUR' } }],
])('a wrong %s is named, and nothing is written: %j', async (part, change) => {
  const wrong = (typeof change === 'object' && change !== null ? { ...embedder, ...change } : change) as Embedder;
  const error = { code: 'bad_argument', message: expect.stringContaining(part) };
  const store = memoryStore();
  await indexDocuments({ store }, [{ document: { id: 'old', text: 'A pier.' } }]);
  await expect(indexDocuments({ store, embedder: wrong }, inputs)).rejects.toMatchObject(error);
  expect(await store.info()).toMatchObject({ documents: 1, vectors: 0 });
  expect(await indexDocuments({ store }, inputs)).toMatchObject({ added: 1 });
  expect(() => createSurmise({ store, embedder: wrong })).toThrow(expect.objectContaining(error));
  await expect(embedTexts(wrong, ['a'], { role: 'query', deadlineMs: 1_000 })).rejects.toMatchObject(error);
});

describe('what may be left out or without end', () => {
  test.each<[string, object]>([
    ['as it is', {}],
    ['prefixes', { fingerprint: { ...fingerprint, prefixes: { query: '', document: '' } } }],
    ['no limit', { limits: { batch: 1, callTokens: Number.POSITIVE_INFINITY, tokens: undefined } }],
    ['a price of nothing', { price: { perMillionTokens: 0, currency: 'EUR' } }],
  ])('%s', (_, change) => {
    expect(() => checkEmbedder({ ...embedder, ...change })).not.toThrow();
  });
});
