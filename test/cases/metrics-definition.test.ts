import { expect, test } from 'vitest';
import { evaluateRun } from '../../src/evaluate/evaluate.js';
import { measure } from '../../src/evaluate/measures.js';

const list = (...ids: string[]) => ids.map((id, i) => ({ id, score: -i }));

test('FR-262 the ideal is over all judged documents, and an empty answer counts 0', () => {
  const qrels = new Map([
    [
      'q1',
      new Map([
        ['a', 1],
        ['b', 1],
      ]),
    ],
    ['q2', new Map([['c', 1]])],
    ['q3', new Map([['d', 0]])],
  ]);
  const result = evaluateRun(
    qrels,
    new Map([
      ['q1', list('a')],
      ['q2', []],
    ]),
    ['nDCG@10'],
  );
  expect(result.perQuery.get('q1')!['nDCG@10']).toBeCloseTo(0.613, 3);
  expect(result.perQuery.get('q2')).toEqual({ 'nDCG@10': 0 });
  expect(result.perQuery.get('q3')).toEqual({ 'nDCG@10': 0 });
  expect(result.mean['nDCG@10']).toBeCloseTo(0.613 / 3, 3);
  expect(result.missing).toEqual(['q2', 'q3']);
  expect(evaluateRun(qrels, new Map(), ['nDCG@10', 'AP']).mean).toEqual({ 'nDCG@10': 0, AP: 0 });
});

test.each(['FR-263', 'FR-266'])('%s a document twice in one list is an error that names it', () => {
  const qrels = new Map([['q', new Map([['a', 1]])]]);
  const run = new Map([['q', list('a', 'b', 'a')]]);
  expect(() => evaluateRun(qrels, run, ['nDCG@10'])).toThrow(
    expect.objectContaining({ code: 'bad_data', message: expect.stringMatching(/'a' twice for query 'q'/) }),
  );
});

test('FR-264 average precision is divided by all relevant documents', () => {
  expect(measure('AP').of([1], [1, 1, 1])).toBeCloseTo(1 / 3, 12);
});

test('FR-267 the gain function is linear unless asked otherwise, and always named', () => {
  const grades = [1, ...Array<number>(16).fill(0), 4, 1];
  const at = (rank: number) => 1 / Math.log2(rank + 1);
  const by = (gain: number) => (at(1) + gain * at(18) + at(19)) / (gain + at(2) + at(3));
  expect(measure('nDCG@20').of(grades, [4, 1, 1])).toBeCloseTo(by(4), 12);
  expect(measure("nDCG(dcg='exp-log2')@20").of(grades, [4, 1, 1])).toBeCloseTo(by(15), 12);
  expect(measure('nDCG@20').description).toContain('gain linear');
  expect(measure("nDCG(dcg='exp-log2')@20").description).toContain('gain 2^grade − 1');
});

test('FR-270 ids of queries that do not agree are listed', () => {
  const qrels = new Map(['q1', 'q2'].map((query) => [query, new Map([['a', 1]])]));
  const run = new Map(['q1', 'q3'].map((query) => [query, list('a')]));
  const result = evaluateRun(qrels, run, ['RR']);
  expect(result).toMatchObject({ missing: ['q2'], unjudged: ['q3'], mean: { RR: 0.5 } });
  expect(evaluateRun(qrels, run, ['RR'], { queries: run.keys() }).mean).toEqual({ RR: 1 });
});
