import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byScore, fuse } from '../../src/core/fusion.js';
import type { ScoredList } from '../../src/core/ports.js';
import { scoreScale, scoreScales } from '../../src/core/score-scale.js';

const listOf = (scores: readonly number[], min = Math.min(...scores)): ScoredList => ({
  hits: scores.map((score, i) => ({ id: `d${i}`, score })).sort(byScore),
  range: { min, max: Math.max(...scores) },
  matched: scores.length,
});

test('worked numbers', () => {
  const list = listOf([8, 6, 4, 2], 0);
  const values = (scale: (typeof scoreScales)[number]) => [8, 6, 4, 2, 0].map(scoreScale(scale, list, 4));
  expect(values('min-max')).toEqual([1, 0.75, 0.5, 0.25, 0]);
  expect(values('pool')).toEqual([1, 2 / 3, 1 / 3, 0, 0]);
  expect(values('max')).toEqual([1, 0.75, 0.5, 0.25, 0]);
  // Mean 5, standard deviation √5: z of 8 is 3/√5, of 0 is −5/√5.
  const z = (score: number) => Math.tanh((score - 5) / Math.sqrt(5) / 10);
  values('z-score').forEach((value, i) => {
    expect(value).toBeCloseTo((z(8 - 2 * i) - z(0)) / 2, 12);
  });
});

describe.each(scoreScales)('%s', (scale) => {
  const scores = fc.array(fc.double({ min: -1, max: 30, noNaN: true }), { minLength: 1, maxLength: 300 });

  test('keeps the order, within 0 and 1, and never gives less than nothing', () =>
    fc.assert(
      fc.property(scores, fc.nat(2), (given, below) => {
        const list = listOf(given, Math.min(...given) - below);
        const values = list.hits.map(({ score }) => scoreScale(scale, list, given.length)(score));
        for (const [i, value] of values.entries()) {
          expect(value >= 0 && value <= 1).toBe(true);
          if (i > 0) expect(value).toBeLessThanOrEqual(values[i - 1]!);
        }
        expect(scoreScale(scale, list, given.length)(list.range.min)).toBeLessThanOrEqual(values.at(-1)!);
      }),
    ));

  test('equal scores, one score and no score are no error', () => {
    for (const list of [listOf([5, 5, 5]), listOf([0.95])])
      for (const hit of fuse([{ name: 'one', weight: 1, list, found: list.hits.length }], { scale }))
        expect(hit.score).toBe(1);
    const none: ScoredList = { hits: [], range: { min: 0, max: 0 }, matched: 0 };
    expect(fuse([{ name: 'none', weight: 1, list: none, found: 0 }], { scale })).toEqual([]);
  });
});
