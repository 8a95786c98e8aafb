import { join } from 'node:path';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { expect, test } from 'vitest';
import { keptGenerations, keptVectors } from '../../src/core/model-cache.js';
import type { Embedder, Fingerprint, Generation, ModelCache } from '../../src/core/ports.js';
import { createSurmise, type SurmiseParts } from '../../src/core/surmise.js';
import { fromAiSdk } from '../../src/models/ai-sdk.js';
import { openModelCache } from '../../src/storage/index.js';
import { makeWorkspace } from '../cli/workspace.js';
import { embeddings, openAiServer } from '../models/openai-server.js';
import { countingEmbedder } from './counting-embedder.js';
import { embedder, generatorOf, indexed, library, memoryStore } from './library.js';

const folder = await makeWorkspace();
const fingerprint: Fingerprint = { provider: 'p', model: 'm', dimensions: 2, normalised: true };
const passage = 'A hive swarms when its old queen leaves with half of the bees, mostly in May.';

function memoryCache(): ModelCache & { readonly entries: Map<string, Uint8Array> } {
  const entries = new Map<string, Uint8Array>();
  return {
    entries,
    find: async (keys) => new Map(keys.flatMap((key) => (entries.has(key) ? [[key, entries.get(key)!]] : []))),
    async keep(more) {
      for (const [key, value] of more) entries.set(key, value.slice());
    },
  };
}

/** As a process of its own would: nothing is shared but the cache. */
async function answered(parts: Partial<SurmiseParts>, question = 'why do bees leave the hive') {
  const store = memoryStore();
  await createSurmise({ store, ...(parts.embedder && { embedder }) }).index(library.map((document) => ({ document })));
  const surmise = createSurmise({ store, ...parts });
  const result = await surmise.search(question, { hyde: 'on', feedback: false });
  await surmise.close();
  return result;
}

test('a second process writes no hypotheses and embeds nothing, and finds the same', async () => {
  const cache = openModelCache({ path: join(folder, 'cache') });
  let written = 0;
  const generator = generatorOf(async () => [{ text: `${passage} ${++written}`, weight: 2 }]);
  const counting = countingEmbedder(embedder);
  const parts = { generator, embedder: counting, caches: { generations: cache, vectors: cache } };
  const first = await answered(parts);
  const asked = counting.calls.length;
  expect([written, asked]).toEqual([1, 2]);
  const second = await answered(parts);
  expect([written, counting.calls.length]).toEqual([1, asked]);
  expect([first.trace.generator?.from, second.trace.generator?.from]).toEqual(['call', 'cache']);
  expect(second.hits).toEqual(first.hits);
  expect([first.degraded, second.degraded]).toEqual([[], []]);
  // Another question, another generator, another number are asked for.
  await answered(parts, 'when do bees leave the hive');
  await answered({ ...parts, generator: { ...generator, id: 'other' } });
  expect(written).toBe(3);
  cache.close();
});

test('the cache answers where the budget of calls is used up', async () => {
  const caches = { generations: memoryCache() };
  const generator = generatorOf(async () => [{ text: passage }]);
  await answered({ generator, caches });
  const { trace } = await answered({ generator, caches, budget: { calls: 0 } });
  expect(trace.generator?.from).toBe('cache');
});

test('what was written with passages in view is not kept: it may quote them', async () => {
  const generations = memoryCache();
  const generator = generatorOf(async () => [{ text: passage }]);
  const store = memoryStore();
  const surmise = createSurmise({ store, generator, caches: { generations } });
  await surmise.index(library.map((document) => ({ document })));
  const question = 'why do bees leave the hive';
  const steered = await surmise.search(question, { hyde: 'on', feedback: false, prompt: { mode: 'steered' } });
  expect(steered.trace.generator).toMatchObject({ from: 'call', received: 1 });
  expect(generations.entries.size).toBe(0);
  await surmise.search(question, { hyde: 'on', feedback: false });
  expect(generations.entries.size).toBe(1);
  await surmise.close();
});

test('what can not serve as a hypothesis is not kept', async () => {
  const generations = memoryCache();
  await answered({
    generator: generatorOf(async () => [{ text: 'I am sorry, I can not do that.' }]),
    caches: { generations },
  });
  expect(generations.entries.size).toBe(0);
});

test.each<[string, Partial<ModelCache>]>([
  ['rejects', { find: () => Promise.reject(new Error('no disk')), keep: () => Promise.reject(new Error('no disk')) }],
  ['hangs', { find: () => new Promise(() => {}), keep: () => new Promise(() => {}) }],
  ['answers nonsense', { find: async () => 'x' as never, keep: async () => {} }],
])('a cache that %s costs nothing but itself, and the answer says so', async (_, broken) => {
  const generator = generatorOf(async () => [{ text: passage }]);
  const cache = { ...memoryCache(), ...broken };
  const parts = { generator, embedder };
  const whole = await answered(parts);
  const result = await answered({ ...parts, caches: { generations: cache, vectors: cache } });
  expect(result.hits).toEqual(whole.hits);
  expect(new Set(result.degraded.map(({ part }) => part))).toEqual(new Set(['cache']));
});

test('vectors come back for their fingerprint, role and text alone; keys are hashes', async () => {
  const cache = memoryCache();
  const kept = keptVectors(cache, fingerprint);
  await kept.keep(['rose', 'frost'], [Float32Array.of(1, 2), Float32Array.of(3, 4)], 'document');
  expect(await kept.find(['frost', 'noon', 'rose', 'rose'], 'document')).toEqual([
    Float32Array.of(3, 4),
    undefined,
    Float32Array.of(1, 2),
    Float32Array.of(1, 2),
  ]);
  expect(await kept.find(['rose'], 'query')).toEqual([undefined]);
  for (const other of [{ model: 'n' }, { dimensions: 1 }, { prefixes: { query: '', document: 'passage: ' } }])
    expect(await keptVectors(cache, { ...fingerprint, ...other }).find(['rose'], 'document')).toEqual([undefined]);
  for (const key of cache.entries.keys()) expect(key).toMatch(/^[0-9a-f]{32}$/);
});

test.each([
  ['no bytes', 'text'],
  ['no JSON', new TextEncoder().encode('{')],
  ['no list', new TextEncoder().encode('{"text": "a"}')],
  ['an empty list', new TextEncoder().encode('[]')],
  ['a text that is none', new TextEncoder().encode('[{"text": 5}]')],
  ['a vector', new TextEncoder().encode('[{"text": "a", "vector": {}}]')],
  ['a weight that is no number', new TextEncoder().encode('[{"text": "a", "weight": "b"}]')],
])('%s in the place of hypotheses is as if nothing were there', async (_, value) => {
  const cache = { ...memoryCache(), find: async ([key]: readonly string[]) => new Map([[key!, value as Uint8Array]]) };
  expect(await keptGenerations(cache).find('k')).toBeUndefined();
});

test('vectors that do not fit or are not finite are made again; generations with vectors are not kept', async () => {
  const cache = memoryCache();
  const kept = keptVectors(cache, fingerprint);
  await kept.keep(['rose', 'frost'], [Float32Array.of(1), Float32Array.of(Number.NaN, 1)], 'query');
  expect(await kept.find(['rose', 'frost'], 'query')).toEqual([undefined, undefined]);
  const list: Generation[] = [{ text: 'a', vector: Float32Array.of(1, 2) }];
  await keptGenerations(cache).keep('k', list);
  expect(cache.entries.size).toBe(2);
});

test('a cache that hangs takes no more than is left of the time', async () => {
  const never = new Promise<never>(() => {});
  const hung: ModelCache = { find: () => never, keep: () => never };
  const generator = generatorOf(async () => [{ text: passage }]);
  const { store } = await indexed();
  const surmise = createSurmise({ store, embedder, generator, caches: { generations: hung, vectors: hung } });
  const started = performance.now();
  const { hits, degraded } = await surmise.search('why do bees leave', { hyde: 'on', deadlineMs: 20 });
  expect(performance.now() - started).toBeLessThan(400);
  expect(hits).toHaveLength(8);
  expect(degraded.map(({ part }) => part)).toContain('cache');
});

test('an embedder that uses its memory again changes nothing that is remembered', async () => {
  const { store } = await indexed();
  const window = new Float32Array(embedder.fingerprint.dimensions);
  const reusing: Embedder = {
    ...embedder,
    async embed(texts, options) {
      const vectors = await embedder.embed(texts, options);
      window.set(vectors[0]!);
      return [window, ...vectors.slice(1)];
    },
  };
  const surmise = createSurmise({ store, embedder: reusing });
  const ask = async () => (await surmise.search('teapot', { mode: 'dense' })).hits;
  const first = await ask();
  await surmise.search('full moon', { mode: 'dense' });
  expect(await ask()).toEqual(first);
});

test('what is no cache is refused', () => {
  const caches = { vectors: {} as ModelCache };
  expect(() => createSurmise({ store: memoryStore(), caches })).toThrow(/"find" and "keep"/);
});

test('an embedder that fails search after search is left alone, and the words answer', async () => {
  let down = false;
  await using server = await openAiServer(({ body }) =>
    down ? { status: 500, json: {} } : { json: embeddings(body.input!.map((text) => [text.length, 1, 2])) },
  );
  const model = createOpenAICompatible({ name: 'loopback', baseURL: server.url }).textEmbeddingModel('tiny');
  const surmise = createSurmise({ store: memoryStore(), embedder: fromAiSdk(model, { dimensions: 3 }) });
  await surmise.index(library.map((document) => ({ document })));
  down = true;
  const search = (question: string) => surmise.search(question, { hyde: 'off', feedback: false });
  for (const question of ['bees', 'hive', 'queen']) await search(question);
  const before = server.received.length;
  const { hits, degraded } = await search('swarms');
  expect(server.received).toHaveLength(before);
  expect(hits[0]?.document).toBe('bees');
  expect(degraded).toMatchObject([{ part: 'dense', reason: expect.stringContaining('left alone') }]);
  await expect(surmise.search('half', { mode: 'dense', hyde: 'off' })).rejects.toMatchObject({
    code: 'provider_failed',
  });
  await surmise.close();
});
