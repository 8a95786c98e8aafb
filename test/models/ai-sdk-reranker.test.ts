import { createCohere } from '@ai-sdk/cohere';
import { describe, expect, test } from 'vitest';
import { type AiSdkRerankerOptions, type AiSdkRerankingModel, fromAiSdk } from '../../src/models/ai-sdk.js';
import { rerankerContract } from '../contract/reranker.js';
import { embedder, indexed, library } from '../core/library.js';
import { failureOf, key } from './failure.js';
import { type Answer, type OpenAiServer, openAiServer, type Received } from './openai-server.js';

const question = 'when do bees leave the hive?';
const modelAt = ({ url }: OpenAiServer): AiSdkRerankingModel =>
  createCohere({ baseURL: url, apiKey: key }).reranking('rerank-v3.5');
const results = (...scores: (readonly [index: number, score: number])[]): Answer => ({
  json: { id: 'x', results: scores.map(([index, relevance_score]) => ({ index, relevance_score })), meta: {} },
});
const documentsOf = ({ body }: Received) => body.documents as string[];
/** Texts with more words of the query first, as the wire has it: by score, not by index. */
const honest = (request: Received): Answer => {
  const words = new Set(String(request.body.query).toLowerCase().match(/\w+/g));
  const scored = documentsOf(request).map((text, index) => {
    const found = (text.toLowerCase().match(/\w+/g) ?? []).filter((word) => words.has(word));
    return [index, found.length / (found.length + 1)] as const;
  });
  return results(...scored.sort((a, b) => b[1] - a[1]));
};

describe('contract', () => {
  rerankerContract('AI SDK over HTTP', async () => {
    const server = await openAiServer(honest);
    return { reranker: fromAiSdk(modelAt(server)), close: async () => server[Symbol.asyncDispose]() };
  });
});

test("the request in Cohere's form, and scores in the order of the texts", async () => {
  await using server = await openAiServer(() => results([1, 0.9], [2, 0.5], [0, 0]));
  const reranker = fromAiSdk(modelAt(server), { providerOptions: { cohere: { maxTokensPerDoc: 512 } } });
  expect(reranker.id).toBe('cohere.reranking/rerank-v3.5');
  expect(await reranker.rerank(question, ['a', 'b', 'c'], {})).toEqual([0, 0.9, 0.5]);
  expect(server.received.map(({ path, body }) => [path, body])).toEqual([
    [
      '/v1/rerank',
      { model: 'rerank-v3.5', query: question, documents: ['a', 'b', 'c'], top_n: 3, max_tokens_per_doc: 512 },
    ],
  ]);
});

test('in a search the order of the server is that of the hits', async () => {
  await using server = await openAiServer(honest);
  const surmise = await indexed(library, { embedder, reranker: fromAiSdk(modelAt(server)) });
  const { hits, trace, degraded } = await surmise.search('what makes a violin speak');
  expect(degraded).toEqual([]);
  expect(trace.rerank).toMatchObject({ id: 'cohere.reranking/rerank-v3.5', passages: 8 });
  expect(hits[0]).toMatchObject({ document: 'violin', score: 5 / 6 });
  expect(server.received).toHaveLength(1);
});

describe('what can not be used', () => {
  test.each<[string, Answer, RegExp]>([
    ['a text left out', results([0, 0.5]), /1 scores, of 1 different texts, for 2 texts/],
    ['a text named twice', results([0, 0.5], [0, 0.4]), /2 scores, of 1 different texts/],
    ['a text that was not sent', results([0, 0.5], [7, 0.4]), /rerank-v3.5 can not be used/],
    ['no results', { json: { results: [] } }, /rerank-v3.5/],
    ['another form', { json: { scores: [1, 2] } }, /rerank-v3.5/],
    ['half an answer', { json: '{"results": [{"index"' }, /rerank-v3.5/],
    ['a page', { status: 502, json: '<html>Bad gateway</html>' }, /failed \(HTTP 502\); try again later/],
    ['credentials refused', { status: 401, json: { message: `invalid ${key}` } }, /refused the credentials/],
    ['a limit', { status: 429, json: { message: 'slow down' } }, /limiting requests/],
  ])('%s', async (_, answer, message) => {
    await using server = await openAiServer(() => answer);
    const error = await failureOf(fromAiSdk(modelAt(server)).rerank(question, ['a', 'b'], {}));
    expect(error).toMatchObject({ code: 'provider_failed', message: expect.stringMatching(message) });
    expect(server.received).toHaveLength(1);
  });

  test('a server that hangs: time runs out, or the caller gives up, and the connection is cut', async () => {
    await using server = await openAiServer(() => 'hang');
    const hung = fromAiSdk(modelAt(server), { timeoutMs: 50 }).rerank(question, ['a'], {});
    expect((await failureOf(hung)).code).toBe('timeout');
    const stop = new AbortController();
    const given = fromAiSdk(modelAt(server)).rerank(question, ['a'], { signal: stop.signal });
    await server.arrived(2);
    stop.abort();
    expect((await failureOf(given)).code).toBe('aborted');
    await Promise.all(server.received.map(({ closed }) => closed));
  });

  test('a moment of trouble: a search asks once more; where it lasts the hits stand as they stood', async () => {
    const busy: Answer = { status: 429, json: { message: 'slow down' }, headers: { 'retry-after-ms': '10' } };
    await using once = await openAiServer((request, index) => (index === 0 ? busy : honest(request)));
    const helped = await (await indexed(library, { reranker: fromAiSdk(modelAt(once)) })).search('violin bow');
    expect([helped.degraded, once.received.length]).toEqual([[], 2]);
    await using down = await openAiServer(() => ({ status: 401, json: { message: 'no' } }));
    const surmise = await indexed(library, { reranker: fromAiSdk(modelAt(down)) });
    const plain = await surmise.search('violin bow', { rerank: false });
    const result = await surmise.search('violin bow');
    expect(result.hits).toEqual(plain.hits);
    expect(result.degraded).toEqual([{ part: 'rerank', reason: expect.stringMatching(/credentials/) }]);
    expect(down.received).toHaveLength(1);
  });
});

test('nothing to read: nobody is asked', async () => {
  await using server = await openAiServer(() => results());
  expect(await fromAiSdk(modelAt(server)).rerank(question, [], {})).toEqual([]);
  expect(server.received).toEqual([]);
});

test.each<[string, object]>([
  ['an unknown option', { topN: 3 }],
  ['a time of 0', { timeoutMs: 0 }],
])('%s is a bad argument', async (_, options) => {
  await using server = await openAiServer(() => 'hang');
  expect(() => fromAiSdk(modelAt(server), options as AiSdkRerankerOptions)).toThrow(
    expect.objectContaining({ code: 'bad_argument' }),
  );
});
