import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { expect, test } from 'vitest';
import type { IndexOptions, IndexProgress } from '../../src/core/index-options.js';
import { indexDocuments } from '../../src/core/indexing.js';
import type { Store } from '../../src/core/ports.js';
import { createSurmise } from '../../src/core/surmise.js';
import { type AiSdkEmbedderOptions, fromAiSdk } from '../../src/models/ai-sdk.js';
import { memoryStore } from '../core/library.js';
import {
  type Answer,
  embeddings,
  failure,
  type OpenAiServer,
  openAiServer,
  type Received,
} from '../models/openai-server.js';

const embedderAt = ({ url }: OpenAiServer, options: Partial<AiSdkEmbedderOptions> = {}) =>
  fromAiSdk(createOpenAICompatible({ name: 'loopback', baseURL: url }).textEmbeddingModel('tiny'), {
    dimensions: 3,
    batch: 5,
    ...options,
  });
const answer = ({ body }: Received): Answer => ({
  json: embeddings(body.input!.map((text) => [text.length, 1, text.charCodeAt(text.length - 2)])),
});
const inputs = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ document: { id: `n${at}`, text: `Number ${at}.` } }));
const retries = { attempts: 3, firstMs: 1, longestMs: 2, totalMs: 10_000 };
const run = (
  store: Store,
  server: OpenAiServer,
  count: number,
  options: IndexOptions & Partial<AiSdkEmbedderOptions> = {},
) => {
  const { signal, onProgress, ...rest } = options;
  const more = { retries, ...(signal && { signal }), ...(onProgress && { onProgress }) };
  return indexDocuments({ store, embedder: embedderAt(server, rest) }, inputs(count), more);
};
const askedFor = (server: OpenAiServer) => server.received.flatMap(({ body }) => body.input!);

test('FR-086 when one of four calls is told to wait, all wait so long, and nothing is lost', async () => {
  const times: number[] = [];
  await using server = await openAiServer((request, at) => {
    times.push(performance.now());
    return at < 4 ? failure(429, 'slow down', { 'retry-after-ms': '200' }) : answer(request);
  });
  const store = memoryStore();
  const told: IndexProgress[] = [];
  const onProgress = (progress: IndexProgress) => told.push(progress);
  expect(await run(store, server, 40, { concurrency: 4, onProgress })).toMatchObject({
    added: 40,
    embedded: 40,
    failed: [],
  });
  expect(times[4]! - times[3]!).toBeGreaterThan(180);
  expect(server.received).toHaveLength(4 + 8);
  const waiting = told.find((progress) => progress.waiting)?.waiting;
  expect(waiting).toMatchObject({ ms: expect.closeTo(201, -1), reason: expect.stringContaining('HTTP 429') });
  expect(told.at(-1)).toMatchObject({ embedded: 40 });
  expect(told.at(-1)).not.toHaveProperty('waiting');
});

test('FR-086 a question does not wait for a quota: the other leg answers at once', async () => {
  let limited = false;
  await using server = await openAiServer((request) =>
    limited ? failure(429, 'slow down', { 'retry-after': '30' }) : answer(request),
  );
  const store = memoryStore();
  await run(store, server, 3);
  limited = true;
  const { hits, degraded } = await createSurmise({ store, embedder: embedderAt(server) }).search('number');
  expect(server.received).toHaveLength(1 + 1);
  expect(hits).toHaveLength(3);
  expect(degraded).toMatchObject([{ part: 'dense', reason: expect.stringContaining('asks to wait 30 s') }]);
});

test.each<[string, Answer]>([
  ['429', failure(429, 'slow down')],
  ['408', failure(408, 'too late')],
  ['503', failure(503, 'busy')],
  ['a cut connection', 'reset'],
  ['no answer', 'hang'],
])('FR-087 %s at the first call is tried again', async (_, first) => {
  await using server = await openAiServer((request, at) => (at === 0 ? first : answer(request)));
  const store = memoryStore();
  expect(await run(store, server, 12, { timeoutMs: 300 })).toMatchObject({ added: 12, embedded: 12, failed: [] });
  expect(await store.info()).toMatchObject({ chunks: 12, vectors: 12 });
});

test.each([401, 403, 404])('FR-087 HTTP %i is not tried again, and the index stays as it was', async (status) => {
  let refused = false;
  await using server = await openAiServer((request) => (refused ? failure(status, 'no') : answer(request)));
  const store = memoryStore();
  await run(store, server, 3);
  refused = true;
  await expect(run(store, server, 30, { concurrency: 1 })).rejects.toMatchObject({
    code: 'provider_failed',
    fatal: true,
  });
  expect(server.received).toHaveLength(2);
  expect(await store.info()).toMatchObject({ documents: 3, vectors: 3 });
  refused = false;
  expect(await run(store, server, 30)).toMatchObject({ added: 27, unchanged: 3 });
});

test('FR-088 a limit in the middle that lasts stops the run; the next one embeds the rest only', async () => {
  let open = 3;
  await using server = await openAiServer((request) => (open-- > 0 ? answer(request) : failure(429, 'slow down')));
  const store = memoryStore();
  await expect(run(store, server, 40, { concurrency: 1 })).rejects.toMatchObject({
    code: 'provider_failed',
    retryable: true,
  });
  expect(await store.info()).toMatchObject({ documents: 15, chunks: 15, vectors: 15 });
  open = 1_000;
  const before = askedFor(server).length;
  expect(await run(store, server, 40)).toMatchObject({ added: 25, unchanged: 15, embedded: 25 });
  expect(askedFor(server)).toHaveLength(before + 25);
});

test('FR-090 what could not be embedded is listed, pending, and done by the next run alone', async () => {
  let healthy = false;
  const isBad = (text: string) => text === 'Number 7.' || text === 'Number 23.';
  await using server = await openAiServer((request) =>
    !healthy && request.body.input!.some(isBad) ? failure(400, 'can not embed this') : answer(request),
  );
  const store = memoryStore();
  const report = await run(store, server, 40);
  expect(report).toMatchObject({ added: 40, chunks: 40, embedded: 38 });
  expect(report.failed.map(({ id }) => id).sort()).toEqual(['n23', 'n7']);
  expect(report.failed[0]!.reason).toContain('HTTP 400');
  expect(await store.info()).toMatchObject({ chunks: 40, vectors: 38 });
  const again = await run(store, server, 40);
  expect(again).toMatchObject({ added: 0, updated: 2, unchanged: 38, embedded: 0 });
  expect(again.failed).toHaveLength(2);
  healthy = true;
  const before = askedFor(server).length;
  expect(await run(store, server, 40)).toMatchObject({ updated: 2, embedded: 2, failed: [] });
  expect(askedFor(server).slice(before).sort()).toEqual(['Number 23.', 'Number 7.']);
  expect(await store.info()).toMatchObject({ chunks: 40, vectors: 40 });
});
