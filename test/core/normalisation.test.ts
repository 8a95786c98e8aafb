import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Normalisation, normalizeBy } from '../../src/core/normalisation.js';
import { norm } from '../../src/core/vectors.js';

const methods: readonly Normalisation[] = ['l2', 'l1', 'min-max', 'z-score'];

test.each<[Normalisation, number[], number[]]>([
  ['l2', [3, -4], [0.6, -0.8]],
  ['l1', [3, -1], [0.75, -0.25]],
  ['min-max', [2, 4, 10], [0, 0.25, 1]],
  // Mean 5, variance (9 + 1 + 1 + 1 + 0 + 0 + 4 + 16)/8 = 4.
  ['z-score', [2, 4, 4, 4, 5, 5, 7, 9], [-1.5, -0.5, -0.5, -0.5, 0, 0, 1, 2]],
  ['l2', [0, 0], [0, 0]],
  ['l1', [0, 0], [0, 0]],
  ['min-max', [0.4], [1]],
  ['min-max', [0, 0], [1, 1]],
  ['z-score', [7, 7], [0, 0]],
  ['z-score', [], []],
])('%s of %j is %j', (method, given, expected) => {
  const out = normalizeBy(given, method);
  expect(out).toBeInstanceOf(Float32Array);
  expect([...out]).toEqual([...Float32Array.from(expected)]);
});

test('never anything but finite numbers, of the promised size, and the input stays as it is', () => {
  const values = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(values, (given) => {
      const before = [...given];
      for (const method of methods) expect(normalizeBy(given, method).every(Number.isFinite)).toBe(true);
      expect(given).toEqual(before);
      const zero = given.every((value) => value === 0);
      expect(norm(normalizeBy(given, 'l2'))).toBeCloseTo(zero ? 0 : 1, 5);
      expect(normalizeBy(given, 'l1').reduce((sum, value) => sum + Math.abs(value), 0)).toBeCloseTo(zero ? 0 : 1, 5);
      const scaled = normalizeBy(given, 'min-max');
      expect(Math.max(...scaled)).toBe(1);
      expect(Math.min(...scaled)).toBeGreaterThanOrEqual(0);
    }),
  );
});

test('an unknown method and values that are not finite are bad arguments', () => {
  const bad = expect.objectContaining({ code: 'bad_argument' });
  expect(() => normalizeBy([1], 'toString' as Normalisation)).toThrow(bad);
  for (const value of [Number.NaN, Number.NEGATIVE_INFINITY]) expect(() => normalizeBy([1, value], 'l2')).toThrow(bad);
});
