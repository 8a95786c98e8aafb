import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createVectorIndex } from '../../src/kernels/vector-index.js';
import { searchVectors, unitVector } from '../../src/kernels/vectors.js';

const vector = (...values: number[]) => Float32Array.from(values);
const component = fc.float({ min: -8, max: 8, noNaN: true });

describe('search', () => {
  test('cosine whatever the lengths of the vectors', () => {
    const index = createVectorIndex(2);
    index.add('east', vector(5, 0));
    index.add('north', vector(0, 0.25));
    index.add('west', vector(-3, 0));
    const { hits, matched, min, max } = index.search(vector(2, 2), { k: 9 });
    expect(hits.map(({ id }) => id)).toEqual(['east', 'north', 'west']);
    expect(hits[0]!.score).toBeCloseTo(Math.SQRT1_2, 6);
    expect(matched).toBe(3);
    expect(min).toBe(hits[2]!.score);
    expect(max).toBe(hits[0]!.score);
  });

  test('agrees with a sorted scan in double precision', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(component, { minLength: 7, maxLength: 7 }), { minLength: 1, maxLength: 30 }),
        (rows) => {
          const index = createVectorIndex(7);
          rows.forEach((row, at) => {
            index.add(`${at}`, Float32Array.from(row));
          });
          const query = rows[0]!;
          const norm = (values: readonly number[]) => Math.hypot(...values) || 1;
          const { hits } = index.search(Float32Array.from(query), { k: rows.length });
          expect(hits).toHaveLength(rows.length);
          for (const { id, score } of hits) {
            const row = rows[Number(id)]!;
            const cosine = row.reduce((sum, value, at) => sum + value * query[at]!, 0) / norm(row) / norm(query);
            expect(score).toBeCloseTo(cosine, 5);
            expect(Math.abs(score)).toBeLessThanOrEqual(1);
          }
        },
      ),
    );
  });

  test('ties go by id at the boundary of k as well; k beyond the size gives all', () => {
    const index = createVectorIndex(1);
    for (const id of ['c', 'a', 'B', 'd']) index.add(id, vector(2));
    expect(index.search(vector(1), { k: 2 }).hits.map(({ id }) => id)).toEqual(['B', 'a']);
    expect(index.search(vector(1), { k: 99 }).hits).toHaveLength(4);
  });

  test('zero vectors score 0, a filter restricts the range', () => {
    const index = createVectorIndex(2);
    index.add('zero', vector(0, 0));
    index.add('same', vector(1, 0));
    expect(index.search(vector(1, 0), { k: 2 }).hits).toEqual([
      { id: 'same', score: 1 },
      { id: 'zero', score: 0 },
    ]);
    expect(index.search(vector(1, 0), { k: 2, allow: (id) => id === 'zero' })).toEqual({
      hits: [{ id: 'zero', score: 0 }],
      matched: 1,
      min: 0,
      max: 0,
    });
    expect(index.search(vector(1, 0), { k: 2, allow: () => false })).toEqual({ hits: [], matched: 0, min: 0, max: 0 });
  });
});

test('add replaces, remove keeps the others, get gives a unit copy', () => {
  const index = createVectorIndex(2);
  for (let at = 0; at < 40; at++) index.add(`${at}`, vector(at, 1));
  index.add('3', vector(0, -9));
  expect(index.size).toBe(40);
  expect(index.get('3')).toEqual(vector(0, -1));
  expect(index.remove('0')).toBe(true);
  expect(index.remove('0')).toBe(false);
  expect(index.size).toBe(39);
  expect(index.get('0')).toBeUndefined();
  expect(index.get('39')).toEqual(unitVector(vector(39, 1)));
  index.get('39')!.fill(0);
  expect(index.get('39')).toEqual(unitVector(vector(39, 1)));
  expect(index.search(vector(0, -1), { k: 1 }).hits[0]!.id).toBe('3');
});

test('very small and very large vectors keep their direction', () => {
  expect(unitVector(vector(1e-30, 0))).toEqual(vector(1, 0));
  expect(unitVector(vector(3e38, 0))).toEqual(vector(1, 0));
});

test('bad vectors are refused by name and leave the index as it was', () => {
  const index = createVectorIndex(2);
  expect(() => index.add('note-7', vector(1))).toThrow(/"note-7" has 1 dimensions, expected 2/);
  expect(() => index.add('note-7', vector(Number.NaN, 0))).toThrow(/"note-7" holds NaN/);
  expect(() => index.search(vector(0, Number.POSITIVE_INFINITY), { k: 1 })).toThrow(/query vector/);
  expect(() => index.search(vector(0, 1), { k: 0 })).toThrow(/positive integer/);
  expect(() => createVectorIndex(0)).toThrow(/positive integer/);
  expect(index.size).toBe(0);
});

test('a matrix may be larger than its rows, not smaller', () => {
  const id = (row: number) => `${row}`;
  const found = searchVectors({ matrix: vector(1, 0, 1), dimensions: 1, rows: 2, id }, vector(1), { k: 3 });
  expect(found.hits.map((hit) => hit.id)).toEqual(['0', '1']);
  expect(() => searchVectors({ matrix: vector(1), dimensions: 1, rows: 2, id }, vector(1), { k: 1 })).toThrow(
    /too small/,
  );
});
