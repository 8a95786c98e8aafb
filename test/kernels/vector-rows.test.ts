import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { searchVectors } from '../../src/kernels/search-vectors.js';
import { createVectorRows, loadVectorRows, type VectorRows } from '../../src/kernels/vector-rows.js';
import { webAssembly } from '../models/web-assembly.js';
import { random, type Shape, shapes, vectorsOf } from './vector-shapes.js';

/** Not in the order of rows, so that ties show. */
const id = (row: number) => `${(row * 7_919) % 10_007}`.padStart(5, '0');

/** The plain scan over what the rows hold. */
function plainScan(rows: VectorRows, query: Float32Array, options: Parameters<typeof searchVectors>[2]) {
  const { dimensions } = rows;
  const matrix = new Float32Array(rows.rows * dimensions);
  const live = new Uint8Array(rows.rows);
  for (let row = 0; row < rows.rows; row++) {
    const unit = rows.get(row);
    if (unit === undefined) continue;
    matrix.set(unit, row * dimensions);
    live[row] = options.allow === undefined || options.allow[row] ? 1 : 0;
  }
  return searchVectors({ matrix, dimensions, rows: rows.rows, id, kernel: false }, query, { ...options, allow: live });
}

function filled(vectors: readonly Float32Array[], options: { kernel?: false; fetch?: boolean } = {}): VectorRows {
  const rows = createVectorRows(vectors[0]!.length, {
    id,
    ...(options.kernel === false && { kernel: false }),
    ...(options.fetch && { vectors: (wanted) => wanted.map((row) => vectors[row]!) }),
  });
  vectors.forEach((vector) => {
    rows.add(vector);
  });
  return rows;
}

describe('exactly what a plain scan finds', () => {
  const cases = fc.record({
    shape: fc.constantFrom<Shape>(...shapes),
    dimensions: fc.oneof(fc.integer({ min: 1, max: 70 }), fc.constantFrom(384, 1_024, 4_096)),
    count: fc.integer({ min: 1, max: 300 }),
    k: fc.integer({ min: 1, max: 320 }),
    seed: fc.integer({ min: 1, max: 1e9 }),
    filtered: fc.boolean(),
    grouped: fc.boolean(),
    removed: fc.boolean(),
  });

  test.each(['kernel', 'JavaScript', 'fetched rows'])('%s', (way) => {
    fc.assert(
      fc.property(cases, ({ shape, dimensions, count, k, seed, filtered, grouped, removed }) => {
        const next = random(seed);
        const size = dimensions > 1_000 ? Math.min(count, 40) : count;
        const vectors = vectorsOf(shape, size, dimensions, next);
        const rows = filled(vectors, way === 'JavaScript' ? { kernel: false } : { fetch: way === 'fetched rows' });
        if (removed) for (let row = 0; row < size; row += 3) rows.remove(row);
        const query = next() < 0.5 ? vectors[0]! : vectorsOf(shape, 1, dimensions, next)[0]!;
        const allow = Uint8Array.from({ length: size }, () => (next() < 0.5 ? 1 : 0));
        const of = Uint32Array.from({ length: size }, () => Math.floor(next() * 9));
        const options = { k, ...(filtered && { allow }), ...(grouped && { groups: { of, count: 9 } }) };
        const { rescored, ...found } = rows.search(query, options);
        expect(found).toEqual(plainScan(rows, query, options));
        expect(rescored).toBeLessThanOrEqual(found.matched);
        const minScore = found.hits[found.hits.length >> 1]?.score ?? 0;
        const few = rows.search(query, { ...options, minScore });
        expect(few).toMatchObject({ matched: found.matched, min: found.min, max: found.max });
        expect(few.hits).toEqual(found.hits.filter(({ score }) => score >= minScore));
        expect(few.groupHits).toEqual(found.groupHits.filter(({ score }) => score >= minScore));
      }),
      { numRuns: 150 },
    );
  });

  test('several queries at once, in more than one turn and over several blocks', () => {
    const next = random(5);
    const rows = filled(vectorsOf('unit', 2_501, 33, next));
    const queries = vectorsOf('any length', 19, 33, next);
    const results = rows.searchAll(queries, { k: 7 });
    expect(results).toEqual(queries.map((query) => rows.search(query, { k: 7 })));
    expect(results.map(({ rescored, ...found }) => found)).toEqual(queries.map((q) => plainScan(rows, q, { k: 7 })));
    expect(rows.searchAll([], { k: 7 })).toEqual([]);
  });

  test('the kernel and JavaScript rescore the same rows', () => {
    const next = random(6);
    const vectors = vectorsOf('clustered', 3_000, 96, next);
    const [query] = vectorsOf('clustered', 1, 96, next);
    const groups = { of: Uint32Array.from(vectors, (_, row) => row >> 2), count: 750 };
    const results = [{}, { kernel: false } as const].map((way) =>
      filled(vectors, way).search(query!, { k: 20, groups }),
    );
    expect(results[0]).toEqual(results[1]);
  });
});

test('few scores are computed where rows differ', () => {
  const next = random(8);
  const vectors = vectorsOf('unit', 20_000, 128, next);
  const rows = filled(vectors);
  const groups = { of: Uint32Array.from(vectors, (_, row) => row >> 3), count: 2_500 };
  const [query] = vectorsOf('unit', 1, 128, next);
  expect(rows.search(query!, { k: 10 }).rescored).toBeLessThan(60);
  expect(rows.search(query!, { k: 10, groups }).rescored).toBeLessThan(60);
  expect(rows.search(query!, { k: 1_000, groups }).rescored).toBeLessThan(2_500);
});

test('rows are used again only when nothing has seen them', () => {
  const rows = createVectorRows(2, { id });
  const add = (...values: number[]) => rows.add(Float32Array.from(values));
  expect([add(1, 0), add(0, 1), add(1, 1)]).toEqual([0, 1, 2]);
  expect([rows.remove(1), rows.remove(1), rows.remove(9), rows.remove(-1)]).toEqual([true, false, false, false]);
  expect(add(-1, 0)).toBe(1);
  const before = rows.snapshot();
  const found = before.search(Float32Array.of(1, 0), { k: 9 });
  rows.remove(0);
  expect(add(0, -1)).toBe(3);
  rows.remove(3);
  expect(add(1, 2)).toBe(3);
  expect(before.search(Float32Array.of(1, 0), { k: 9 })).toEqual(found);
  expect([before.size, before.has(0), before.has(3), rows.size, rows.has(0)]).toEqual([3, true, false, 3, false]);
  rows.toBlocks();
  rows.remove(3);
  expect(add(1, 2)).toBe(4);
});

test('snapshots stay what they were while rows come and go', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -9, max: 30 }), { maxLength: 120 }),
      fc.integer({ min: 1 }),
      (steps, seed) => {
        const next = random(seed);
        const rows = createVectorRows(3, { id });
        const [query] = vectorsOf('unit', 1, 3, next);
        const taken: [ReturnType<VectorRows['snapshot']>, unknown][] = [];
        for (const step of steps) {
          if (step < 0) rows.add(vectorsOf('unit', 1, 3, next)[0]!);
          else if (step < 25) rows.remove(step);
          else {
            const { rescored: _, ...all } = rows.search(query!, { k: 99 });
            taken.push([rows.snapshot(), all]);
          }
        }
        for (const [snapshot, all] of taken) expect(snapshot.search(query!, { k: 99 })).toMatchObject(all as object);
      },
    ),
  );
});

describe('saving', () => {
  const next = random(11);
  const vectors = vectorsOf('unit', 3_000, 40, next);
  const [query] = vectorsOf('unit', 1, 40, next);

  test('what is loaded finds the same; changes write parts of what changed', () => {
    const rows = filled(vectors);
    rows.remove(7);
    const saved = rows.toBlocks().write;
    const load = () => loadVectorRows(saved, { id });
    expect(load().search(query!, { k: 50 })).toEqual(rows.search(query!, { k: 50 }));
    expect([...rows.toBlocks().write.keys()]).toEqual(['vectors']);

    rows.remove(5);
    rows.remove(1_500);
    rows.add(query!);
    const { write, remove } = rows.toBlocks();
    expect([...write.keys()].sort()).toEqual(['live.0', 'live.1', 'live.2', 'rows.2', 'vectors']);
    expect(remove).toEqual([]);
    for (const [name, bytes] of write) saved.set(name, bytes);
    expect(load().search(query!, { k: 50 })).toEqual(rows.search(query!, { k: 50 }));
    expect(rows.toBlocks({ all: true }).write).toEqual(saved);

    const loaded = load();
    loaded.remove(9);
    expect(loaded.add(query!)).toBe(3_001);
    expect(loaded.size).toBe(rows.size);
  });

  test('without float32 rows a part holds 48 bytes and 8 for a row of 40 dimensions', () => {
    const fetch = (wanted: readonly number[]) => wanted.map((row) => vectors[row]!);
    const rows = filled(vectors, { fetch: true });
    const { write } = rows.toBlocks();
    expect(write.get('rows.0')).toHaveLength(1_024 * (64 + 8));
    expect(loadVectorRows(write, { id, vectors: fetch }).search(query!, { k: 5 })).toEqual(
      rows.search(query!, { k: 5 }),
    );
    expect(() => loadVectorRows(write, { id })).toThrow(/no float32 rows/);
  });

  test('compaction leaves rows out and keeps scores', () => {
    const rows = filled(vectors);
    rows.toBlocks();
    for (let row = 0; row < 2_500; row++) rows.remove(row);
    const { rows: few, from } = rows.compacted({ id: (row) => id(from[row]!) });
    expect([few.rows, few.size, from[0]]).toEqual([500, 500, 2_500]);
    const strip = (found: readonly { id: string; score: number }[]) => found.map((hit) => [hit.id, hit.score]);
    expect(strip(few.search(query!, { k: 30 }).hits)).toEqual(strip(rows.search(query!, { k: 30 }).hits));
    expect(few.toBlocks().remove).toEqual(['rows.1', 'live.1', 'rows.2', 'live.2']);
  });

  test('damaged parts are refused', () => {
    const good = () => filled(vectors).toBlocks().write;
    const broken = (change: (parts: Map<string, Uint8Array>) => unknown) => {
      const parts = good();
      change(parts);
      return () => loadVectorRows(parts, { id });
    };
    expect(broken((parts) => parts.clear())).toThrow(/"vectors" is missing/);
    expect(broken((parts) => parts.get('vectors')!.set([9], 3))).toThrow(/another format/);
    expect(broken((parts) => parts.delete('rows.1'))).toThrow(/"rows.1" is missing/);
    expect(broken((parts) => parts.set('live.2', new Uint8Array(3)))).toThrow(/"live.2"/);
    expect(broken((parts) => parts.get('live.2')!.fill(255))).toThrow(/not there/);
    expect(broken((parts) => parts.get('rows.0')!.fill(255))).toThrow(/out of range/);
  });
});

test('what can not be is refused', () => {
  for (const dimensions of [0, 1.5, Number.NaN, 65_537, 3n as unknown as number])
    expect(() => createVectorRows(dimensions, { id })).toThrow(/positive integer/);
  for (const kernel of [{}, new webAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))])
    expect(() => createVectorRows(2, { id, kernel })).toThrow(/int8-scan\.wasm/);
  const rows = createVectorRows(2, { id, vectors: () => [] });
  rows.add(Float32Array.of(1, 0));
  const query = Float32Array.of(1, 1);
  expect(() => rows.search(query, { k: 1 })).toThrow(/1 rows were asked for, 0 came back/);
  expect(() => rows.search(query, { k: 0 })).toThrow(/k must be/);
  expect(() => rows.search(query, { k: 1, minScore: Number.NaN })).toThrow(/minScore/);
  expect(() => rows.search(Float32Array.of(1), { k: 1 })).toThrow(/1 dimensions, expected 2/);
  expect(() => rows.add(Float32Array.of(Number.NaN, 1))).toThrow(/NaN/);
  expect(rows.size).toBe(1);
});

test('vectors that are not those that were added are noticed', () => {
  const vectors = vectorsOf('unit', 9, 20, random(4));
  const rows = createVectorRows(20, { id, vectors: (wanted) => wanted.map((row) => vectors[row]!) });
  for (const vector of vectors) rows.add(vector);
  const query = vectors[3]!.slice();
  expect(rows.search(query, { k: 1 }).hits[0]!.row).toBe(3);
  vectors[3] = vectors[4]!;
  expect(() => rows.search(query, { k: 1 })).toThrow(/row 3 .+ is not the one that was added/);

  const kept = createVectorRows(2, { id });
  kept.add(Float32Array.of(1, 0));
  const parts = kept.toBlocks().write;
  const damaged = parts.get('rows.0')!.fill(0xff, -8);
  const loaded = loadVectorRows(parts.set('rows.0', damaged), { id });
  expect(() => loaded.search(Float32Array.of(1, 1), { k: 1 })).toThrow(/row 0 .+ is not the one that was added/);
});

test('scores of some rows; rows without a vector have none', () => {
  const rows = createVectorRows(2, { id });
  for (const values of [
    [3, 0],
    [0, 2],
    [-1, 0],
  ])
    rows.add(Float32Array.from(values));
  rows.remove(1);
  expect([...rows.scores(Float32Array.of(5, 0), [2, 1, 0, 77])]).toEqual([-1, Number.NaN, 1, Number.NaN]);
});
