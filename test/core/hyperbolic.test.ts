import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  expMap0,
  hyperbolicDistance,
  karcherMean,
  logMap0,
  mobiusAdd,
  mobiusScale,
  projectToBall,
} from '../../src/core/hyperbolic.js';
import { norm } from '../../src/core/vectors.js';

const curvature = fc.oneof(
  fc.constantFrom(1, 0.1, 4, 1e-12, 1e-300, Number.MIN_VALUE, 1e12, 1e300, Number.MAX_VALUE),
  fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
);
const anyVector = (dimensions: number) =>
  fc.array(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.double({ min: -3, max: 3, noNaN: true })), {
    minLength: dimensions,
    maxLength: dimensions,
  });
/** Points by direction and share of the radius, many of them as near to the boundary as float64 can say, or on it. */
const point = (dimensions: number) =>
  fc.tuple(
    fc.array(fc.integer({ min: -9, max: 9 }), { minLength: dimensions, maxLength: dimensions }),
    fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(1, 1 - 2 ** -53, 1 - 1e-12, 1 - 1e-7, 1e-300)),
  );
const placed = ([direction, share]: [number[], number], c: number) => {
  const length = norm(direction) || 1;
  return direction.map((part) => ((part / length) * share) / Math.sqrt(c));
};

function expectInside(x: Float64Array, c: number): void {
  expect(x.every(Number.isFinite)).toBe(true);
  expect(norm(x)).toBeLessThan(1 / Math.sqrt(c));
  expect((Math.sqrt(c) * norm(x)) ** 2).toBeLessThan(1);
}

describe('worked numbers', () => {
  test('c = 1 on a line: exp₀(2) = tanh 1, and back', () => {
    expect(expMap0([2])[0]).toBeCloseTo(0.7615941559557649, 14);
    expect(logMap0([0.5])[0]).toBeCloseTo(Math.log(3), 14);
    expect(mobiusAdd([0.5], [0.25])[0]).toBeCloseTo(0.75 / 1.125, 14);
    // tanh(2 · artanh(1/2)) = tanh(ln 3) = (9 − 1)/(9 + 1).
    expect(mobiusScale(2, [0.5])[0]).toBeCloseTo(0.8, 14);
    expect(hyperbolicDistance([0], [0.5])).toBeCloseTo(Math.log(3), 14);
  });

  test('c = 4, in the plane', () => {
    // √c‖v‖ = 1, so the length is tanh(½)/2.
    const [x, y] = expMap0([0.3, 0.4], 4);
    expect(x).toBeCloseTo((0.6 * Math.tanh(0.5)) / 2, 14);
    expect(y).toBeCloseTo((0.8 * Math.tanh(0.5)) / 2, 14);
    const [a, b] = [
      [0.1, 0.2],
      [-0.3, 0.05],
    ];
    // arcosh(1 + 2·4·0.1825/((1 − 4·0.05)(1 − 4·0.0925)))/2
    expect(hyperbolicDistance(a!, b!, 4)).toBeCloseTo(Math.acosh(1 + 1.46 / (0.8 * 0.63)) / 2, 14);
  });

  test('in the plane addition is (x + y)/(1 + x̄y) of complex numbers', () => {
    const small = fc.double({ min: -0.7, max: 0.7, noNaN: true });
    fc.assert(
      fc.property(small, small, small, small, (a, b, p, q) => {
        const [re, im] = [1 + a * p + b * q, a * q - b * p];
        const size = re * re + im * im;
        const [x, y] = mobiusAdd([a, b], [p, q]);
        expect(x).toBeCloseTo(((a + p) * re + (b + q) * im) / size, 10);
        expect(y).toBeCloseTo(((b + q) * re - (a + p) * im) / size, 10);
      }),
    );
  });
});

describe('for every curvature, at the boundary too', () => {
  test('everything stays strictly inside and finite', () => {
    fc.assert(
      fc.property(
        curvature,
        anyVector(3),
        point(3),
        point(3),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (c, v, p, q, r) => {
          const [x, y] = [placed(p, c), placed(q, c)];
          expectInside(expMap0(v, c), c);
          expectInside(mobiusAdd(x, y, c), c);
          expectInside(mobiusScale(r, x, c), c);
          expectInside(projectToBall(v, c), c);
          expect(logMap0(x, c).every(Number.isFinite)).toBe(true);
          const distance = hyperbolicDistance(x, y, c);
          expect(distance).toBeGreaterThanOrEqual(0);
          expect(distance).toBeLessThan(Number.POSITIVE_INFINITY);
          expect(hyperbolicDistance(y, x, c)).toBe(distance);
          expect(hyperbolicDistance(x, x, c)).toBe(0);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('from Euclid to Poincaré and back, and the length is the distance from 0', () => {
    const part = fc.double({ min: -5, max: 5, noNaN: true });
    fc.assert(
      fc.property(curvature, fc.array(part, { minLength: 1, maxLength: 5 }), (c, parts) => {
        const v = parts.map((value) => value / Math.sqrt(c));
        const there = expMap0(v, c);
        const zero = parts.map(() => 0);
        const length = norm(v) * Math.sqrt(c);
        expect(hyperbolicDistance(zero, there, c) * Math.sqrt(c)).toBeCloseTo(length, 5);
        for (const [i, value] of logMap0(there, c).entries())
          expect(value * Math.sqrt(c)).toBeCloseTo(v[i]! * Math.sqrt(c), 5);
      }),
    );
  });

  test('−x undoes x, r + s times is r times and s times, and adding on the left moves nothing apart', () => {
    const share = fc.double({ min: 0, max: 0.99, noNaN: true });
    const direction = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 3, maxLength: 3 });
    const inner = fc.tuple(direction, share);
    fc.assert(
      fc.property(curvature, inner, inner, inner, (c, p, q, o) => {
        const [x, y, z] = [placed(p, c), placed(q, c), placed(o, c)];
        const back = mobiusAdd(
          x.map((value) => -value),
          mobiusAdd(x, y, c),
          c,
        );
        for (const [i, value] of back.entries()) expect(value * Math.sqrt(c)).toBeCloseTo(y[i]! * Math.sqrt(c), 9);
        const both = mobiusAdd(mobiusScale(0.5, x, c), mobiusScale(1.25, x, c), c);
        expect(hyperbolicDistance(both, mobiusScale(1.75, x, c), c) * Math.sqrt(c)).toBeLessThan(1e-6);
        const moved = hyperbolicDistance(mobiusAdd(z, x, c), mobiusAdd(z, y, c), c) * Math.sqrt(c);
        expect(moved).toBeCloseTo(hyperbolicDistance(x, y, c) * Math.sqrt(c), 5);
      }),
    );
  });
});

describe('the Karcher mean', () => {
  test('of two points lies half way, with weights 3 to 1 a quarter of the way', () => {
    const [a, b] = [
      [0.5, 0],
      [-0.2, 0.6],
    ];
    const far = hyperbolicDistance(a!, b!);
    const half = karcherMean([a!, b!]);
    expect(hyperbolicDistance(a!, half)).toBeCloseTo(far / 2, 10);
    expect(hyperbolicDistance(b!, half)).toBeCloseTo(far / 2, 10);
    expect(hyperbolicDistance(a!, karcherMean([a!, b!], 1, { weights: [3, 1] }))).toBeCloseTo(far / 4, 10);
  });

  test('no step away from it lessens the squared distances, whatever order the points have', () => {
    const share = fc.oneof(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.constantFrom(1 - 1e-6));
    const points = fc.array(
      fc.tuple(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 2, maxLength: 2 }), share),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(curvature, points, (c, given) => {
        const all = given.map((one) => placed(one, c));
        const mean = karcherMean(all, c);
        expectInside(mean, c);
        const cost = (m: ArrayLike<number>) =>
          all.reduce((sum, one) => sum + (hyperbolicDistance(m, one, c) * Math.sqrt(c)) ** 2, 0);
        const least = cost(mean);
        for (const step of [1e-3, 0.1])
          for (const [dx, dy] of [
            [1, 0],
            [-1, 0],
            [0, 1],
            [0, -1],
          ]) {
            const v = [(dx! * step) / Math.sqrt(c), (dy! * step) / Math.sqrt(c)];
            expect(cost(mobiusAdd(mean, expMap0(v, c), c))).toBeGreaterThanOrEqual(least - 1e-6);
          }
        const turned = karcherMean([...all].reverse(), c);
        expect(hyperbolicDistance(mean, turned, c) * Math.sqrt(c)).toBeLessThan(1e-4);
      }),
      { numRuns: 40 },
    );
  });

  test('points on the boundary, all on one side or across, end in a point inside', () => {
    for (const c of [1, 1e-300, 1e300])
      for (const given of [
        [[1], [-1]],
        [[1], [1]],
        [[1 - 2 ** -53], [-0.5], [0]],
      ])
        expectInside(
          karcherMean(
            given.map((one) => one.map((value) => value / Math.sqrt(c))),
            c,
          ),
          c,
        );
  });
});

test('points that float32 rounded onto the boundary are taken for points just inside', () => {
  const rounded = Float32Array.of(0.6, 0.8);
  expect(norm(rounded)).toBeGreaterThan(1 - 1e-7);
  expect(logMap0(rounded).every(Number.isFinite)).toBe(true);
});

test.each<[string, () => unknown]>([
  ['a curvature of 0', () => expMap0([1], 0)],
  ['a negative curvature', () => expMap0([1], -1)],
  ['no curvature', () => expMap0([1], Number.NaN)],
  ['a value that is no number', () => expMap0([Number.NaN])],
  ['an infinite value', () => projectToBall([Number.POSITIVE_INFINITY])],
  ['a point outside', () => logMap0([1.1])],
  ['a point outside to measure from', () => hyperbolicDistance([0], [1.1])],
  ['different lengths', () => mobiusAdd([0], [0, 0])],
  ['an infinite factor', () => mobiusScale(Number.POSITIVE_INFINITY, [0])],
  ['no points', () => karcherMean([])],
  ['weights of another length', () => karcherMean([[0]], 1, { weights: [1, 1] })],
  ['weights that are all 0', () => karcherMean([[0]], 1, { weights: [0] })],
  ['a negative weight', () => karcherMean([[0], [0.1]], 1, { weights: [1, -1] })],
])('%s is a bad argument', (_, work) => {
  expect(work).toThrow(expect.objectContaining({ code: 'bad_argument' }));
});
