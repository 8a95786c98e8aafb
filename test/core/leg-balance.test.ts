import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { denseWeight, denseWeightOf, isCurrent, knownShare } from '../../src/core/dense-weight.js';
import { SurmiseError } from '../../src/core/errors.js';
import { fingerprintKey } from '../../src/core/fingerprint.js';
import { measureLegs, refreshLegBalance } from '../../src/core/leg-balance.js';
import type { Document, Embedder, StoreInfo } from '../../src/core/ports.js';
import { createSurmise } from '../../src/core/surmise.js';
import { embedder, indexed, memoryStore } from './library.js';

const words = 'amber birch cedar delta ember fjord glade heath inlet jetty knoll larch marsh north ocean pines'.split(
  ' ',
);
/** Documents of two sentences, each about a place of its own. */
const places = (count: number): Document[] =>
  Array.from({ length: count }, (_, i) => {
    const [a, b] = [words[i % 16]!, words[(i * 7 + (i >> 4)) % 16]!];
    const place = `Place${i}`;
    return {
      id: `place-${String(i).padStart(3, '0')}`,
      text: `The town ${place} lies between ${a} and ${b} by the water. People of ${place} like the ${b} best of all.`,
    };
  });
/** Knows of which place a text speaks. */
const seeing: Embedder = {
  ...embedder,
  async embed(texts) {
    return texts.map((text) => {
      const place = Number(/Place(\d+)/.exec(text)?.[1] ?? 999);
      return Float32Array.from({ length: 64 }, (_, i) => Math.sin((place * 31 + 7) * (i + 1)));
    });
  },
};
/** Knows nothing: each text has another direction, by its length and first letters. */
const blind: Embedder = {
  ...embedder,
  async embed(texts) {
    return texts.map((text) => Float32Array.from({ length: 64 }, (_, i) => Math.sin((text.length * 31 + 7) * (i + 1))));
  },
};

test('a leg that finds what belongs together weighs more than one that does not', async () => {
  const { store } = await indexed(places(80), { embedder: seeing });
  const good = (await store.info()).legBalance!;
  expect(good).toMatchObject({ samples: 80, chunks: 80, embedder: fingerprintKey(embedder.fingerprint) });
  expect(good.lexical).toBeGreaterThan(0.9);
  expect(good.dense).toBeGreaterThan(0.9);
  expect(good.denseWeight).toBeGreaterThan(0.5);
  const poor = (await (await indexed(places(80), { embedder: blind })).store.info()).legBalance!;
  expect(poor.lexical).toBe(good.lexical);
  expect(poor.dense).toBeLessThan(0.2);
  expect(poor.denseWeight).toBeCloseTo(0.1, 12);
});

test('the same index gives the same, and the order of its documents does not count', async () => {
  const documents = places(70);
  const one = await indexed(documents);
  const two = await indexed([...documents].reverse());
  expect(await measureLegs(one.store, embedder)).toEqual(await measureLegs(two.store, embedder));
});

test('a search takes the measured share, unless it is told another, and says which', async () => {
  const surmise = await indexed(places(80), { embedder: blind });
  const weights = async (options: object) => (await surmise.search('the town by the water', options)).trace.fusion;
  expect(await weights({})).toMatchObject({ weightsFrom: 'measured', weights: { dense: expect.closeTo(0.1, 9) } });
  expect(await weights({ denseWeight: 0.7 })).toMatchObject({ weightsFrom: 'given', weights: { dense: 0.7 } });
  expect(await weights({ mode: 'lexical' })).not.toHaveProperty('weightsFrom');
});

test('too small an index, one without vectors, and a store that can not score texts are not measured', async () => {
  expect((await (await indexed(places(40))).store.info()).legBalance).toBeUndefined();
  expect((await (await indexed(places(80), {})).store.info()).legBalance).toBeUndefined();
  const { store } = await indexed(places(80));
  const { scoreText: _, ...plain } = store;
  expect(await measureLegs(plain, embedder)).toBeUndefined();
  expect((await (await indexed(places(40))).search('the town')).trace.fusion.weightsFrom).toBe('default');
});

test('it is measured again when the index has doubled or halved, not for every run', async () => {
  const store = memoryStore();
  const surmise = createSurmise({ store, embedder });
  const all = places(160).map((document) => ({ document }));
  expect((await surmise.index(all.slice(0, 70))).legBalance).toMatchObject({ chunks: 70 });
  expect(await surmise.index(all.slice(0, 100))).not.toHaveProperty('legBalance');
  expect((await store.info()).legBalance).toMatchObject({ chunks: 70 });
  expect((await surmise.index(all)).legBalance).toMatchObject({ chunks: 160 });
  expect(await surmise.index(all, { dryRun: true })).not.toHaveProperty('legBalance');
});

test('what was measured before the time was up counts, if it is enough', async () => {
  const { store } = await indexed(places(160));
  const upTo = (most: number): Embedder => {
    let left = most;
    return {
      ...embedder,
      embed(texts, options) {
        left -= texts.length;
        return left < 0 ? Promise.reject(new SurmiseError('timeout', 'slow')) : embedder.embed(texts, options);
      },
    };
  };
  expect(await measureLegs(store, upTo(250))).toMatchObject({ samples: 100 });
  await expect(measureLegs(store, upTo(50))).rejects.toMatchObject({ code: 'timeout' });
});

test('what fails while measuring is said, and the documents are there', async () => {
  const { store } = await indexed(places(80));
  await store.put(
    places(200)
      .slice(80)
      .map((document) => ({ document, hash: 'x', chunks: [{ start: 0, end: document.text.length }] })),
  );
  const failing: Embedder = { ...embedder, embed: () => Promise.reject(new Error('connection lost')) };
  expect(await refreshLegBalance(store, failing)).toEqual({ legsNotMeasured: expect.stringContaining('lost') });
  const signal = AbortSignal.abort();
  await expect(refreshLegBalance(store, failing, { signal })).rejects.toMatchObject({ code: 'aborted' });
});

describe('the share', () => {
  test.each([
    [0, 0.1],
    [0.36, 0.1],
    [0.405, 0.3],
    [0.45, 0.5],
    [0.48, 0.6],
    [0.525, 0.65],
    [0.57, 0.7],
    [1, 0.7],
  ])('of ratio %s is %s', (ratio, share) => {
    expect(denseWeightOf(ratio)).toBeCloseTo(share, 12);
  });

  test('never falls when the dense leg finds more', () =>
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (a, b) => {
        expect(denseWeightOf(Math.max(a, b))).toBeGreaterThanOrEqual(denseWeightOf(Math.min(a, b)));
      }),
    ));

  test('leaves the words what they know of the query, unless the caller says it', () => {
    const info = { chunks: 100 } as StoreInfo;
    expect(denseWeight(undefined, info, 0.25)).toEqual({ share: 0.5, known: 0.25, from: 'default' });
    expect(denseWeight(0.3, info, 0.25)).toEqual({ share: 0.3, known: 1, from: 'given' });
    const asked = [
      { term: 'boat', weight: 1, chunks: 5 },
      { term: 'barco', weight: 1, chunks: 0 },
    ];
    expect(knownShare(asked, asked)).toBe(0.5);
    // What hypotheses add is in the index.
    expect(knownShare([...asked, { term: 'canoe', weight: 2 }], asked)).toBe(0.75);
    expect(knownShare([asked[1]!], asked)).toBe(0);
    expect(knownShare([], [])).toBe(1);
  });

  test('of another embedder does not count', () => {
    const info = { chunks: 100, fingerprint: embedder.fingerprint } as StoreInfo;
    const legBalance = { lexical: 0.5, dense: 0.5, denseWeight: 0.55, samples: 150, chunks: 100, embedder: 'other' };
    expect(denseWeight(undefined, { ...info, legBalance }, 1)).toEqual({ share: 0.5, known: 1, from: 'default' });
    const own = { ...legBalance, embedder: fingerprintKey(embedder.fingerprint) };
    expect(denseWeight(undefined, { ...info, legBalance: own }, 1)).toEqual({
      share: 0.55,
      known: 1,
      from: 'measured',
    });
    expect([isCurrent(legBalance, info), isCurrent(own, info)]).toEqual([false, true]);
    expect([199, 200, 51, 50].map((chunks) => isCurrent(own, { ...info, chunks }))).toEqual([true, false, true, false]);
  });
});
