import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexDocuments } from '../../src/core/indexing.js';
import type { Embedder, ModelCache } from '../../src/core/ports.js';
import { createSurmise } from '../../src/core/surmise.js';
import { createTokenBudget, type TokenBudget } from '../../src/core/token-budget.js';
import { countingEmbedder } from './counting-embedder.js';
import { embedder, memoryStore } from './library.js';

const documents = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ document: { id: `d${at}`, text: `Entry number ${at}.` } }));
/** Counts words. */
const counted = (limits: Partial<Embedder['limits']> = {}) => ({
  ...countingEmbedder(embedder, { batch: 4, ...limits }),
  countTokens: (text: string) => text.split(' ').length,
});

test('never more is set aside and spent than there is', () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 8 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 300 }), fc.array(fc.tuple(sizes, fc.boolean())), (tokens, calls) => {
      const budget = createTokenBudget(tokens);
      for (const [texts, answered] of calls) {
        const before = budget.left;
        const count = budget.reserve(texts);
        const taken = texts.slice(0, count).reduce((sum, size) => sum + size, 0);
        expect(budget.left).toBe(before - taken);
        if (count < texts.length) expect(taken + texts[count]!).toBeGreaterThan(before);
        if (answered) budget.charge(taken);
        budget.release(taken);
        expect(budget.spent).toBeLessThanOrEqual(tokens);
      }
    }),
  );
});

test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, '5' as never])('%s is no budget', (tokens) => {
  expect(() => createTokenBudget(tokens)).toThrow(/whole number/);
});

test('what the budget has no room for is found by words, listed as left, and done by the next run alone', async () => {
  const store = memoryStore();
  const counting = counted();
  const budget = createTokenBudget(20);
  const report = await indexDocuments({ store, embedder: counting }, documents(10), { budget });
  expect(report).toMatchObject({ added: 10, embedded: 6, failed: [], left: { documents: 4, texts: 4, tokens: 12 } });
  expect(budget).toMatchObject({ spent: 18, left: 2 });
  expect(await store.info()).toMatchObject({ documents: 10, chunks: 10, vectors: 6 });
  counting.calls.length = 0;
  const next = await indexDocuments({ store, embedder: counting }, documents(10));
  expect(next).toMatchObject({ updated: 4, unchanged: 6, embedded: 4 });
  expect(next).not.toHaveProperty('left');
  expect(counting.calls.flat()).toEqual([6, 7, 8, 9].map((at) => `Entry number ${at}.`));
});

test.each([
  ['as the embedder counts', counted()],
  ['estimated', countingEmbedder(embedder, { batch: 4 })],
])('what a dry run says is enough, and what is spent, prefixes included: %s', async (_, plain) => {
  const prefixes = { query: 'ask: ', document: 'this passage: ' };
  const price = { perMillionTokens: 1, currency: 'USD' };
  const prefixed = { ...plain, price, fingerprint: { ...plain.fingerprint, prefixes } };
  const planned = await indexDocuments({ store: memoryStore(), embedder: prefixed }, documents(10), { dryRun: true });
  const budget = createTokenBudget(planned.tokens);
  const report = await indexDocuments({ store: memoryStore(), embedder: prefixed }, documents(10), { budget });
  expect(report).toMatchObject({ embedded: 10 });
  expect(report).not.toHaveProperty('left');
  expect(Math.abs(report.tokens - budget.spent)).toBeLessThan(1);
  expect(Math.ceil(budget.spent)).toBe(planned.tokens);
});

test('with nothing to spend nothing is asked', async () => {
  const store = memoryStore();
  const counting = counted();
  const surmise = createSurmise({ store, embedder: counting });
  const report = await surmise.index(documents(3), { budget: createTokenBudget(0) });
  expect(counting.calls).toEqual([]);
  expect(report).toMatchObject({ added: 3, embedded: 0, left: { documents: 3, texts: 3, tokens: 9 } });
});

test('of a document that is half done the next run does the rest', async () => {
  const store = memoryStore();
  const counting = counted({ batch: 1 });
  const text = Array.from({ length: 6 }, (_, at) => `# Part ${at}\n\n${`Sentence of part ${at}. `.repeat(30)}`).join(
    '\n\n',
  );
  const book = [{ document: { id: 'book', text } }];
  const chunking = { size: 64, overlap: 0 };
  const budget = createTokenBudget(200);
  const half = await indexDocuments({ store, embedder: counting }, book, { chunking, budget });
  expect(half).toMatchObject({ added: 1, left: { documents: 1, texts: half.chunks - half.embedded } });
  expect(half.embedded).toBeGreaterThan(0);
  expect(half.embedded).toBeLessThan(half.chunks);
  const rest = await indexDocuments({ store, embedder: counting }, book, { chunking });
  expect(rest).toMatchObject({ updated: 1, embedded: half.chunks - half.embedded, reused: half.embedded });
  expect(await store.info()).toMatchObject({ chunks: half.chunks, vectors: half.chunks });
});

test('what is enough for all is enough, however many calls run at a time', async () => {
  const tokens = 3 * 200;
  for (let round = 0; round < 5; round++) {
    const wide = counted({ batch: 3, concurrency: 8 });
    const budget = createTokenBudget(tokens);
    const report = await indexDocuments({ store: memoryStore(), embedder: wide }, documents(200), { budget });
    expect(report).toMatchObject({ added: 200, embedded: 200 });
    expect(report).not.toHaveProperty('left');
    expect(budget).toMatchObject({ spent: tokens, left: 0 });
  }
});

test('calls at a time do not exceed it together, and runs can share one', async () => {
  const budget = createTokenBudget(31);
  const asked = counted({ batch: 2, concurrency: 4 });
  for (const prefix of ['a', 'b']) {
    const inputs = documents(8).map(({ document }) => ({
      document: { id: `${prefix}${document.id}`, text: `${document.text} ${prefix}` },
    }));
    await indexDocuments({ store: memoryStore(), embedder: asked }, inputs, { budget });
  }
  const sent = asked.calls.flat().reduce((sum, text) => sum + text.split(' ').length, 0);
  expect(sent).toBe(28);
  expect(budget.spent).toBe(sent);
});

test('a refused call costs nothing, one that times out is charged', async () => {
  const charged = async (error: Error, attempts = 1) => {
    const budget = createTokenBudget(1_000);
    const failing = { ...counted(), embed: () => Promise.reject(error) };
    const retries = { attempts, firstMs: 0, longestMs: 0, totalMs: 1_000 };
    await indexDocuments({ store: memoryStore(), embedder: failing }, documents(1), { budget, retries }).catch(
      () => {},
    );
    return budget.spent;
  };
  const { SurmiseError } = await import('../../src/core/errors.js');
  expect(await charged(new SurmiseError('provider_failed', 'no', { fatal: true }))).toBe(0);
  expect(await charged(new SurmiseError('timeout', 'late', { retryable: true }), 2)).toBeGreaterThanOrEqual(6);
});

test('measuring the legs keeps the budget as well', async () => {
  const words = (at: number) =>
    `Station ${at} stands near the harbour of place ${at}. It was built with ${at + 3} arches for the line.`;
  const many = Array.from({ length: 80 }, (_, at) => ({ document: { id: `d${at}`, text: words(at) } }));
  const index = async (tokens: number) => {
    const store = memoryStore();
    const embedderOf = counted({ batch: 100 });
    const budget = createTokenBudget(tokens);
    const report = await createSurmise({ store, embedder: embedderOf }).index(many, { budget });
    const sent = embedderOf.calls.flat().reduce((sum, text) => sum + text.split(' ').length, 0);
    return { report, sent, budget };
  };
  const enough = await index(100_000);
  expect(enough.report.legsNotMeasured).toBeUndefined();
  expect(enough.budget.spent).toBeGreaterThan(enough.report.tokens);
  const tight = await index(Math.ceil(enough.report.tokens) + 1_000);
  expect(tight.sent).toBeLessThanOrEqual(tight.budget.tokens);
  expect(tight.report.legsNotMeasured).toContain('more than the budget has left');
});

test('what is no budget is refused', async () => {
  const budget = { tokens: 5 } as TokenBudget;
  await expect(indexDocuments({ store: memoryStore() }, [], { budget })).rejects.toMatchObject({
    code: 'bad_argument',
  });
});

test('vectors that were made once are taken from the cache, also when the first run lost them', async () => {
  const entries = new Map<string, Uint8Array>();
  const cache: ModelCache = {
    find: async (keys) => new Map(keys.flatMap((key) => (entries.has(key) ? [[key, entries.get(key)!]] : []))),
    async keep(more) {
      for (const [key, value] of more) entries.set(key, value.slice());
    },
  };
  const counting = counted();
  const lost = { ...memoryStore(), put: () => Promise.reject(new Error('killed')) };
  await expect(indexDocuments({ store: lost, embedder: counting, cache }, documents(9))).rejects.toBeDefined();
  const asked = counting.calls.length;
  expect(asked).toBe(3);
  const store = memoryStore();
  expect(await indexDocuments({ store, embedder: counting, cache }, documents(9), { dryRun: true })).toMatchObject({
    embedded: 0,
    tokens: 0,
  });
  expect(await indexDocuments({ store, embedder: counting, cache }, documents(9))).toMatchObject({
    added: 9,
    embedded: 0,
    reused: 9,
  });
  expect(counting.calls).toHaveLength(asked);
  const broken = { ...cache, find: () => Promise.reject(new Error('no disk')) };
  const without = await indexDocuments({ store: memoryStore(), embedder: counting, cache: broken }, documents(2));
  expect(without).toMatchObject({ added: 2, embedded: 2, notKept: 'no disk' });
});
