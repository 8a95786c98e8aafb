import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { searchVectors } from '../../src/kernels/search-vectors.js';
import { createVectorIndex, loadVectorIndex } from '../../src/kernels/vector-index.js';
import { unitVector } from '../../src/kernels/vectors.js';

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
    const zeroOnly = index.search(vector(1, 0), { k: 2, allow: (id) => id === 'zero' });
    expect(zeroOnly).toEqual({ hits: [{ id: 'zero', score: 0 }], matched: 1, min: 0, max: 0, rescored: 1 });
    const none = index.search(vector(1, 0), { k: 2, allow: () => false });
    expect(none).toEqual({ hits: [], matched: 0, min: 0, max: 0, rescored: 0 });
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

test('several vectors at once, a least score, scores of some ids', () => {
  const index = createVectorIndex(2);
  for (const [id, x, y] of [
    ['east', 5, 0],
    ['north', 0, 1],
    ['west', -3, 0],
  ] as const)
    index.add(id, vector(x, y));
  const [first, second] = index.searchAll([vector(1, 0), vector(0, 1)], { k: 1 });
  expect([first!.hits, second!.hits]).toEqual([[{ id: 'east', score: 1 }], [{ id: 'north', score: 1 }]]);
  const found = index.search(vector(2, 0), { k: 3, minScore: 0 });
  expect(found.hits.map(({ id }) => id)).toEqual(['east', 'north']);
  expect(found).toMatchObject({ matched: 3, min: -1, max: 1 });
  expect(index.search(vector(2, 0), { k: 3, minScore: 2 })).toMatchObject({ hits: [], min: -1, max: 1 });
  expect(index.scoreAgainst(vector(0, 2), ['north', 'south', 'west'])).toEqual([1, undefined, 0]);
  expect(index.missing(['north', 'south'])).toEqual(['south']);
  expect(index.prune(['west', 'south'])).toBe(2);
  expect([index.size, index.has('west')]).toEqual([1, true]);
});

describe('over thousands of changes', () => {
  const at = (number: number) => vector(Math.cos(number), Math.sin(number), (number % 7) / 7);
  const all = { k: 100_000 };

  test('finds what an index made anew finds; snapshots and saved copies stay true', () => {
    const index = createVectorIndex(3);
    const saved = new Map<string, Uint8Array>();
    const save = () => {
      const { write, remove } = index.toBlocks();
      for (const [name, bytes] of write) saved.set(name, bytes);
      for (const name of remove) saved.delete(name);
    };
    for (let number = 0; number < 6_000; number++) index.add(`${number}`, at(number));
    save();
    const before = index.snapshot();
    const found = before.search(at(1), all);
    for (let number = 0; number < 5_500; number++) index.remove(`${number}`);
    for (let number = 5_000; number < 6_000; number++) index.add(`${number}`, at(number + 0.5));
    const anew = createVectorIndex(3);
    for (let number = 5_999; number >= 5_000; number--) anew.add(`${number}`, at(number + 0.5));
    const hits = (reader: Pick<typeof index, 'search'>) => reader.search(at(1), all).hits;
    expect(hits(index)).toEqual(hits(anew));
    expect([index.size, before.size]).toEqual([1_000, 6_000]);
    expect(before.search(at(1), all)).toEqual(found);
    save();
    const loaded = loadVectorIndex(saved);
    expect(hits(loaded)).toEqual(hits(anew));
    // Rows of what is gone were left out.
    expect([...saved.keys()].filter((name) => name.startsWith('rows.')).length).toBeLessThan(4);
    loaded.add('new', at(1));
    expect(hits(loaded)[0]!.id).toBe('new');
  });

  test('keeps ids of any characters; parts that are damaged are refused', () => {
    const index = createVectorIndex(1);
    const ids = ['', '"\\\n', '\ud800', 'é', '😀'];
    for (const id of ids) index.add(id, vector(1));
    const parts = index.toBlocks().write;
    expect(hitsOf(loadVectorIndex(parts))).toEqual([...ids].sort());
    const twice = new TextEncoder().encode(JSON.stringify(['a', 'b', 'c', 'd', 'a']));
    expect(() => loadVectorIndex(new Map(parts).set('ids.0', twice))).toThrow(/"a" is there twice/);
    expect(() => loadVectorIndex(new Map(parts).set('ids.0', Uint8Array.of(91)))).toThrow(/"ids.0"/);
    expect(() => loadVectorIndex(new Map())).toThrow(/missing/);
    expect(loadVectorIndex(createVectorIndex(9).toBlocks().write)).toMatchObject({ dimensions: 9, size: 0 });
  });

  const hitsOf = (index: ReturnType<typeof createVectorIndex>) => index.search(vector(1), all).hits.map(({ id }) => id);

  test('float32 vectors may stay elsewhere', () => {
    const stored = new Map(Array.from({ length: 300 }, (_, number) => [`${number}`, at(number)]));
    const [own, kept] = [
      createVectorIndex(3),
      createVectorIndex(3, { vectors: (ids) => ids.map((id) => stored.get(id)!) }),
    ];
    for (const [id, each] of stored) {
      own.add(id, each);
      kept.add(id, each);
    }
    expect(kept.search(at(0.3), { k: 12 })).toEqual(own.search(at(0.3), { k: 12 }));
    expect(kept.get('7')).toEqual(own.get('7'));
  });
});
