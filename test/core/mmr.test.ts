import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type MmrCandidate, mmr } from '../../src/core/mmr.js';
import { cosine } from '../../src/core/vectors.js';

const twins: MmrCandidate[] = [
  { id: 'a', score: 0.9, vector: [1, 0] },
  { id: 'b', score: 0.8, vector: [2, 0] },
  { id: 'c', score: 0.5, vector: [3, 4] },
];

test('by hand: the twin of the first comes last', () => {
  // Second pick: b is worth .4 − .5·1 = −.1, c .25 − .5·.6 = −.05. Third: b again.
  expect(mmr(twins)).toEqual([
    { id: 'a', score: 0.9, mmr: 0.45, similarity: 0 },
    { id: 'c', score: 0.5, mmr: expect.closeTo(-0.05, 12), similarity: expect.closeTo(0.6, 12) },
    { id: 'b', score: 0.8, mmr: expect.closeTo(-0.1, 12), similarity: 1 },
  ]);
});

test('λ 1 is the order of relevance, λ 0 looks at diversity alone', () => {
  expect(mmr(twins, { lambda: 1 }).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  expect(mmr(twins, { lambda: 0, k: 2 }).map(({ id }) => id)).toEqual(['a', 'c']);
});

test('equal values go by score, then by id; an id counts once; without a vector it is like nothing', () => {
  const even = [
    { id: 'b', score: 0.5 },
    { id: 'a', score: 0.5 },
    { id: 'B', score: 0.5 },
    { id: 'b', score: 0.9 },
  ];
  expect(mmr(even).map(({ id }) => id)).toEqual(['B', 'a', 'b']);
  expect(mmr([{ id: 'z', score: 0.1, vector: [0, 0] }, ...twins]).at(-1)).toMatchObject({ id: 'b' });
  expect(mmr([])).toEqual([]);
});

const value = fc.integer({ min: -3, max: 3 });
const candidates = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.array(value, { minLength: 3, maxLength: 3 })), { maxLength: 12 })
  .map((given) => given.map(([score, vector], at): MmrCandidate => ({ id: `d${at}`, score: score / 10, vector })));
const lambdas = fc.constantFrom(0, 0.25, 0.5, 0.75, 1);

test('every pick is the best one left, by the definition', () => {
  fc.assert(
    fc.property(candidates, lambdas, (given, lambda) => {
      const picks = mmr(given, { lambda });
      expect(picks.map(({ id }) => id).sort()).toEqual(given.map(({ id }) => id).sort());
      const of = new Map(given.map((one) => [one.id, one]));
      picks.forEach((pick, at) => {
        const before = picks.slice(0, at).map(({ id }) => of.get(id)!.vector!);
        for (const { id, score } of picks.slice(at)) {
          const similarity = before.length > 0 ? Math.max(...before.map((one) => cosine(one, of.get(id)!.vector!))) : 0;
          expect(lambda * score - (1 - lambda) * similarity).toBeLessThanOrEqual(pick.mmr + 1e-12);
        }
      });
    }),
  );
});

test('the picks for k are a prefix of those for more, in whatever order the candidates come', () => {
  fc.assert(
    fc.property(candidates, lambdas, fc.nat(12), (given, lambda, k) => {
      const all = mmr(given, { lambda });
      expect(mmr([...given].reverse(), { lambda, k })).toEqual(all.slice(0, k));
    }),
  );
});

test.each<[string, () => unknown]>([
  ['λ out of range', () => mmr(twins, { lambda: 1.1 })],
  ['λ that is no number', () => mmr(twins, { lambda: Number.NaN })],
  ['a negative k', () => mmr(twins, { k: -1 })],
  ['a score that is no number', () => mmr([{ id: 'a', score: Number.NaN }])],
  ['a value that is no number', () => mmr([{ id: 'a', score: 1, vector: [Number.NaN] }])],
  ['different lengths', () => mmr([...twins, { id: 'd', score: 1, vector: [1] }])],
])('%s is a bad argument', (_, work) => {
  expect(work).toThrow(expect.objectContaining({ code: 'bad_argument' }));
});
