import { OpenAICompatibleEmbeddingModel } from '@ai-sdk/openai-compatible';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { embedTexts } from '../../src/core/embed.js';
import { type AiSdkEmbeddingModel, fromAiSdk, probeAiSdk } from '../../src/models/ai-sdk.js';
import { deterministicEmbedder } from '../../src/models/deterministic-embedder.js';
import { embedderContract } from '../contract/embedder.js';
import { failureOf } from './failure.js';
import { echo, modelAt, unit, vectorOf } from './loopback-embedding.js';
import { embeddings, failure, type OpenAiServer, openAiServer, type Received } from './openai-server.js';

describe('contract', () => {
  let server: OpenAiServer;
  beforeAll(async () => {
    const source = deterministicEmbedder();
    server = await openAiServer(async ({ body }) => {
      const vectors = await source.embed(body.input!, { role: 'document' });
      return { json: embeddings(vectors.map((vector) => [...vector])) };
    });
  });
  afterAll(() => server[Symbol.asyncDispose]());
  embedderContract('AI SDK over HTTP', () => fromAiSdk(modelAt(server), { dimensions: 64, batch: 16 }));
});

describe('requests', () => {
  test('body, prefixes by role, settings by role', async () => {
    await using server = await openAiServer(echo);
    const embedder = fromAiSdk(modelAt(server), {
      dimensions: 3,
      prefixes: { query: 'query: ', document: 'passage: ' },
      roleOptions: (role) => ({ loopback: { user: `as-${role}` } }),
    });
    const [asked] = await embedder.embed(['tides'], { role: 'query' });
    await embedder.embed(['tides'], { role: 'document' });
    expect(asked).toEqual(unit('query: tides'));
    expect(server.received.map(({ path, body }) => [path, body])).toEqual([
      ['/v1/embeddings', { model: 'tiny', input: ['query: tides'], encoding_format: 'float', user: 'as-query' }],
      ['/v1/embeddings', { model: 'tiny', input: ['passage: tides'], encoding_format: 'float', user: 'as-document' }],
    ]);
    expect(embedder.fingerprint).toEqual({
      provider: 'loopback.embedding',
      model: 'tiny',
      dimensions: 3,
      normalised: true,
      prefixes: { query: 'query: ', document: 'passage: ' },
    });
  });

  test("batches are cut at the smaller of our limit and the model's, order is kept", async () => {
    await using server = await openAiServer(echo);
    const texts = Array.from({ length: 10 }, (_, i) => `${'abcdefghij'[i]}${'.'.repeat(i)}`);
    for (const [own, batch] of [
      [4, 9],
      [9, 4],
    ] as const) {
      const model = new OpenAICompatibleEmbeddingModel('tiny', {
        provider: 'loopback',
        url: ({ path }) => server.url + path,
        headers: () => ({}),
        maxEmbeddingsPerCall: own,
      });
      const embedder = fromAiSdk(model, { dimensions: 3, batch, concurrency: 3 });
      expect(embedder.limits).toEqual({ batch: 4, callTokens: 100_000, callBytes: 800_000, concurrency: 3 });
      expect(await embedder.embed(texts, { role: 'document' })).toEqual(texts.map(unit));
    }
    expect(server.received.map(({ body }) => body.input!.length).sort()).toEqual([2, 2, 4, 4, 4, 4]);
  });

  test('blank texts are not sent, lone surrogates are replaced, long texts are cut where a limit is set', async () => {
    await using server = await openAiServer(echo);
    const embedder = fromAiSdk(modelAt(server), { dimensions: 3, characters: 5 });
    await embedder.embed(['', '  '], { role: 'document' });
    expect(server.received).toHaveLength(0);
    await embedder.embed(['', 'a\ud800b', 'abcdefg', 'abcd😀'], { role: 'document' });
    expect(server.received[0]!.body.input).toEqual(['a\ufffdb', 'abcde', 'abcd\ufffd']);
  });

  test('a batch that the server finds too large is halved, and later batches are small at once', async () => {
    await using server = await openAiServer((request) =>
      request.body.input!.length > 3 ? failure(413, 'batch size is over the maximum') : echo(request),
    );
    const embedder = fromAiSdk(modelAt(server), { dimensions: 3, concurrency: 1 });
    const texts = Array.from({ length: 8 }, (_, i) => `text ${i}`);
    expect(await embedder.embed(texts, { role: 'document' })).toEqual(texts.map(unit));
    await embedder.embed(texts, { role: 'document' });
    expect(server.received.map(({ body }) => body.input!.length)).toEqual([8, 4, 2, 2, 4, 2, 2, 2, 2, 2, 2]);
  });

  test('probe learns the dimensions', async () => {
    await using server = await openAiServer(echo);
    const embedder = await probeAiSdk(modelAt(server), { batch: 7 });
    expect(embedder.fingerprint.dimensions).toBe(3);
    expect(embedder.limits.batch).toBe(7);
    expect(server.received).toHaveLength(1);
  });
});

describe('order', () => {
  const withIndices = (indices: readonly unknown[]) => (request: Received) => {
    const items = request.body.input!.map((text, i) => {
      const place = Number(indices[i] ?? i);
      return {
        embedding: vectorOf(request.body.input![place] ?? text),
        ...(indices[i] === null ? {} : { index: indices[i] }),
      };
    });
    return { json: { data: items } };
  };
  const texts = ['a', 'bb', 'ccc'];

  test('vectors are placed by their index', async () => {
    await using server = await openAiServer(withIndices([2, 0, 1]));
    expect(await fromAiSdk(modelAt(server), { dimensions: 3 }).embed(texts, { role: 'document' })).toEqual(
      texts.map(unit),
    );
  });

  test('no index at all: the order received', async () => {
    await using server = await openAiServer(withIndices([null, null, null]));
    expect(await fromAiSdk(modelAt(server), { dimensions: 3 }).embed(texts, { role: 'document' })).toEqual(
      texts.map(unit),
    );
  });

  test.each([[[1, 2, 3]], [[0, 0, 1]], [[0, null, 2]], [['0', '1', '2']]])(
    'indices %j are refused',
    async (indices) => {
      await using server = await openAiServer(withIndices(indices));
      const error = await failureOf(fromAiSdk(modelAt(server), { dimensions: 3 }).embed(texts, { role: 'document' }));
      expect([error.code, error.message]).toEqual(['provider_failed', expect.stringContaining('"index"')]);
    },
  );
});

describe('order of vectors without index', () => {
  const many = Array.from({ length: 40 }, (_, i) => `${String.fromCharCode(97 + (i % 26))}${'.'.repeat(i * 3)}`);
  /** Neighbours point in very different directions. */
  const direction = ({ length }: string) => [Math.cos(length), Math.sin(length), 0];
  const unnumbered = (arrange: (vectors: number[][]) => number[][]) =>
    openAiServer(({ body }) => ({
      json: { data: arrange(body.input!.map(direction)).map((embedding) => ({ embedding })) },
    }));

  test('of the first, second, fourth … such answer two are asked for again', async () => {
    await using server = await unnumbered((vectors) => vectors);
    const embedder = fromAiSdk(modelAt(server), { dimensions: 3 });
    for (const texts of [many.slice(0, 1), many.slice(0, 2), ...Array.from({ length: 5 }, () => many)]) {
      const vectors = await embedder.embed(texts, { role: 'document' });
      expect(vectors.map(([x]) => x)).toEqual(texts.map((text) => expect.closeTo(direction(text)[0]!, 5)));
    }
    // Of two, one tells.
    const sizes = [1, 2, 1, 40, 1, 1, 40, 40, 1, 1, 40, 40];
    expect(server.received.map(({ body }) => body.input!.length)).toEqual(sizes);
  });

  test.each<[string, (vectors: number[][]) => number[][], number]>([
    ['turned round', (vectors) => vectors.toReversed(), 40],
    ['turned round, three', (vectors) => vectors.toReversed(), 3],
    ['turned round, two', (vectors) => vectors.toReversed(), 2],
    ['moved by one', (vectors) => [...vectors.slice(1), ...vectors.slice(0, 1)], 31],
    ['ends in place', (vectors) => [vectors[0]!, ...vectors.slice(2, -1), ...vectors.slice(1, 2), vectors.at(-1)!], 31],
  ])('another order is found out: %s', async (_, arrange, count) => {
    await using server = await unnumbered((vectors) => (vectors.length > 1 ? arrange(vectors) : vectors));
    const embedder = fromAiSdk(modelAt(server), { dimensions: 3 });
    const error = await failureOf(embedder.embed(many.slice(0, count), { role: 'document' }));
    expect([error.code, error.fatal, error.message]).toEqual([
      'provider_failed',
      true,
      expect.stringContaining('another order'),
    ]);
  });

  test('also among vectors that are all near each other', async () => {
    await using server = await openAiServer(({ body }) => {
      const vectors = body.input!.map(({ length }) => [1, length / 1_000, 0]);
      return { json: { data: vectors.toReversed().map((embedding) => ({ embedding })) } };
    });
    const error = await failureOf(fromAiSdk(modelAt(server), { dimensions: 3 }).embed(many, { role: 'document' }));
    expect(error.message).toContain('another order');
  });

  test('digits that differ from call to call are no other order', async () => {
    let calls = 0;
    await using server = await openAiServer(({ body }) => {
      const digits = ++calls * 1e-3;
      const vectors = body.input!.map((text) => [...direction(text).slice(0, 2), digits]);
      return { json: { data: vectors.map((embedding) => ({ embedding })) } };
    });
    const embedder = fromAiSdk(modelAt(server), { dimensions: 3 });
    for (let call = 0; call < 4; call++)
      expect(await embedder.embed(many, { role: 'document' })).toHaveLength(many.length);
  });

  test('a server that turns the order round later is found out', async () => {
    let answers = 0;
    await using server = await unnumbered((vectors) =>
      vectors.length > 1 && ++answers > 1 ? vectors.toReversed() : vectors,
    );
    const embedder = fromAiSdk(modelAt(server), { dimensions: 3 });
    await embedder.embed(many, { role: 'document' });
    expect((await failureOf(embedder.embed(many, { role: 'document' }))).message).toContain('another order');
  });
});

describe('unusable answers', () => {
  test.each([
    ['too few', embeddings([[1, 2, 3]]), '1 vectors for 2 texts'],
    [
      'too many',
      embeddings([
        [1, 2, 3],
        [1, 2, 3],
        [1, 2, 3],
      ]),
      '3 vectors for 2 texts',
    ],
    [
      'short',
      embeddings([
        [1, 2, 3],
        [1, 2],
      ]),
      '2 dimensions where 3',
    ],
    [
      'zero',
      embeddings([
        [1, 2, 3],
        [0, 0, 0],
      ]),
      'all zeros',
    ],
    [
      'null for NaN',
      embeddings([
        [1, 2, 3],
        [1, null, 3],
      ]),
      'loopback.embedding/tiny',
    ],
    [
      'a number beyond float64',
      '{"data":[{"index":0,"embedding":[1,2,3]},{"index":1,"embedding":[1,1e999,3]}]}',
      'tiny',
    ],
    [
      'base64',
      {
        data: [
          { index: 0, embedding: 'AACAPw==' },
          { index: 1, embedding: 'AACAPw==' },
        ],
      },
      'tiny',
    ],
    ['not JSON', 'NaN', 'tiny'],
  ])('%s', async (_, json, message) => {
    await using server = await openAiServer(() => ({ json }));
    const embedder = fromAiSdk(modelAt(server), { dimensions: 3 });
    const error = await failureOf(embedder.embed(['one', 'two'], { role: 'document' }));
    expect([error.code, error.message]).toEqual(['provider_failed', expect.stringContaining(message)]);
  });
});

describe('time', () => {
  test('an abort closes the connections, and no further batch is sent', async () => {
    await using server = await openAiServer(() => 'hang');
    const controller = new AbortController();
    const { signal } = controller;
    const embedder = fromAiSdk(modelAt(server), { dimensions: 3, batch: 1, concurrency: 2 });
    const options = { role: 'document', signal, deadlineMs: 60_000 } as const;
    const failed = failureOf(embedTexts(embedder, ['a', 'b', 'c', 'd'], options));
    await server.arrived(2);
    controller.abort();
    expect((await failed).code).toBe('aborted');
    await Promise.all(server.received.map(({ closed }) => closed));
    expect(server.received).toHaveLength(2);
  });

  test('a stalled server ends in timeout and its connection is closed', async () => {
    await using server = await openAiServer(() => 'hang');
    const embedder = fromAiSdk(modelAt(server), { dimensions: 3, timeoutMs: 300 });
    const failed = failureOf(embedder.embed(['a'], { role: 'document' }));
    await server.arrived(1);
    expect((await failed).code).toBe('timeout');
    await server.received[0]!.closed;
  });
});

test('arguments are checked', async () => {
  await using server = await openAiServer(echo);
  const model = modelAt(server);
  const make = (options: object) => () => fromAiSdk(model, options as { dimensions: number });
  expect(make({})).toThrow('"dimensions" must be a whole number');
  expect(make({ dimensions: 0 })).toThrow('"dimensions"');
  for (const name of ['callTokens', 'callBytes'])
    expect(make({ dimensions: 3, [name]: 1.5 })).toThrow(`"${name}" must be a whole number from 1`);
  expect(make({ dimensions: 3, price: { perMillionTokens: -1, currency: 'USD' } })).toThrow('"price" needs');
  expect(make({ dimensions: 3, size: 3 })).toThrow('Unknown option "size"');
  expect(() => fromAiSdk('openai/gpt' as unknown as AiSdkEmbeddingModel, { dimensions: 3 })).toThrow('not a name');
});
