import { expect, test } from 'vitest';
import { indexDocuments } from '../../src/core/indexing.js';
import { fromAiSdk, probeAiSdk } from '../../src/models/ai-sdk.js';
import { memoryStore } from '../core/library.js';
import { failureOf, key } from './failure.js';
import { echo, modelAt, unit, vectorOf } from './loopback-embedding.js';
import { type Answer, embeddings, failure, openAiServer, type Received } from './openai-server.js';

test.each([
  [401, `Incorrect API key provided: ${key}`, false, 'check the API key'],
  [404, 'no such model', false, "check the model's name"],
  [400, `bad input, token=Abc123Abc123Abc123Abc123 ${'.'.repeat(500)}`, false, 'bad input'],
  [429, 'slow down', true, 'is limiting requests'],
  [500, 'out of order', true, 'try again later: out of order'],
])('HTTP %i', async (status, text, retryable, message) => {
  await using server = await openAiServer(() => failure(status, text));
  const embedder = fromAiSdk(modelAt(server), { dimensions: 3 });
  const error = await failureOf(embedder.embed(['one'], { role: 'query' }));
  expect([error.code, error.retryable]).toEqual(['provider_failed', retryable]);
  expect(error.message).toContain(message);
  expect(error.message).toContain(`HTTP ${status}`);
  expect(error.message).not.toContain('Abc123');
  expect(error.message.length).toBeLessThan(400);
  expect(error.cause).toBeInstanceOf(Error);
  expect(server.received).toHaveLength(1);
});

test.each<[Record<string, string>, number | undefined]>([
  [{ 'retry-after': '30' }, 30_000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': '30', 'retry-after-ms': '250' }, 250],
  [{ 'retry-after': '-7' }, 0],
  [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:10 GMT' }, 0],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': 'garbage 2050' }, undefined],
  [{ 'retry-after': '2050' }, 2_050_000],
  [{ 'retry-after': 'Wed, 31 Feb 2099 99:99:99 GMT' }, undefined],
  [{ 'retry-after': '2099-01-01' }, undefined],
  [{ 'retry-after': '0x10' }, undefined],
  [{ 'retry-after': '' }, undefined],
  [{ 'retry-after': '1e999' }, undefined],
  [{}, undefined],
])('how long a server asks to be left alone: %j', async (headers, expected) => {
  await using server = await openAiServer(() => failure(429, 'slow down', headers));
  const error = await failureOf(fromAiSdk(modelAt(server), { dimensions: 3 }).embed(['one'], { role: 'query' }));
  expect([error.retryAfterMs, error.retryable, error.fatal]).toEqual([expected, true, false]);
});

test('an HTTP date says until when', async () => {
  const at = new Date(Date.now() + 60_000).toUTCString();
  await using server = await openAiServer(() => failure(503, 'busy', { 'retry-after': at }));
  const error = await failureOf(fromAiSdk(modelAt(server), { dimensions: 3 }).embed(['one'], { role: 'query' }));
  expect(error.retryAfterMs).toBeGreaterThan(30_000);
  expect(error.retryAfterMs).toBeLessThanOrEqual(60_000);
});

test.each([
  [400, false],
  [401, true],
  [403, true],
  [404, true],
  [413, false],
  [422, false],
  [500, false],
])('whether other texts may fare better with HTTP %i', async (status, fatal) => {
  await using server = await openAiServer(() => failure(status, 'no'));
  const error = await failureOf(fromAiSdk(modelAt(server), { dimensions: 3 }).embed(['one'], { role: 'query' }));
  expect(error.fatal).toBe(fatal);
});

test('a quota that is used up does not come back by waiting', async () => {
  const json = { error: { message: 'You exceeded your quota', type: 'quota', code: 'insufficient_quota' } };
  await using server = await openAiServer(() => ({ status: 429, json }));
  const error = await failureOf(fromAiSdk(modelAt(server), { dimensions: 3 }).embed(['one'], { role: 'query' }));
  expect([error.retryable, error.fatal]).toEqual([false, true]);
});

test('one request for a call, whatever it answers; probing tries again', async () => {
  const mending = (request: Received, i: number) =>
    i === 0 ? failure(503, 'busy', { 'retry-after-ms': '1' }) : echo(request);
  await using server = await openAiServer(mending);
  const embedder = fromAiSdk(modelAt(server), { dimensions: 3 });
  expect((await failureOf(embedder.embed(['one'], { role: 'query' }))).retryable).toBe(true);
  expect(server.received).toHaveLength(1);
  await using other = await openAiServer(mending);
  expect((await probeAiSdk(modelAt(other))).fingerprint.dimensions).toBe(3);
  expect(other.received).toHaveLength(2);
});

test.each<[string, (request: Received) => Answer]>([
  ['credentials refused', () => failure(403, 'blocked')],
  ['one vector too few', ({ body }) => ({ json: embeddings(body.input!.slice(1).map(vectorOf)) })],
  ['a vector of another length', ({ body }) => ({ json: embeddings(body.input!.map(() => [1, 2])) })],
])('one answer among good ones does not end indexing: %s', async (_, bad) => {
  await using server = await openAiServer((request, i) => (i === 1 ? bad(request) : echo(request)));
  const embedder = fromAiSdk(modelAt(server), { dimensions: 3, batch: 10, concurrency: 1 });
  const inputs = Array.from({ length: 30 }, (_, at) => ({ document: { id: `d${at}`, text: `Text ${at}.` } }));
  const store = memoryStore();
  const report = await indexDocuments({ store, embedder }, inputs, { retries: { firstMs: 1 } });
  expect(report).toMatchObject({ embedded: 30, failed: [] });
  const [chunk] = await store.get(['d17#0'], { vectors: true });
  expect(chunk!.vector).toEqual(unit('Text 17.'));
});

test('no server at all', async () => {
  const server = await openAiServer(echo);
  await server[Symbol.asyncDispose]();
  const embedder = fromAiSdk(modelAt(server), { dimensions: 3 });
  const error = await failureOf(embedder.embed(['one'], { role: 'query' }));
  expect([error.code, error.retryable]).toEqual(['provider_failed', true]);
});
