import { expect, test } from 'vitest';
import { evaluateRun } from '../../src/evaluate/evaluate.js';
import { ranked } from '../../src/evaluate/ranking.js';

const qrels = new Map([
  [
    'q1',
    new Map([
      ['a', 1],
      ['b', 0],
    ]),
  ],
  ['q2', new Map([['c', 2]])],
  ['q3', new Map([['a', 0]])],
]);

test('restricted to some queries', () => {
  const run = new Map([['q1', [{ id: 'a', score: 1 }]]]);
  expect(evaluateRun(qrels, run, ['RR@10']).mean).toEqual({ 'RR@10': 1 / 3 });
  const some = evaluateRun(qrels, run, ['RR@10', 'P@2'], { queries: ['q1', 'q2', 'unknown'] });
  expect(some).toMatchObject({ mean: { 'RR@10': 0.5, 'P@2': 0.25 }, queries: 2, missing: ['q2'], unjudged: [] });
  expect([...some.perQuery.keys()]).toEqual(['q1', 'q2']);
});

test('no judged query is an error, not NaN', () => {
  const noData = expect.objectContaining({ code: 'bad_data' });
  expect(() => evaluateRun(new Map(), new Map(), ['AP'])).toThrow(noData);
  expect(() => evaluateRun(qrels, new Map(), ['AP'], { queries: [] })).toThrow(noData);
});

test('a score that is no number is an error that names the place', () => {
  const run = new Map([['q1', [{ id: 'a', score: Number.NaN }]]]);
  expect(() => evaluateRun(qrels, run, ['AP'])).toThrow(/'a' for query 'q1'/);
});

test('the order of the list and its mutation do not matter', () => {
  const list = [
    { id: 'B', score: 1 },
    { id: 'a', score: 1 },
    { id: 'c', score: 2 },
    { id: 'd', score: -Infinity },
  ];
  const copy = structuredClone(list);
  expect(ranked('q', list).map(({ id }) => id)).toEqual(['c', 'B', 'a', 'd']);
  expect(ranked('q', list, 'trec').map(({ id }) => id)).toEqual(['c', 'a', 'B', 'd']);
  expect(ranked('q', list, 'given').map(({ id }) => id)).toEqual(['B', 'a', 'c', 'd']);
  expect(list).toEqual(copy);
});
