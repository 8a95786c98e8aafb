import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluateRun } from '../../src/evaluate/evaluate.js';
import { measure, measureNames } from '../../src/evaluate/measures.js';
import type { Run } from '../../src/evaluate/run.js';

interface Case {
  qrels: Record<string, Record<string, number>>;
  run: Record<string, Record<string, number>>;
}
interface Fixture extends Case {
  values: Record<string, Record<string, number>>;
  ties: Case & { values: Record<string, number> };
}

const fixture = JSON.parse(readFileSync(new URL('./fixtures/trec-eval.json', import.meta.url), 'utf8')) as Fixture;

const toQrels = (qrels: Case['qrels']) =>
  new Map(Object.entries(qrels).map(([query, grades]) => [query, new Map(Object.entries(grades))]));
const toRun = (run: Case['run']): Run =>
  new Map(
    Object.entries(run).map(([query, scores]) => [query, Object.entries(scores).map(([id, score]) => ({ id, score }))]),
  );

describe('values of trec_eval', () => {
  const names = Object.keys(fixture.ties.values).concat('RR@10');
  const result = evaluateRun(toQrels(fixture.qrels), toRun(fixture.run), names);

  test.each(names)('%s', (name) => {
    for (const [query, value] of result.perQuery) {
      expect(value[name], query).toBeCloseTo(fixture.values[query]?.[name] ?? 0, 12);
    }
    const sum = Object.values(fixture.values).reduce((total, values) => total + values[name]!, 0);
    expect(result.mean[name]).toBeCloseTo(sum / Object.keys(fixture.qrels).length, 12);
  });

  test('every judged query counts, also without an answer or a relevant document', () => {
    expect(result.queries).toBe(Object.keys(fixture.qrels).length);
    expect(result.missing).toEqual(Object.keys(fixture.qrels).filter((query) => !(query in fixture.run)));
    expect(result.unjudged).toEqual(['not-judged']);
    expect(result.tied).toBe(0);
  });

  test('tied scores in the order of trec_eval', () => {
    const { qrels, run, values } = fixture.ties;
    const trec = evaluateRun(toQrels(qrels), toRun(run), Object.keys(values), { ties: 'trec' });
    for (const [name, value] of Object.entries(values)) expect(trec.mean[name], name).toBeCloseTo(value, 12);
    expect(trec.tied).toBe(5);
  });
});

describe('names', () => {
  test.each([
    'nDCG@0',
    'nDCG@x',
    'ndcg@10',
    'R',
    'P',
    'Success',
    'MRR',
    '',
    'nDCG@1.5',
    'constructor@3',
    "AP(dcg='log2')",
    'nDCG(rel=2)@10',
    "nDCG(dcg='half')@10",
    "AP(rel='log2')",
    'nDCG@-1',
  ])('%s is unknown', (name) => {
    expect(() => measure(name)).toThrow(expect.objectContaining({ code: 'bad_argument' }));
    expect(() => measure(name)).toThrow(/nDCG@k, R@k, RR@k/);
  });

  test('every name of the list is known', () => {
    for (const name of measureNames) expect(measure(name.replace('@k', '@7')).description).toMatch(/\(.+\)$/);
  });

  test('relevance threshold and gain function are options', () => {
    expect(measure('AP(rel=2)').of([1, 2], [1, 2])).toBe(0.5);
    expect(measure("nDCG(dcg='exp-log2')@10").of([1, 3], [1, 3])).toBeCloseTo(
      (1 + 7 / Math.log2(3)) / (7 + 1 / Math.log2(3)),
      12,
    );
    expect(measure("nDCG(dcg='log2')@10").of([1, 3], [1, 3])).toBe(measure('nDCG@10').of([1, 3], [1, 3]));
  });
});

test('every measure is in 0..1 and never NaN', () => {
  const grade = fc.integer({ min: -2, max: 4 });
  const names = measureNames.map((name) => name.replace('@k', '@3'));
  fc.assert(
    fc.property(fc.array(grade, { maxLength: 12 }), fc.array(grade, { maxLength: 12 }), (retrieved, others) => {
      for (const name of names) {
        const value = measure(name).of(retrieved, [...others, ...retrieved]);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1 + 1e-12);
      }
    }),
  );
});

test('the best order has nDCG 1 and AP 1', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 12 }), (grades) => {
      fc.pre(grades.some((grade) => grade > 0));
      const best = [...grades].sort((a, b) => b - a);
      expect(measure('nDCG@5').of(best, grades)).toBe(1);
      expect(measure('AP').of(best, grades)).toBe(1);
    }),
  );
});
