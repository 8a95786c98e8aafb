import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SearchOptions } from '../../src/core/options.js';
import type { Reranker } from '../../src/core/ports.js';
import { applyRerank } from '../../src/core/rerank.js';
import { deterministicGenerator } from '../../src/models/deterministic-generator.js';
import { embedder, generatorOf, indexed, library } from './library.js';

const question = 'when do bees leave the hive?';
const rerankerOf = (rerank: Reranker['rerank']): Reranker => ({ id: 'test', rerank });
/** Likes what the question is not about: the later a text stands in the alphabet, the more. */
const contrary = rerankerOf(async (_, texts) => {
  const sorted = [...texts].sort();
  return texts.map((text) => (sorted.indexOf(text) + 1) / 10);
});
const order = (hits: readonly { document: string }[]) => hits.map(({ document }) => document);
const fused = (id: string, score: number) => ({ id, score, legs: {} });

describe('in a search', () => {
  test('the reranker orders the list; its score is shown, the one before is kept, and the trace tells', async () => {
    const surmise = await indexed(library, { embedder, reranker: contrary });
    const before = await surmise.search(question, { rerank: false });
    const { hits, trace, degraded } = await surmise.search(question);
    expect(degraded).toEqual([]);
    expect(trace.rerank).toEqual({ id: 'test', passages: 8, ms: expect.any(Number) });
    expect(before.trace).not.toHaveProperty('rerank');
    expect(order(hits)).toEqual(
      library
        .map(({ title, id }) => [title!, id])
        .sort()
        .reverse()
        .map(([, id]) => id),
    );
    for (const hit of hits) {
      expect(hit.score).toBeCloseTo(0.9 - hit.rank / 10, 12);
      expect(hit.stages.rerank).toEqual({ score: hit.score, rank: hit.rank });
      const { score } = before.hits.find(({ id }) => id === hit.id)!;
      expect(hit.stages.plain!.score).toBe(score);
    }
  });

  test('it is asked once, with the question as it was asked and no hypothesis, and with what is indexed', async () => {
    const calls: [string, readonly string[]][] = [];
    const reranker = rerankerOf(async (query, texts) => {
      calls.push([query, texts]);
      return texts.map(() => 0.5);
    });
    const generator = deterministicGenerator({ [question]: ['In May a hive swarms with the old queen.'] });
    const surmise = await indexed(library, { embedder, generator, reranker });
    for await (const step of surmise.stream(question)) expect(step.stage === 'plain' ? calls.length : 0).toBe(0);
    expect(calls).toHaveLength(1);
    expect(calls[0]![0]).toBe(question);
    expect(calls[0]![1]).toContain('Kettle\nDescale the kettle with vinegar when the water tastes of chalk.');
  });

  test('equal scores go by id', async () => {
    const surmise = await indexed(library, { embedder, reranker: rerankerOf(async (_, texts) => texts.map(() => 3)) });
    const { hits } = await surmise.search(question);
    expect(order(hits)).toEqual(library.map(({ id }) => id).sort());
    expect(new Set(hits.map(({ score }) => score))).toEqual(new Set([1 / (1 + Math.exp(-3))]));
  });

  test('hits for k are a prefix of those for more, below the depth and beyond it', async () => {
    const surmise = await indexed(library, { embedder, reranker: contrary });
    const options = { rerank: { depth: 3 } };
    const all = (await surmise.search(question, { ...options, k: 100 })).hits;
    expect(all).toHaveLength(8);
    expect(all.filter(({ stages }) => stages.rerank !== undefined).map(({ rank }) => rank)).toEqual([1, 2, 3]);
    for (let k = 1; k <= 8; k++)
      expect((await surmise.search(question, { ...options, k })).hits).toEqual(all.slice(0, k));
    const scores = all.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    const rest = order((await surmise.search(question, { rerank: false })).hits).slice(3);
    expect(order(all).slice(3)).toEqual(rest);
  });

  test('asked for but not there: it is said, and nothing else changes', async () => {
    const surmise = await indexed();
    const plain = await surmise.search(question);
    expect(plain.degraded).toEqual([]);
    const result = await surmise.search(question, { rerank: true });
    expect(result.hits).toEqual(plain.hits);
    expect(result.degraded).toEqual([{ part: 'rerank', reason: 'no reranker is configured' }]);
  });

  test('nothing found: it is not asked', async () => {
    const reranker = rerankerOf(() => {
      throw new Error('was asked');
    });
    const { degraded, reason } = await (await indexed(library, { reranker })).search('zeppelin');
    expect([degraded, reason]).toEqual([[], 'nothing matches']);
  });
});

describe('a reranker that fails leaves the order before it, and it is said', () => {
  const sparse = new Array<number>(8).fill(0.5);
  delete sparse[3];
  test.each<[string, Reranker['rerank'], RegExp]>([
    ['throws', () => Promise.reject(new Error('no more credit')), /no more credit/],
    [
      'throws before it gives a promise',
      () => {
        throw new Error('not ready');
      },
      /not ready/,
    ],
    ['gives no list', async () => null as never, /no list of scores for 8 texts/],
    ['gives too few', async () => [0.5], /1 scores for 8 texts/],
    ['gives too many', async (_, texts) => [...texts.map(() => 1), 1], /9 scores for 8 texts/],
    ['gives what is no number', async (_, texts) => texts.map((__, i) => (i ? 0 : Number.NaN)), /not a finite number/],
    ['gives the infinite', async (_, texts) => texts.map(() => Number.NEGATIVE_INFINITY), /not a finite number/],
    ['gives texts', async (_, texts) => texts.map(() => '1') as never, /not a finite number/],
    [
      'empties the list of texts',
      async (_, texts) => (texts as string[]).splice(0, 8).slice(8) as never,
      /0 scores for 8/,
    ],
    ['leaves holes', async () => sparse, /not a finite number/],
  ])('%s', async (_, rerank, reason) => {
    const surmise = await indexed(library, { embedder, reranker: rerankerOf(rerank) });
    const result = await surmise.search(question);
    expect(result.hits).toEqual((await surmise.search(question, { rerank: false })).hits);
    expect(result.degraded).toEqual([{ part: 'rerank', reason: expect.stringMatching(reason) }]);
    expect(result.trace).not.toHaveProperty('rerank');
  });

  test('hangs: the search ends at its deadline, also behind a generator that hangs, and its signal fires', async () => {
    const signals: AbortSignal[] = [];
    const never = new Promise<never>(() => {});
    const reranker = rerankerOf((_, __, { signal }) => {
      signals.push(signal!);
      return never;
    });
    const surmise = await indexed(library, { embedder, reranker, generator: generatorOf(() => never) });
    const result = await surmise.search(question, { hyde: 'on', deadlineMs: 300, feedback: false });
    expect(result.hits).toEqual((await surmise.search(question, { rerank: false, hyde: 'off' })).hits);
    expect(result.degraded.map(({ part }) => part)).toEqual(['generator', 'rerank']);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(result.trace.ms).toBeGreaterThan(290);
  });

  test('given up by the caller: the search ends with it', async () => {
    const stop = new AbortController();
    const reranker = rerankerOf(() => {
      stop.abort();
      return new Promise(() => {});
    });
    const surmise = await indexed(library, { embedder, reranker });
    await expect(surmise.search(question, { signal: stop.signal })).rejects.toMatchObject({ code: 'aborted' });
  });
});

describe('scores on one scale', () => {
  const three = [fused('a', 0.9), fused('b', 0.5), fused('c', 0.4)];

  test('those in 0 … 1 are taken as they are, others are logits; what was not read stays below', () => {
    const share = applyRerank(
      three,
      new Map([
        ['a', 0.2],
        ['b', 0.7],
      ]),
    );
    expect(share.map(({ id, score }) => [id, score])).toEqual([
      ['b', 0.7],
      ['a', 0.2],
      ['c', 0.2 * 0.4],
    ]);
    const logits = applyRerank(
      three,
      new Map([
        ['a', -2],
        ['b', 0],
      ]),
    );
    expect(logits.map(({ id, score }) => [id, score])).toEqual([
      ['b', 0.5],
      ['a', 1 / (1 + Math.exp(2))],
      ['c', expect.closeTo(0.4 / (1 + Math.exp(2)), 15)],
    ]);
  });

  test('the order is that of the scores as given, also where they look the same', () => {
    const scores = new Map([
      ['a', 1_000],
      ['b', 2_000],
      ['c', -5_000],
    ]);
    expect(applyRerank(three, scores).map(({ id }) => id)).toEqual(['b', 'a', 'c']);
  });

  test('always within 0 … 1 and falling', () => {
    const score = fc.double({ noNaN: true, noDefaultInfinity: true });
    const fraction = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(score, { minLength: 1, maxLength: 6 }),
        fc.array(fraction, { maxLength: 6 }),
        (read, more) => {
          const list = [
            ...read.map((_, i) => fused(`r${i}`, 1)),
            ...more.sort((a, b) => b - a).map((s, i) => fused(`u${i}`, s)),
          ];
          const scores = applyRerank(list, new Map(read.map((s, i) => [`r${i}`, s]))).map((hit) => hit.score);
          expect(scores).toHaveLength(list.length);
          expect(scores).toEqual([...scores].sort((a, b) => b - a));
          expect(scores.every((s) => s >= 0 && s <= 1)).toBe(true);
        },
      ),
    );
  });
});

test.each<[string, SearchOptions]>([
  ['a depth of 0', { rerank: { depth: 0 } }],
  ['an unknown field', { rerank: { top: 3 } as never }],
])('%s is a bad argument', async (_, options) => {
  await expect((await indexed()).search(question, options)).rejects.toMatchObject({ code: 'bad_argument' });
});
