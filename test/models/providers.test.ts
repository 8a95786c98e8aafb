import { describe, expect, test } from 'vitest';
import type { Role } from '../../src/core/ports.js';
import { embeddingProviders, type ProviderName } from '../../src/models/providers.js';
import { failureOf, key } from './failure.js';
import { type Answer, openAiServer, type Received } from './openai-server.js';
import { answers, numbered, open, texts, vectorOf, type Wire, wired } from './provider-wires.js';

test('every provider of embeddings has its wire here', () => {
  expect(wired.map(([name]) => name).sort()).toEqual([...embeddingProviders].sort());
});

describe.each(wired)('%s', (name, wire) => {
  test.each<Role>(['query', 'document'])(
    'a call in the role %s is exactly what the service documents',
    async (role) => {
      await using server = await openAiServer((request) => answers(wire, request));
      const embedder = await open(name, wire, server.url);
      const vectors = await embedder.embed(texts, { role });
      const calls = server.received.filter(({ body }) => wire.textsOf(body).length === texts.length);
      expect(calls).toHaveLength(1);
      const [call] = calls as [Received];
      // Beside it: a model whose dimensions are not known is asked for them, the order of unnumbered vectors is tested.
      expect(server.received).toHaveLength(wire.dimensions === 3 || wire.answer !== numbered ? 2 : 1);
      expect(decodeURIComponent(call.path)).toBe(wire.path);
      expect(call.headers).toMatchObject(wire.authorisation);
      expect(call.body).toEqual(wire.body(texts, role));
      expect(vectors).toHaveLength(2);
      const sent = wire.textsOf(call.body);
      vectors.forEach((vector, i) => {
        const [x, y] = vectorOf(sent[i]!, 2);
        expect(vector).toHaveLength(wire.dimensions);
        expect(vector[0]).toBeCloseTo(x! / Math.hypot(x!, y!), 5);
      });
      expect(embedder.fingerprint).toMatchObject({ model: wire.model, dimensions: wire.dimensions, normalised: true });
    },
  );

  test.each<[string, Answer, { retryable: boolean; says: string; retryAfterMs?: number }]>([
    [
      '429 with seconds',
      { status: 429, headers: { 'retry-after': '7' }, json: {} },
      { retryable: true, says: 'is limiting requests', retryAfterMs: 7_000 },
    ],
    [
      '429 with a date',
      { status: 429, headers: { 'retry-after': 'Thu, 01 Jan 1970 00:00:10 GMT' }, json: {} },
      { retryable: true, says: 'is limiting requests', retryAfterMs: 0 },
    ],
    ['500', { status: 500, json: { message: 'out of order' } }, { retryable: true, says: 'try again later' }],
    [
      '503 as a page',
      { status: 503, headers: { 'content-type': 'text/html' }, json: '<html>Busy</html>' },
      { retryable: true, says: 'try again later' },
    ],
    ['401', { status: 401, json: { message: `bad key ${key}` } }, { retryable: false, says: 'check the API key' }],
    ['404', { status: 404, json: { message: 'no such model' } }, { retryable: false, says: "check the model's name" }],
    [
      'a page instead of an answer',
      { headers: { 'content-type': 'text/html' }, json: '<html>Sign in</html>' },
      { retryable: false, says: '' },
    ],
    ['JSON that is cut off', { json: '{"data": [{"index": 0, "embedd' }, { retryable: false, says: '' }],
    ['nothing', { json: '' }, { retryable: false, says: '' }],
    ['a cut connection', 'reset', { retryable: true, says: 'check that its server runs' }],
  ])('%s', async (_, answer, { retryable, says, retryAfterMs }) => {
    await using server = await openAiServer(() => answer);
    const failed =
      wire.dimensions === 3
        ? providerFailure(name, wire, server.url)
        : open(name, wire, server.url).then((embedder) => embedder.embed(texts, { role: 'query' }));
    const error = await failureOf(failed);
    expect({ code: error.code, retryable: error.retryable }).toEqual({ code: 'provider_failed', retryable });
    expect(error.message).toContain(says);
    expect(error.retryAfterMs).toBe(retryAfterMs);
    expect(JSON.stringify(error.message)).not.toContain(key);
  });

  test.each<Answer>(['hang', 'drip'])('a server that does %s is left after the time allowed', async (answer) => {
    await using server = await openAiServer((request, i) =>
      wire.dimensions === 3 && i === 0 ? answers(wire, request) : answer,
    );
    const embedder = await open(name, wire, server.url, { timeoutMs: 150 });
    const error = await failureOf(embedder.embed(texts, { role: 'query' }));
    expect(error.code).toBe('timeout');
    await server.received.at(-1)!.closed;
  });

  test.each<[string, (vectors: number[][]) => unknown[][]]>([
    ['a vector too few', (vectors) => vectors.slice(1)],
    ['a vector too many', (vectors) => [...vectors, vectors[0]!]],
    ['a vector of another length', (vectors) => vectors.map((vector, i) => vector.slice(i % 2))],
    ['zeros', (vectors) => vectors.map((vector, i) => (i % 2 === 0 ? vector : vector.map(() => 0)))],
    ['what is no number', (vectors) => vectors.map((vector, i) => (i % 2 === 0 ? vector : vector.map(() => null)))],
    ['no vector at all', () => []],
  ])('%s is refused', async (_, spoil) => {
    await using server = await openAiServer((request, i) => {
      const vectors = wire.textsOf(request.body).map((text) => vectorOf(text, wire.dimensions));
      return { json: wire.answer(wire.dimensions === 3 && i === 0 ? vectors : spoil(vectors)) };
    });
    const embedder = await open(name, wire, server.url);
    const error = await failureOf(embedder.embed(texts, { role: 'document' }));
    expect(error.code).toBe('provider_failed');
  });
});

/** The failure of probing, which tries a few times: only what it ends with is looked at. */
async function providerFailure(name: ProviderName, wire: Wire, url: string): Promise<unknown> {
  const embedder = await open(name, wire, url, { model: wire.model, dimensions: 3 });
  return embedder.embed(texts, { role: 'query' });
}

const numberedWires = wired.filter(([, { answer }]) => answer === numbered);

describe.each(numberedWires)('%s numbers its vectors', (name, wire) => {
  const spoiled =
    (change: (items: { index?: number; embedding: unknown }[]) => unknown[]) => (request: Received, i: number) => {
      const { json } = answers(wire, request) as { json: ReturnType<typeof numbered> };
      const data = wire.dimensions === 3 && i === 0 ? json.data : change(json.data);
      return { json: { ...json, data } };
    };

  test('in another order they are sorted', async () => {
    await using server = await openAiServer(spoiled((items) => items.reverse()));
    const embedder = await open(name, wire, server.url);
    const [first] = await embedder.embed(['aa', 'b'], { role: 'document' });
    const [sent] = wire.textsOf(server.received.at(-1)!.body);
    const [x, y] = vectorOf(sent!, 2);
    expect(first![0]).toBeCloseTo(x! / Math.hypot(x!, y!), 5);
  });

  test.each<[string, (items: { index?: number; embedding: unknown }[]) => unknown[]]>([
    ['twice the same', ([a, b]) => [a, { ...b, index: 0 }]],
    ['one beyond', ([a, b]) => [a, { ...b, index: 2 }]],
    ['one without', ([a, b]) => [a, { ...b, index: undefined }]],
  ])('%s is refused', async (_, change) => {
    await using server = await openAiServer(spoiled(change as never));
    const embedder = await open(name, wire, server.url);
    const error = await failureOf(embedder.embed(texts, { role: 'document' }));
    expect({ code: error.code, fatal: error.fatal }).toEqual({ code: 'provider_failed', fatal: true });
  });

  test('base64 is understood', async () => {
    await using server = await openAiServer(
      spoiled((items) =>
        items.map(({ embedding, ...item }) => ({
          ...item,
          embedding: Buffer.from(new Float32Array(embedding as number[]).buffer).toString('base64'),
        })),
      ),
    );
    const embedder = await open(name, wire, server.url);
    const [, second] = await embedder.embed(['aa', 'b'], { role: 'document' });
    expect(second).toHaveLength(wire.dimensions);
    const sent = wire.textsOf(server.received.at(-1)!.body)[1]!;
    expect(second![0]).toBeCloseTo(sent.length / Math.hypot(sent.length, sent.charCodeAt(0)), 5);
  });
});
