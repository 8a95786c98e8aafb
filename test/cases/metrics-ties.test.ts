import { expect, test } from 'vitest';
import { evaluateRun } from '../../src/evaluate/evaluate.js';
import { readRun, writeRun } from '../../src/evaluate/run.js';

const constant = (ids: string[]) => new Map([['q', ids.map((id) => ({ id, score: 1 }))]]);

test('FR-258 the tie rule is the same whatever order the list has, trec_eval’s is there too, and ties are counted', () => {
  const ndcg = (relevant: string, ties: 'id' | 'trec') =>
    evaluateRun(new Map([['q', new Map([[relevant, 1]])]]), constant(['x', 'y']), ['nDCG@10'], { ties });
  expect(ndcg('x', 'id').mean['nDCG@10']).toBe(1);
  expect(ndcg('y', 'id').mean['nDCG@10']).toBeCloseTo(1 / Math.log2(3), 12);
  expect(ndcg('x', 'trec').mean['nDCG@10']).toBeCloseTo(1 / Math.log2(3), 12);
  expect(ndcg('y', 'trec').mean['nDCG@10']).toBe(1);
  expect(ndcg('x', 'id').tied).toBe(2);
});

test('FR-259 by id, by position, and an export that keeps the order that was meant', async () => {
  const qrels = new Map([['q', new Map([['c', 1]])]]);
  const run = constant(['a', 'b', 'c']);
  const ap = (ties: 'trec' | 'given', of = run) => evaluateRun(qrels, of, ['AP'], { ties }).mean.AP;
  expect(ap('trec')).toBe(1);
  expect(ap('given')).toBeCloseTo(1 / 3, 12);
  const exported = await readRun(writeRun(run, 'tag', 'given'));
  expect(ap('trec', new Map(exported) as typeof run)).toBeCloseTo(1 / 3, 12);
});

test('FR-261 constant scores are not settled in favour of the model', () => {
  const ids = ['a', 'b', 'c', 'd', 'e'];
  const grades = [3, 0, 0, 1, 2];
  const qrels = new Map([['q', new Map(ids.map((id, i) => [id, grades[i]!]))]]);
  const ndcg = (order: string[], ties: 'id' | 'given') =>
    evaluateRun(qrels, constant(order), ['nDCG@10'], { ties }).mean['nDCG@10']!;
  const ideal = 3 + 2 / Math.log2(3) + 1 / 2;
  const byId = (3 + 1 / Math.log2(5) + 2 / Math.log2(6)) / ideal;
  const orders = permutations(ids);
  for (const order of orders.slice(0, 20)) expect(ndcg(order, 'id')).toBeCloseTo(byId, 12);
  expect(byId).toBeLessThan(1);

  // What a tie is worth on average: the mean gain at every rank (McSherry and Najork 2008).
  const average = orders.reduce((sum, order) => sum + ndcg(order, 'given'), 0) / orders.length;
  const discounts = ids.reduce((sum, _, i) => sum + 1 / Math.log2(i + 2), 0);
  expect(average).toBeCloseTo(((6 / 5) * discounts) / ideal, 12);
});

function permutations(items: string[]): string[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));
}
