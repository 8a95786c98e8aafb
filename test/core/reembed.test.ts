import { expect, test } from 'vitest';
import { SurmiseError } from '../../src/core/errors.js';
import type { Embedder, ModelCache } from '../../src/core/ports.js';
import { reembed } from '../../src/core/reembed.js';
import { createSurmise } from '../../src/core/surmise.js';
import { createTokenBudget } from '../../src/core/token-budget.js';
import { deterministicEmbedder } from '../../src/models/deterministic-embedder.js';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';
import { countingEmbedder } from './counting-embedder.js';
import { embedder, library } from './library.js';

const inputs = library.map((document) => ({ document }));
/** Of another length, so that a vector of one in a list of the other could not pass. */
const other = deterministicEmbedder({ dimensions: 96 });
const quick = { retries: { attempts: 1 } };

async function indexedStore(documents = inputs) {
  const store = openSqliteStore({ path: ':memory:' });
  await createSurmise({ store, embedder }).index(documents);
  return store;
}

/** What a fresh index with the embedder finds, to compare with. */
async function freshResults(question: string) {
  const store = openSqliteStore({ path: ':memory:' });
  const surmise = createSurmise({ store, embedder: other });
  await surmise.index(inputs);
  return (await surmise.search(question)).hits.map(({ id, score }) => [id, score]);
}

test('vectors are made anew from the stored texts, and answer as if the index had been made with the new embedder', async () => {
  const store = await indexedStore();
  const counting = countingEmbedder(other, { batch: 3 });
  expect(await reembed({ store, embedder: counting })).toMatchObject({
    from: embedder.fingerprint,
    to: other.fingerprint,
    swapped: true,
    resumed: 0,
    embedded: library.length,
    failed: [],
  });
  expect(counting.calls.flat()).toHaveLength(library.length);
  expect(await store.info()).toMatchObject({ vectors: library.length, fingerprint: other.fingerprint });
  expect(await store.beside.info()).toBeUndefined();
  const { hits, degraded } = await createSurmise({ store, embedder: other }).search('a swarm of bees');
  expect(hits.map(({ id, score }) => [id, score])).toEqual(await freshResults('a swarm of bees'));
  expect(degraded).toEqual([]);
  expect((await store.check()).problems).toEqual([]);
});

test('while they are made the old ones answer in every leg, and no list holds any of the new', async () => {
  const store = await indexedStore();
  const old = createSurmise({ store, embedder });
  const before = (await old.search('migration of bees')).hits.map(({ id, score }) => [id, score]);
  let looked = 0;
  const looking: Embedder = {
    ...other,
    limits: { batch: 2 },
    async embed(texts, options) {
      const { hits, mode } = await old.search('migration of bees');
      expect(mode).toBe('hybrid');
      expect(hits.map(({ id, score }) => [id, score])).toEqual(before);
      looked++;
      return other.embed(texts, options);
    },
  };
  await reembed({ store, embedder: looking });
  expect(looked).toBeGreaterThanOrEqual(4);
});

test('what a run has made before it failed is not made again', async () => {
  const store = await indexedStore();
  const failing = countingEmbedder(other, { batch: 3, failAt: 1 });
  await expect(reembed({ store, embedder: failing }, quick)).rejects.toThrow('the line is busy');
  expect(await store.info()).toMatchObject({ fingerprint: embedder.fingerprint, vectors: library.length });
  expect(await store.beside.info()).toEqual({ fingerprint: other.fingerprint, vectors: 3 });
  const counting = countingEmbedder(other);
  expect(await reembed({ store, embedder: counting })).toMatchObject({ resumed: 3, embedded: 5, swapped: true });
  expect(counting.calls.flat()).toHaveLength(5);
});

test('going back to the embedder of the index gives up what lies beside; a third one begins anew', async () => {
  const store = await indexedStore();
  const failing = countingEmbedder(other, { batch: 3, failAt: 1 });
  await expect(reembed({ store, embedder: failing }, quick)).rejects.toThrow();
  const third = deterministicEmbedder({ dimensions: 32 });
  const alsoFailing = countingEmbedder(third, { batch: 2, failAt: 1 });
  await expect(reembed({ store, embedder: alsoFailing }, quick)).rejects.toThrow();
  expect(await store.beside.info()).toEqual({ fingerprint: third.fingerprint, vectors: 2 });
  const asked = countingEmbedder(embedder);
  expect(await reembed({ store, embedder: asked })).toMatchObject({ swapped: false, embedded: 0 });
  expect(asked.calls).toEqual([]);
  expect(await store.beside.info()).toBeUndefined();
});

test('documents that come, change and go meanwhile, and rows that are renumbered, get the vectors of their own texts', async () => {
  const store = await indexedStore();
  const old = createSurmise({ store, embedder });
  let call = 0;
  const meddling: Embedder = {
    ...other,
    limits: { batch: 2 },
    async embed(texts, options) {
      call++;
      if (call === 1) await old.index([{ document: { ...library[0]!, text: 'The kettle sings at dawn.' } }]);
      if (call === 2) await old.remove(['bees', 'bread', 'tides', 'violin']);
      if (call === 3) await store.compact();
      if (call === 4) await old.index([{ document: { id: 'new', text: 'A lantern hangs at the pier.' } }]);
      return other.embed(texts, options);
    },
  };
  await reembed({ store, embedder: meddling });
  expect(await store.info()).toMatchObject({ documents: 5, vectors: 5, fingerprint: other.fingerprint });
  const surmise = createSurmise({ store, embedder: other });
  for (const text of ['The kettle sings at dawn.', 'A lantern hangs at the pier.']) {
    const { hits } = await surmise.search(text, { mode: 'dense', hyde: 'off', feedback: false });
    expect(hits[0]!.text).toBe(text);
  }
  expect((await store.check()).problems).toEqual([]);
  // Each chunk has the vector of its own text.
  const ids = ['kettle#0', 'tyres#0', 'router#0', 'glacier#0', 'new#0'];
  const fresh = openSqliteStore({ path: ':memory:' });
  const documents = (await store.get(ids)).map(({ document: id, title, text }) => ({ document: { id, title, text } }));
  await createSurmise({ store: fresh, embedder: other }).index(documents);
  const vectorsOf = async (from: typeof store) => (await from.get(ids, { vectors: true })).map(({ vector }) => vector);
  expect(await vectorsOf(store)).toEqual(await vectorsOf(fresh));
});

test('chunks that the embedder refuses stay without, are told, and are asked for again by the next indexing', async () => {
  const store = await indexedStore();
  const refusing: Embedder = {
    ...other,
    embed: (texts, options) =>
      texts.some((text) => text.includes('vinegar'))
        ? Promise.reject(new SurmiseError('provider_failed', 'Not with vinegar.'))
        : other.embed(texts, options),
  };
  const { failed } = await reembed({ store, embedder: refusing }, quick);
  expect(failed).toEqual([{ id: 'kettle#0', reason: 'Not with vinegar.' }]);
  expect(await store.vectorCounts()).toEqual({ complete: 7, pending: 0, failed: 1, failedDocuments: 1 });
  const counting = countingEmbedder(other);
  await createSurmise({ store, embedder: counting }).index(inputs);
  expect(counting.calls.flat()).toHaveLength(1);
  expect(await store.info()).toMatchObject({ vectors: library.length });
});

test('an embedder that refuses everything takes nothing away', async () => {
  const store = await indexedStore();
  const refusing: Embedder = {
    ...other,
    embed: (texts) =>
      texts.some((text) => !text.includes('harbour'))
        ? Promise.reject(new SurmiseError('provider_failed', 'No.'))
        : other.embed(texts, { role: 'document' }),
  };
  await expect(reembed({ store, embedder: refusing }, quick)).rejects.toMatchObject({ code: 'provider_failed' });
  expect(await store.info()).toMatchObject({ vectors: library.length, fingerprint: embedder.fingerprint });
});

test('an index of words gets vectors, an empty one the embedder of its first', async () => {
  const words = openSqliteStore({ path: ':memory:' });
  await createSurmise({ store: words }).index(inputs);
  expect(await reembed({ store: words, embedder: other })).toMatchObject({ swapped: true, embedded: library.length });
  expect(await words.info()).toMatchObject({ vectors: library.length, fingerprint: other.fingerprint });
  const empty = openSqliteStore({ path: ':memory:' });
  expect(await reembed({ store: empty, embedder: other })).toMatchObject({ swapped: true, embedded: 0 });
});

test('giving up keeps what was made', async () => {
  const store = await indexedStore();
  const abort = new AbortController();
  const stopping: Embedder = {
    ...other,
    limits: { batch: 3 },
    async embed(texts, options) {
      const vectors = await other.embed(texts, options);
      if (abort.signal.aborted) throw new Error('asked after the end');
      queueMicrotask(() => abort.abort());
      return vectors;
    },
  };
  await expect(reembed({ store, embedder: stopping }, { signal: abort.signal })).rejects.toMatchObject({
    code: 'aborted',
  });
  expect((await store.info()).fingerprint).toEqual(embedder.fingerprint);
});

test('another process that begins with another embedder is told from ours', async () => {
  const store = await indexedStore();
  const third = deterministicEmbedder({ dimensions: 32 });
  const overtaken: Embedder = {
    ...other,
    async embed(texts, options) {
      await store.beside.begin(third.fingerprint);
      return other.embed(texts, options);
    },
  };
  await expect(reembed({ store, embedder: overtaken })).rejects.toMatchObject({
    code: 'index_busy',
    message: expect.stringContaining('32 dimensions'),
  });
});

test('texts longer than the new embedder takes are counted', async () => {
  const store = await indexedStore();
  const short: Embedder = { ...other, limits: { ...other.limits, characters: 70 } };
  const longer = library.filter(({ title, text }) => `${title}\n${text}`.length > 70).length;
  const { tooLong } = await reembed({ store, embedder: short });
  expect(tooLong).toBeGreaterThan(0);
  expect(tooLong).toBeLessThanOrEqual(longer);
});

test('a budget ends a run, which the next one goes on with; a cache is asked before the embedder', async () => {
  const store = await indexedStore();
  const budget = createTokenBudget(40);
  const small: Embedder = { ...other, limits: { batch: 1 } };
  await expect(reembed({ store, embedder: small }, { budget })).rejects.toMatchObject({ code: 'over_budget' });
  const made = (await store.beside.info())!.vectors;
  expect(made).toBeGreaterThan(0);
  expect(made).toBeLessThan(library.length);
  const entries = new Map<string, Uint8Array>();
  const cache: ModelCache = {
    find: async (keys) => new Map(keys.flatMap((key) => (entries.has(key) ? [[key, entries.get(key)!]] : []))),
    keep: async (more) => {
      for (const [key, value] of more) entries.set(key, value);
    },
  };
  const failing = countingEmbedder(other, { batch: 2, failAt: 1 });
  const fresh = await indexedStore();
  await expect(reembed({ store: fresh, embedder: failing, cache }, quick)).rejects.toThrow();
  const counting = countingEmbedder(other);
  expect(await reembed({ store: await indexedStore(), embedder: counting, cache })).toMatchObject({ swapped: true });
  expect(counting.calls.flat()).toHaveLength(library.length - 2);
  expect(await reembed({ store, embedder: other })).toMatchObject({ resumed: made, swapped: true });
});

test('what is no option, no embedder or no store with such a place is refused before anything is done', async () => {
  const store = await indexedStore();
  const { beside: _, ...plain } = store;
  const bad = { code: 'bad_argument' };
  await expect(reembed({ store, embedder: other }, { dryRun: true } as never)).rejects.toMatchObject(bad);
  await expect(reembed({ store, embedder: {} as Embedder })).rejects.toMatchObject(bad);
  await expect(reembed({ store: plain, embedder: other })).rejects.toMatchObject(bad);
  expect(await store.beside.info()).toBeUndefined();
});
