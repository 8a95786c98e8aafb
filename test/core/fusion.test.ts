import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byScore, fuse, type Leg } from '../../src/core/fusion.js';

const id = fc.constantFrom('a', 'b', 'B', 'é', 'doc#1', 'doc#10', 'doc#2', '😀');
const methods = ['linear', 'rrf'] as const;

/** A leg as a store and `complete` make it: in order, its range over all chunks, some hits only scored afterwards. */
const leg = (name: string): fc.Arbitrary<Leg> =>
  fc
    .record({
      weight: fc.double({ min: 0, max: 3, noNaN: true }),
      scores: fc.uniqueArray(fc.tuple(id, fc.double({ min: -1, max: 30, noNaN: true })), { selector: ([key]) => key }),
      outside: fc.double({ min: 0, max: 2, noNaN: true }),
      late: fc.nat(3),
    })
    .map(({ weight, scores, outside, late }) => {
      const hits = scores.map(([key, score]) => ({ id: key, score })).sort(byScore);
      const min = Math.min(...hits.map(({ score }) => score)) - outside;
      const max = Math.max(...hits.map(({ score }) => score));
      const range = hits.length === 0 ? { min: 0, max: 0 } : { min, max };
      return { name, weight, found: Math.max(0, hits.length - late), list: { hits, range, matched: hits.length } };
    });
const legs = fc.tuple(leg('lexical'), leg('dense'), leg('third'));

describe.each(methods)('fuse by %s', (method) => {
  test('holds each candidate once, in the total order, and its parts add up to its score', () => {
    fc.assert(
      fc.property(legs, (given) => {
        const fused = fuse(given, { method });
        const known = new Set(given.flatMap(({ list }) => list.hits.map((hit) => hit.id)));
        expect(new Set(fused.map((hit) => hit.id))).toEqual(known);
        expect(fused).toHaveLength(known.size);
        expect([...fused].sort(byScore)).toEqual(fused);
        for (const hit of fused) {
          const parts = Object.values(hit.legs).map(({ part }) => part);
          expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(hit.score, 12);
          for (const part of parts) expect(part).toBeGreaterThanOrEqual(0);
          expect(hit.score).toBeGreaterThanOrEqual(0);
          expect(hit.score).toBeLessThanOrEqual(1 + 1e-12);
        }
      }),
    );
  });

  test('does not depend on the order of the legs', () => {
    fc.assert(
      fc.property(legs, ([a, b, c]) => {
        const scores = (list: Leg[]) => new Map(fuse(list, { method }).map((hit) => [hit.id, hit.score]));
        const one = scores([a, b, c]);
        for (const [key, score] of scores([c, a, b])) expect(score).toBeCloseTo(one.get(key)!, 12);
      }),
    );
  });

  test('keeps the score and the rank that each leg gave', () => {
    fc.assert(
      fc.property(legs, (given) => {
        for (const hit of fuse(given, { method }))
          for (const { name, list, found } of given) {
            const at = list.hits.findIndex((candidate) => candidate.id === hit.id);
            if (at < 0) expect(hit.legs).not.toHaveProperty(name);
            else
              expect(hit.legs[name]).toMatchObject({ score: list.hits[at]!.score, rank: at < found ? at + 1 : null });
          }
      }),
    );
  });

  test('a leg of weight 0 adds nothing, and no leg at all gives no hit', () => {
    fc.assert(
      fc.property(legs, (given) => {
        for (const hit of fuse(
          given.map((one) => ({ ...one, weight: 0 })),
          { method },
        ))
          expect(hit.score).toBe(0);
      }),
    );
    expect(fuse([], { method })).toEqual([]);
  });

  test('a repeated id in one leg counts once, at its best place', () => {
    const hits = [
      { id: 'x', score: 4 },
      { id: 'y', score: 3 },
      { id: 'x', score: 2 },
    ];
    const [first, second, ...rest] = fuse(
      [{ name: 'lexical', weight: 1, found: 3, list: { hits, range: { min: 0, max: 4 }, matched: 3 } }],
      { method },
    );
    expect(rest).toEqual([]);
    expect(first).toEqual({ id: 'x', score: 1, legs: { lexical: { rank: 1, score: 4, part: 1 } } });
    expect(second!.id).toBe('y');
  });
});

const of = (name: string, weight: number, scores: Record<string, number>, range: { min: number; max: number }): Leg => {
  const hits = Object.entries(scores).map(([key, score]) => ({ id: key, score }));
  return { name, weight, found: hits.length, list: { hits, range, matched: hits.length } };
};

test('linear, by hand: min-max over all chunks, then the weighted mean', () => {
  const lexical = of('lexical', 1, { a: 8, b: 2 }, { min: 0, max: 8 });
  const dense = of('dense', 3, { b: 0.9, a: 0.5, c: 0.1 }, { min: 0.1, max: 0.9 });
  const fused = fuse([lexical, dense]);
  expect(fused.map((hit) => hit.id)).toEqual(['b', 'a', 'c']);
  expect(fused[0]!.score).toBeCloseTo(0.25 * 0.25 + 0.75 * 1, 12);
  expect(fused[1]!.score).toBeCloseTo(0.25 * 1 + 0.75 * 0.5, 12);
  expect(fused[2]).toEqual({ id: 'c', score: 0, legs: { dense: { rank: 3, score: 0.1, part: 0 } } });
});

test('reciprocal ranks, by hand: w · (c + 1) / (c + rank) / Σw', () => {
  const lexical = of('lexical', 1, { a: 8, b: 2 }, { min: 0, max: 8 });
  const dense = of('dense', 1, { b: 0.9, c: 0.1 }, { min: 0.1, max: 0.9 });
  const scores = Object.fromEntries(
    fuse([lexical, dense], { method: 'rrf', rrfConstant: 9 }).map((hit) => [hit.id, hit.score]),
  );
  expect(scores.b).toBeCloseTo((10 / 11 + 10 / 10) / 2, 12);
  expect(scores.a).toBeCloseTo(1 / 2, 12);
  expect(scores.c).toBeCloseTo(10 / 11 / 2, 12);
});

test('equal scores stand in order of id by code units', () => {
  const tied = of('lexical', 1, { b: 1, a: 1, B: 1, é: 1, '10': 1, '9': 1 }, { min: 0, max: 1 });
  expect(fuse([tied]).map((hit) => hit.id)).toEqual(['10', '9', 'B', 'a', 'b', 'é']);
});
