import { expect, test } from 'vitest';
import { needleTest } from '../../src/core/needle-test.js';
import type { Embedder } from '../../src/core/ports.js';
import { createSurmise } from '../../src/core/surmise.js';
import { deterministicEmbedder } from '../../src/models/deterministic-embedder.js';
import { providerEmbedder } from '../../src/models/providers.js';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';
import { embeddings, openAiServer } from '../models/openai-server.js';

const base = deterministicEmbedder({});
/** Every character counts one token, as rare ones do. */
const perCharacter = (tokens: number): Embedder & { longest: number } => {
  const embedder = {
    ...base,
    limits: { ...base.limits, tokens },
    countTokens: (text: string) => [...text].length,
    longest: 0,
    embed(texts: readonly string[], options: Parameters<Embedder['embed']>[1]) {
      embedder.longest = Math.max(embedder.longest, ...texts.map((text) => [...text].length));
      return base.embed(texts, options);
    },
  };
  return embedder;
};

test('FR-096 a server that reads less than it was set to is found by two texts that differ at their ends', async () => {
  const vectorOf = (text: string) =>
    [1, 2, 3].map((by) => [...text].reduce((sum, c, at) => sum + c.charCodeAt(0) * ((at * by) % 11), 1));
  await using server = await openAiServer(({ body }) => ({
    json: embeddings(body.input!.map((text) => vectorOf(text.slice(0, 2_048)))),
  }));
  const embedder = await providerEmbedder('openai-compatible', {
    model: 'context-8192',
    connection: { baseUrl: server.url },
  });
  expect(await needleTest(embedder, { longest: 32_000 })).toEqual({ read: 2_000, cut: 4_000 });
});

test('FR-097 chunks of dense writing are cut by tokens, not by a number of characters for each', async () => {
  const embedder = perCharacter(120);
  const store = openSqliteStore({ path: ':memory:' });
  const text = '船は正午に島を出て、潮が変わる前に戻ります。'.repeat(60);
  await createSurmise({ store, embedder }).index([{ document: { id: 'a', text } }]);
  expect(embedder.longest).toBeGreaterThan(0);
  expect(embedder.longest).toBeLessThanOrEqual(120);
  const { chunks, vectors } = await store.info();
  expect(chunks).toBeGreaterThan(5);
  expect(vectors).toBe(chunks);
});

test('FR-099 a server that refuses long texts instead of cutting them takes nothing from the others', async () => {
  await using server = await openAiServer(({ body }) =>
    body.input!.some((text) => text.length > 256)
      ? { status: 400, json: { error: { message: 'input is too long for this model' } } }
      : { json: embeddings(body.input!.map((text) => [text.length, 1, 2])) },
  );
  const embedder = await providerEmbedder('openai-compatible', { model: 'm', connection: { baseUrl: server.url } });
  const store = openSqliteStore({ path: ':memory:' });
  const documents = [
    { id: 'short', text: 'The ferry leaves at noon.' },
    { id: 'long', text: 'The ferry leaves at noon. '.repeat(20) },
    { id: 'other', text: 'The mill stands still.' },
  ];
  const { failed } = await createSurmise({ store, embedder }).index(
    documents.map((document) => ({ document })),
    { retries: { attempts: 2, firstMs: 1 } },
  );
  expect(failed).toMatchObject([{ id: 'long', reason: expect.stringContaining('too long') }]);
  expect(await store.info()).toMatchObject({ documents: 3, vectors: 2 });
  // Words find all of it.
  const { hits } = await createSurmise({ store }).search('ferry noon');
  expect(hits.map(({ document }) => document).sort()).toEqual(['long', 'short']);
});
