import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type BlendCandidate,
  blendedRank,
  defaultRankWeights,
  lexicalMatch,
  temporalStrength,
} from '../../src/core/blended-rank.js';

const day = 86_400_000;
const now = Date.UTC(2025, 5, 1);
const fact = (id: string, more: Partial<BlendCandidate> = {}): BlendCandidate => ({
  id,
  content: [],
  createdAt: now,
  ...more,
});
const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id);

describe('the signals', () => {
  test('words: a keyword in the content counts 1, in the tags ½, and the mean is taken', () => {
    const one = { content: ['configuração', 'port'], tags: ['network', 'porto'] };
    expect(lexicalMatch(['port'], one)).toBe(1.5);
    expect(lexicalMatch(['port', 'zebra'], one)).toBe(0.75);
    expect(lexicalMatch(['netw'], one)).toBe(0.5);
    expect(lexicalMatch([], one)).toBe(0);
  });

  test('words: a prefix counts from 4 characters on, and a character may be two units long', () => {
    expect(lexicalMatch(['net'], { content: ['network'] })).toBe(0);
    expect(lexicalMatch(['netw'], { content: ['network'] })).toBe(1);
    expect(lexicalMatch(['network'], { content: ['netw'] })).toBe(0);
    expect(lexicalMatch(['😀😀'], { content: ['😀😀😀'] })).toBe(0);
  });

  test('time: uses, half-life and confidence, by hand', () => {
    const old = fact('a', { createdAt: now - 30 * day, accessCount: 3, confidence: 0.9 });
    expect(temporalStrength(old, now)).toBeCloseTo((1 + Math.log(4)) * 0.5 * 1.4, 12);
    expect(temporalStrength({ ...old, lastAccessed: now }, now)).toBeCloseTo((1 + Math.log(4)) * 1.4, 12);
    expect(temporalStrength({ ...old, lastAccessed: 'soon' }, now)).toBe(temporalStrength(old, now));
    expect(temporalStrength({ ...old, lastAccessed: new Date(now - 15 * day) }, now, 15)).toBe(
      temporalStrength(old, now),
    );
    const future = fact('b', { createdAt: '2031-01-01', accessCount: 0, confidence: 0.5 });
    expect(temporalStrength(future, now)).toBe(1);
    expect(temporalStrength(fact('c', { createdAt: 'never' }), now)).toBe(0);
  });
});

test('the blend by hand, its parts adding up', () => {
  const facts = [
    fact('words', { content: ['port'], cosine: 0.2 }),
    fact('meaning', { content: ['socket'], cosine: 0.75, createdAt: now - 30 * day }),
    fact('both', { content: ['port'], tags: ['port'], cosine: 0.5, createdAt: now - 60 * day }),
    fact('neither', { content: ['tea'], cosine: 0.1 }),
  ];
  const list = blendedRank(facts, { keywords: ['port'], now });
  expect(ids(list)).toEqual(['both', 'meaning', 'words']);
  const [both, meaning, words] = list;
  // Semantic 0, .75, .5 of [0, .75]; lexical 1, 0, 1.5 of [0, 1.5]; time 1, ½, ¼ of [¼, 1].
  expect(both!.parts).toEqual({ semantic: expect.closeTo(0.55 / 1.5, 12), lexical: 0.3, temporal: 0 });
  expect(meaning!.parts).toEqual({ semantic: 0.55, lexical: 0, temporal: expect.closeTo(0.15 / 3, 12) });
  expect(words!.parts).toEqual({ semantic: 0, lexical: expect.closeTo(0.2, 12), temporal: 0.15 });
  for (const { score, parts } of list) expect(parts.semantic + parts.lexical + parts.temporal).toBe(score);
});

test('a lone candidate and equal ones get the whole of every signal they have, never NaN', () => {
  expect(blendedRank([fact('a', { cosine: 0.4 })], { now })).toMatchObject([
    { score: expect.closeTo(0.7, 12), parts: { semantic: 0.55, lexical: 0, temporal: 0.15 } },
  ]);
  const even = ['c', 'a', 'b'].map((id) => fact(id, { content: ['port'] }));
  const list = blendedRank(even, { keywords: ['port'], now });
  expect(ids(list)).toEqual(['a', 'b', 'c']);
  expect(list[0]!.score).toBeCloseTo(0.45, 12);
});

test('the floor keeps what reaches it; out of [0, 1) it is 0.25; 0 is a floor', () => {
  const facts = [fact('at', { cosine: 0.25 }), fact('below', { cosine: 0.2499 }), fact('none')];
  for (const minCosine of [undefined, 1, -0.1, Number.NaN])
    expect(ids(blendedRank(facts, { now, ...(minCosine !== undefined && { minCosine }) }))).toEqual(['at']);
  expect(ids(blendedRank([...facts, fact('zero', { cosine: 0 })], { now, minCosine: 0 }))).toEqual([
    'at',
    'below',
    'zero',
  ]);
});

test('cosines bring in the topK best, ties by id, but count for all that words bring in', () => {
  const facts = ['d', 'c', 'b', 'a'].map((id) => fact(id, { cosine: 0.5 }));
  expect(ids(blendedRank(facts, { now, topK: 2 }))).toEqual(['a', 'b']);
  const found = blendedRank([...facts, fact('word', { content: ['port'], cosine: 0.4 })], {
    now,
    topK: 1,
    keywords: ['port'],
  });
  expect(found.find(({ id }) => id === 'word')!.signals.semantic).toBe(0.4);
});

test('nothing given: all by time; something given that nothing matches: nothing', () => {
  const facts = [fact('old', { createdAt: now - day }), fact('new'), fact('ancient', { createdAt: 0 })];
  expect(ids(blendedRank(facts, { now }))).toEqual(['new', 'old', 'ancient']);
  expect(blendedRank(facts, { now, keywords: ['zebra'] })).toEqual([]);
  expect(blendedRank(facts, { now, withVector: true })).toEqual([]);
});

test('weights: below 0 is 0, 0 is a weight, all 0 and what is no number are the defaults', () => {
  const facts = [fact('a', { content: ['port'], createdAt: now - day }), fact('b', { cosine: 0.9 })];
  const scores = (weights: object) =>
    blendedRank(facts, { now, keywords: ['port'], weights }).map(({ score }) => score);
  expect(scores({ semantic: -1, lexical: 2, temporal: 0 })).toEqual([2, 0]);
  expect(scores({ semantic: 0, lexical: -3, temporal: 0 })).toEqual(scores(defaultRankWeights));
  expect(scores({ semantic: Number.NaN })).toEqual(scores({}));
});

test('an id counts once, and the order of the facts does not matter', () => {
  const number = fc.oneof(fc.double({ min: -1, max: 1 }), fc.constantFrom(0.25, Number.POSITIVE_INFINITY, -0));
  const any = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    content: fc.array(fc.constantFrom('port', 'portal', 'tea')),
    tags: fc.array(fc.constantFrom('port', 'tea')),
    cosine: number,
    createdAt: fc.oneof(fc.double(), fc.constantFrom('x', '2024-02-30', '2020-01-01')),
    accessCount: fc.double(),
    confidence: fc.double(),
  });
  fc.assert(
    fc.property(fc.uniqueArray(any, { selector: ({ id }) => id }), (facts) => {
      const list = blendedRank(facts, { now, keywords: ['port'] });
      expect(blendedRank([...facts].reverse(), { now, keywords: ['port'] })).toEqual(list);
      expect(
        blendedRank([...facts, ...facts.map((one) => ({ ...one, cosine: 1 }))], { now, keywords: ['port'] }),
      ).toEqual(list);
      for (const { score } of list) {
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1 + 1e-12);
      }
    }),
  );
});

test.each<[string, object]>([
  ['no time', { now: Number.NaN }],
  ['a topK of 0', { now, topK: 0 }],
  ['a half-life of 0', { now, halfLifeDays: 0 }],
])('%s is a bad argument', (_, options) => {
  expect(() => blendedRank([], options as { now: number })).toThrow(expect.objectContaining({ code: 'bad_argument' }));
});
