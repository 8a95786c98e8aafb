import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bootstrapInterval } from '../../src/evaluate/bootstrap.js';
import { holm } from '../../src/evaluate/holm.js';
import { comparePaired } from '../../src/evaluate/paired-comparison.js';
import { randomisationTest } from '../../src/evaluate/randomisation-test.js';

interface Fixture {
  readonly samples: readonly { differences: number[]; exact: boolean; p: number; interval: [number, number] }[];
  readonly holm: readonly { p: number[]; adjusted: number[] }[];
}

// Made by scripts/statistics-fixture.py with SciPy and statsmodels.
const fixture: Fixture = JSON.parse(readFileSync(new URL('fixtures/statistics.json', import.meta.url), 'utf8'));

const byQuery = (values: readonly number[]) => new Map(values.map((value, index) => [`q${index}`, value]));

describe('as SciPy and statsmodels have it', () => {
  test.each(fixture.samples)('randomisation test, sample %#', ({ differences, exact, p }) => {
    const own = randomisationTest(differences);
    // Two random estimates of one p-value: four standard errors of the coarser.
    expect(Math.abs(own - p)).toBeLessThan(exact ? 1e-12 : 4 * Math.sqrt((p * (1 - p)) / 10_000) + 2e-4);
  });

  test.each(fixture.samples)('bootstrap interval, sample %#', ({ differences, interval }) => {
    const width = interval[1] - interval[0];
    const own = bootstrapInterval(differences);
    expect(Math.abs(own[0] - interval[0])).toBeLessThan(0.03 * width);
    expect(Math.abs(own[1] - interval[1])).toBeLessThan(0.03 * width);
  });

  test.each(fixture.holm)('Holm, family %#', ({ p, adjusted }) => {
    holm(p).forEach((value, index) => {
      expect(value).toBeCloseTo(adjusted[index]!, 12);
    });
  });
});

test('two equal arms are tied in every query, and the test finds nothing', () => {
  const values = byQuery([0.2, 0.5, 1]);
  expect(comparePaired(values, values)).toEqual({
    queries: 3,
    difference: 0,
    interval: [0, 0],
    p: 1,
    wins: 0,
    losses: 0,
    ties: 3,
    effect: 0,
    detectable: 0,
    verdict: 'not worse',
  });
});

test('verdicts', () => {
  const base = byQuery(Array.from({ length: 100 }, (_, index) => (index % 10) / 20 + 0.2));
  const moved = (by: (index: number) => number) =>
    new Map([...base].map(([query, value], index) => [query, value + by(index)]));
  expect(
    comparePaired(
      base,
      moved((i) => 0.02 + (i % 3) / 100),
    ).verdict,
  ).toBe('better');
  expect(
    comparePaired(
      base,
      moved((i) => (i % 3 === 0 ? -0.01 : 0.005)),
    ).verdict,
  ).toBe('not worse');
  expect(
    comparePaired(
      base,
      moved((i) => -0.03 - (i % 3) / 100),
    ).verdict,
  ).toBe('worse');
  expect(
    comparePaired(
      base,
      moved((i) => (i % 2 === 0 ? 0.2 : -0.21)),
    ).verdict,
  ).toBe('undecided');
  expect(
    comparePaired(
      base,
      moved((i) => -0.03 - (i % 3) / 100),
      { margin: 0.1 },
    ).verdict,
  ).toBe('not worse');
});

test('the same for every order of the queries, on every run', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })), {
        minLength: 1,
        maxLength: 40,
      }),
      (pairs) => {
        const base = byQuery(pairs.map(([a]) => a));
        const changed = byQuery(pairs.map(([, b]) => b));
        const reverse = (map: Map<string, number>) => new Map([...map].reverse());
        const options = { rounds: 200 };
        const result = comparePaired(base, changed, options);
        expect(comparePaired(reverse(base), changed, options)).toEqual(result);
        expect(comparePaired(base, reverse(changed), options)).toEqual(result);
        expect(result.wins + result.losses + result.ties).toBe(pairs.length);
        expect(result.p).toBeGreaterThan(0);
        expect(result.p).toBeLessThanOrEqual(1);
        expect(result.interval[0]).toBeLessThanOrEqual(result.interval[1]);
      },
    ),
    { numRuns: 50 },
  );
});

test('swapping the arms turns the difference round and keeps the p-value', () => {
  const [sample] = fixture.samples;
  const base = byQuery(sample!.differences.map(() => 0.4));
  const changed = byQuery(sample!.differences.map((difference) => 0.4 + difference));
  const there = comparePaired(base, changed);
  const back = comparePaired(changed, base);
  expect(back.difference).toBeCloseTo(-there.difference, 12);
  expect([back.p, back.wins, back.losses]).toEqual([there.p, there.losses, there.wins]);
});

test('arms of different queries are refused', () => {
  expect(() => comparePaired(byQuery([1]), byQuery([1, 2]))).toThrow(/different queries/);
  expect(() => comparePaired(new Map([['a', 1]]), new Map([['b', 1]]))).toThrow(/"a" is in one only/);
  expect(() => comparePaired(new Map(), new Map())).toThrow(/no queries/);
});
