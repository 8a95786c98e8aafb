import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reciprocalRankFusion } from '../../src/core/reciprocal-rank-fusion.js';

test('by hand: 1/61 for a first place, 1/62 for a second, times the weight', () => {
  const lists = [
    ['a', 'b'],
    ['b', 'c'],
  ];
  expect(reciprocalRankFusion(lists)).toEqual([
    { id: 'b', score: 1 / 62 + 1 / 61 },
    { id: 'a', score: 1 / 61 },
    { id: 'c', score: 1 / 62 },
  ]);
  expect(reciprocalRankFusion(lists, { weights: [1, 0.5], constant: 0, k: 2 })).toEqual([
    { id: 'a', score: 1 },
    { id: 'b', score: 1 },
  ]);
});

test('an id counts once in each list, where it stands first, and takes no place after that', () => {
  expect(reciprocalRankFusion([[{ id: 'a' }, { id: 'a' }, { id: 'b' }, { id: 'a' }]])).toEqual([
    { id: 'a', score: 1 / 61 },
    { id: 'b', score: 1 / 62 },
  ]);
});

test('a list with weight 0 brings nothing, equal scores go by id, no lists give nothing', () => {
  expect(reciprocalRankFusion([['b'], ['a'], ['z']], { weights: [1, 1, 0] }).map(({ id }) => id)).toEqual(['a', 'b']);
  expect(reciprocalRankFusion([])).toEqual([]);
  expect(reciprocalRankFusion([[]])).toEqual([]);
});

test('as the definition says, for any lists and weights', () => {
  const list = fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c', 'd', 'e'));
  const weight = fc.double({ min: 0.1, max: 4, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.tuple(list, weight), { maxLength: 5 }), (given) => {
      const fused = reciprocalRankFusion(
        given.map(([ids]) => ids),
        { weights: given.map(([, one]) => one) },
      );
      for (const { id, score } of fused)
        expect(score).toBeCloseTo(
          given.reduce((sum, [ids, one]) => sum + (ids.includes(id) ? one / (61 + ids.indexOf(id)) : 0), 0),
          14,
        );
      expect(fused.map(({ score }) => score)).toEqual(fused.map(({ score }) => score).sort((a, b) => b - a));
    }),
  );
});

test.each<[string, object]>([
  ['weights of another length', { weights: [1] }],
  ['a negative weight', { weights: [1, -1] }],
  ['an infinite weight', { weights: [1, Number.POSITIVE_INFINITY] }],
  ['weights that are all 0', { weights: [0, 0] }],
  ['a negative constant', { constant: -1 }],
  ['a k that is no whole number', { k: 1.5 }],
])('%s is a bad argument', (_, options) => {
  expect(() => reciprocalRankFusion([['a'], ['b']], options)).toThrow(
    expect.objectContaining({ code: 'bad_argument' }),
  );
});
