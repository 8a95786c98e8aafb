import fc from 'fast-check';
import { expect, test } from 'vitest';
import { averageEmbeddings, cosine, isUnitNorm, norm, normalize } from '../../src/core/vectors.js';

const vectors = fc.integer({ min: 1, max: 8 }).chain((dimensions) =>
  fc.array(fc.float32Array({ minLength: dimensions, maxLength: dimensions, min: -100, max: 100, noNaN: true }), {
    minLength: 1,
    maxLength: 6,
  }),
);

test('the mean, by hand', () => {
  const [a, b] = [Float32Array.of(3, 4), Float32Array.of(0, 10)];
  expect([...averageEmbeddings([a, b], { normalizeInputs: false, normalizeOutput: false })]).toEqual([1.5, 7]);
  const units = averageEmbeddings([a, b], { normalizeOutput: false });
  expect(units[0]).toBeCloseTo(0.3, 6);
  expect(units[1]).toBeCloseTo(0.9, 6);
  expect(norm(averageEmbeddings([a, b]))).toBeCloseTo(1, 6);
});

test('weights count: three parts of one and one part of the other', () => {
  const mean = averageEmbeddings(
    [
      [2, 0],
      [0, 5],
    ],
    { weights: [3, 1], normalizeOutput: false },
  );
  expect([...mean]).toEqual([0.75, 0.25]);
});

test('the order of the vectors and the length of the inputs do not matter', () => {
  fc.assert(
    fc.property(vectors, fc.double({ min: 0.5, max: 4, noNaN: true }), (given, factor) => {
      const mean = averageEmbeddings(given, { normalizeOutput: false });
      const other = averageEmbeddings(given.map((vector) => [...vector].map((value) => value * factor)).reverse(), {
        normalizeOutput: false,
      });
      for (const [i, value] of mean.entries()) expect(other[i]).toBeCloseTo(value, 5);
    }),
  );
});

test('inputs are not touched, the output is fresh, and has length 1 or 0', () => {
  fc.assert(
    fc.property(vectors, (given) => {
      const before = given.map((vector) => vector.slice());
      const mean = averageEmbeddings(given);
      expect(given).toEqual(before);
      expect(given).not.toContain(mean);
      expect(norm(mean) === 0 || isUnitNorm(mean)).toBe(true);
    }),
  );
});

test('opposite vectors average to zero, zero vectors stay zero', () => {
  expect([
    ...averageEmbeddings([
      [1, 0],
      [-1, 0],
    ]),
  ]).toEqual([0, 0]);
  expect([...normalize([0, 0])]).toEqual([0, 0]);
  expect([
    ...averageEmbeddings([
      [0, 0],
      [0, 2],
    ]),
  ]).toEqual([0, 1]);
  expect(isUnitNorm([0, 0])).toBe(false);
});

test.each([
  ['no vectors', [], {}],
  ['different lengths', [[1, 2], [1]], {}],
  ['too few weights', [[1], [2]], { weights: [1] }],
  ['a weight that is no number', [[1]], { weights: [Number.NaN] }],
  ['weights that sum to 0', [[1], [2]], { weights: [1, -1] }],
  ['a value that is no number', [[1, Number.NaN]], {}],
  ['an infinite value', [[Number.POSITIVE_INFINITY]], { normalizeInputs: false }],
])('%s is a bad argument', (_, given, options) => {
  expect(() => averageEmbeddings(given, options)).toThrow(expect.objectContaining({ code: 'bad_argument' }));
});

test('lengths beyond what squares can hold are right, and small ones do not vanish', () => {
  expect(norm([3e200, 4e200])).toBeCloseTo(5e200, -190);
  expect(norm([3e-200, 4e-200]) / 5e-200).toBeCloseTo(1, 12);
  expect([...normalize([1e-200, 0])]).toEqual([1, 0]);
  expect(norm([Number.NaN, 1])).toBeNaN();
  expect(isUnitNorm([Number.NaN])).toBe(false);
});

test('opposite vectors of different lengths average to zero, not to the noise of rounding', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -9_999, max: 9_999 }), { minLength: 3, maxLength: 3 }), (given) => {
      // Sevenths have no end in binary, so both are rounded.
      const [a, b] = [
        Float32Array.from(given, (value) => value / 7),
        Float32Array.from(given, (value) => (-3 * value) / 7),
      ];
      expect([...averageEmbeddings([a, b])].every((value) => value === 0)).toBe(true);
    }),
  );
});

test('weights whose sum is 0 but for rounding, and averages beyond float32, are bad arguments', () => {
  const bad = expect.objectContaining({ code: 'bad_argument' });
  expect(() => averageEmbeddings([[1], [2], [3]], { weights: [0.1, 0.2, -0.3] })).toThrow(bad);
  expect(() => averageEmbeddings([[1e300]], { normalizeInputs: false, normalizeOutput: false })).toThrow(bad);
});

test('isUnitNorm keeps to its tolerance, 1e-5 where none is given', () => {
  expect([isUnitNorm([1 + 0.9e-5]), isUnitNorm([1 + 1.1e-5]), isUnitNorm([1.05], 0.1)]).toEqual([true, false, true]);
});

test('cosine: by hand, at its bounds, and 0 for the zero vector', () => {
  expect(cosine([1, 0], [3, 4])).toBeCloseTo(0.6, 14);
  expect(cosine([1, 2], [-2, -4])).toBeCloseTo(-1, 14);
  expect(cosine([0, 0], [1, 2])).toBe(0);
  fc.assert(
    fc.property(fc.array(fc.double({ min: -1e300, max: 1e300, noNaN: true }), { minLength: 1 }), (a) => {
      expect(Math.abs(cosine(a, a))).toBeLessThanOrEqual(1);
    }),
  );
  const bad = expect.objectContaining({ code: 'bad_argument' });
  expect(() => cosine([1], [1, 2])).toThrow(bad);
  expect(() => cosine([1], [Number.NaN])).toThrow(bad);
});
