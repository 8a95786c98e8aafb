import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTopK } from '../../src/kernels/top-k.js';

test('equals sorting everything, ties included', () => {
  const scores = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 60 });
  fc.assert(
    fc.property(scores, fc.integer({ min: 1, max: 70 }), fc.integer(), (list, k, seed) => {
      const idOf = (row: number) => `${(row * 7919 + (seed & 1023)) % 101}`.padStart(3, '0');
      const top = createTopK(k, idOf);
      list.forEach((score, row) => {
        top.offer(row, score);
      });
      const sorted = list.map((score, row) => ({ row, id: idOf(row), score }));
      sorted.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
      expect(top.ranked()).toEqual(sorted.slice(0, k));
    }),
  );
});

test('k must be a positive integer', () => {
  for (const k of [0, -3, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => createTopK(k, String)).toThrow(/positive integer/);
});

test('many rows, few scores: equals sorting everything, whatever bar it shows meanwhile', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 700 }), fc.integer({ min: 1, max: 40 }), fc.integer(), (k, values, seed) => {
      const idOf = (row: number) => String((row * 7919 + (seed & 1023)) % 3_001);
      const list = Array.from({ length: 3_000 }, (_, row) => ((row * 40_503 + seed) % values) - 3);
      const top = createTopK(k, idOf);
      let bar = Number.NEGATIVE_INFINITY;
      list.forEach((score, row) => {
        if (score >= top.bar()) top.offer(row, score);
        expect(top.bar()).toBeGreaterThanOrEqual(bar);
        bar = top.bar();
      });
      const sorted = list.map((score, row) => ({ row, id: idOf(row), score }));
      sorted.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
      expect(top.ranked()).toEqual(sorted.slice(0, k));
    }),
    { numRuns: 60 },
  );
});
