import { describe, expect, test } from 'vitest';
import {
  type ProviderEmbedderSettings,
  type ProviderName,
  providerEmbedder,
  providerGenerator,
} from '../../src/models/providers.js';
import { failureOf, key } from './failure.js';
import { openAiServer } from './openai-server.js';
import { answers, open, texts, vectorOf, wires } from './provider-wires.js';

describe('dimensions', () => {
  const dimensionsSent = async (name: ProviderName, settings: ProviderEmbedderSettings, base = '/v1') => {
    const wire = wires[name as 'openai'];
    await using server = await openAiServer((request) =>
      answers({ ...wire, dimensions: settings.dimensions! }, request),
    );
    const embedder = await open(name, { ...wire, base }, server.url, settings);
    await embedder.embed(['canoe'], { role: 'query' });
    expect(embedder.fingerprint.dimensions).toBe(settings.dimensions);
    return server.received.at(-1)!.body;
  };

  test('are sent only where they differ from the native ones', async () => {
    expect(await dimensionsSent('openai', { dimensions: 1536 })).not.toHaveProperty('dimensions');
    expect(await dimensionsSent('openai', { dimensions: 256 })).toMatchObject({ dimensions: 256 });
    expect(await dimensionsSent('voyage', { model: 'voyage-3.5', dimensions: 512 })).toMatchObject({
      output_dimension: 512,
    });
    expect(await dimensionsSent('google', { dimensions: 768 }, '/v1beta')).toMatchObject({ outputDimensionality: 768 });
  });

  test.each<[ProviderName, ProviderEmbedderSettings, string]>([
    ['openai', { dimensions: 4096 }, 'a whole number from 1 to 1536'],
    ['openai', { model: 'text-embedding-ada-002', dimensions: 256 }, 'It has: 1536.'],
    ['voyage', { dimensions: 512 }, 'It has: 1024.'],
    ['voyage', { model: 'voyage-3.5', dimensions: 300 }, 'It has: 256, 512, 1024, 2048.'],
    ['bedrock', { dimensions: 300 }, 'It has: 256, 512, 1024.'],
    ['bedrock', { model: 'amazon.titan-embed-text-v1', dimensions: 512 }, 'It has: 1536.'],
    ['bedrock', { model: 'cohere.embed-english-v3', dimensions: 512 }, 'It has: 1024.'],
    ['cohere', { dimensions: 256 }, 'It has: 1024.'],
    ['mistral', { dimensions: 256 }, 'It has: 1024.'],
    ['mistral', { model: 'codestral-embed', dimensions: 256 }, 'leave "dimensions" out'],
  ])('%s %j: refused before any call', async (name, settings, says) => {
    const error = await failureOf(
      providerEmbedder(name, { ...settings, connection: { apiKey: key, baseUrl: 'http://127.0.0.1:9' } }),
    );
    expect(error.code).toBe('bad_argument');
    expect(error.message).toContain(says);
  });
});

test('Titan takes one text in a call, eight calls at a time, signed with the credentials of the moment', async () => {
  await using server = await openAiServer(({ body }) => ({
    json: { embedding: vectorOf(String(body.inputText), 512), inputTextTokenCount: 1 },
  }));
  const embedder = await providerEmbedder('bedrock', {
    dimensions: 512,
    connection: {
      baseUrl: server.url.replace('/v1', ''),
      region: 'eu-west-1',
      credentials: async () => ({ accessKeyId: 'AKIDEXAMPLE', secretAccessKey: key, sessionToken: 'session' }),
    },
  });
  expect(embedder.limits).toMatchObject({ batch: 1, concurrency: 8 });
  const vectors = await embedder.embed(texts, { role: 'document' });
  expect(vectors.map(({ length }) => length)).toEqual([512, 512]);
  expect(server.received.map(({ body }) => body)).toEqual(texts.map((inputText) => ({ inputText, dimensions: 512 })));
  expect(decodeURIComponent(server.received[0]!.path)).toBe('/model/amazon.titan-embed-text-v2:0/invoke');
  const { authorization, 'x-amz-security-token': token } = server.received[0]!.headers;
  expect(authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\/bedrock\/aws4_request, /);
  expect(token).toBe('session');
});

describe('what is missing is said before any call', () => {
  test.each<[string, () => Promise<unknown>, string]>([
    [
      'a name that is none',
      () => providerEmbedder('voyager'),
      'There are: voyage, openai, bedrock, google, cohere, mistral, ollama, openai-compatible.',
    ],
    ['a provider without embeddings', () => providerEmbedder('anthropic'), 'no provider "anthropic" for embeddings'],
    [
      'a provider without generation',
      () => providerGenerator('voyage', { model: 'm' }),
      'no provider "voyage" for generation',
    ],
    ['a key', () => providerEmbedder('voyage'), 'Set VOYAGE_API_KEY.'],
    ['an empty key', () => providerEmbedder('openai', { connection: { apiKey: ' ' } }), 'Set OPENAI_API_KEY.'],
    ['a model', () => providerEmbedder('ollama'), 'Name the embedding model'],
    ['an address', () => providerEmbedder('openai-compatible', { model: 'm', dimensions: 3 }), 'address of its server'],
    [
      'a language model',
      () => providerGenerator('openai', { model: ' ', connection: { apiKey: key } }),
      'Name the language model',
    ],
    [
      'a family',
      () => providerEmbedder('bedrock', { model: 'ada', connection: { apiKey: key } }),
      'of no known family',
    ],
    [
      'an option',
      () => providerEmbedder('openai', { connection: { apiKey: key }, colour: 'red' } as never),
      'Unknown option "colour"',
    ],
  ])('%s', async (_, work, says) => {
    const error = await failureOf(work());
    expect(error.code).toBe('bad_argument');
    expect(error.message).toContain(says);
  });

  test('a name is taken in any case, with white space around it', async () => {
    const { fingerprint } = await providerEmbedder(' OpenAI\n', { connection: { apiKey: key } });
    expect(fingerprint).toMatchObject({ model: 'text-embedding-3-small', dimensions: 1536 });
  });
});
