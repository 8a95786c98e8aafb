import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createVectorMatrix, float32Error } from '../../src/kernels/float32-scan.js';
import { bytes } from '../../src/kernels/float32-scan.wasm.js';
import { searchVectors } from '../../src/kernels/search-vectors.js';
import { unitVector, type VectorSource } from '../../src/kernels/vectors.js';
import { compileKernel } from '../../src/kernels/wasm-kernel.js';
import { webAssembly, withoutCompiler } from '../models/web-assembly.js';
import { random, type Shape, shapes, vectorsOf } from './vector-shapes.js';

const ways = ['where it is', 'copied'] as const;
const id = (row: number) => `${(row * 7_919) % 10_007}`.padStart(5, '0');

/** Rows as they are, without making them unit vectors. */
function sourceOf(vectors: readonly Float32Array[], way: (typeof ways)[number]): VectorSource {
  const dimensions = vectors[0]!.length;
  const length = vectors.length * dimensions;
  const matrix = way === 'copied' ? new Float32Array(length) : createVectorMatrix(vectors.length, dimensions);
  vectors.forEach((vector, row) => {
    matrix.set(vector, row * dimensions);
  });
  return { matrix, dimensions, rows: vectors.length, id };
}

/** Scores in double precision, added up in another order than the scan does. */
function float64Scores(vectors: readonly Float32Array[], query: Float32Array): number[] {
  const dot = (a: Float32Array, b: Float32Array) => a.reduceRight((sum, value, at) => sum + value * b[at]!, 0);
  const norm = Math.sqrt(dot(query, query)) || 1;
  return vectors.map((vector) => Math.min(1, Math.max(-1, dot(vector, query) / norm)));
}

// First of all, as what was compiled is kept.
test('a matrix lies in the memory of the kernel where that can be had', () => {
  const isPlain = (matrix: Float32Array) => matrix.buffer.byteLength === matrix.byteLength;
  expect(isPlain(withoutCompiler(() => createVectorMatrix(3, 5)))).toBe(true);
  const kernel = compileKernel(bytes)!;
  expect(isPlain(createVectorMatrix(3, 5))).toBe(false);
  expect(isPlain(createVectorMatrix(3, 5, kernel))).toBe(false);
  expect([isPlain(createVectorMatrix(3, 5, false)), isPlain(createVectorMatrix(1, 65_537))]).toEqual([true, true]);
  expect(createVectorMatrix(0, 5)).toHaveLength(0);
  for (const bad of [-1, 0.5, Number.NaN, 3n as unknown as number])
    expect(() => createVectorMatrix(bad, 5)).toThrow(/rows must/);
  for (const bad of [0, 1.5, '3' as unknown as number])
    expect(() => createVectorMatrix(1, bad)).toThrow(/dimensions must/);
});

describe.each(ways)('a matrix that is read %s', (way) => {
  const cases = fc.record({
    shape: fc.constantFrom<Shape>(...shapes),
    length: fc.constantFrom(1, 1, 0.01, 4),
    dimensions: fc.oneof(fc.integer({ min: 1, max: 70 }), fc.constantFrom(300, 384, 1_024, 4_096)),
    count: fc.integer({ min: 1, max: 400 }),
    k: fc.integer({ min: 1, max: 420 }),
    seed: fc.integer({ min: 1, max: 1e9 }),
    filtered: fc.boolean(),
    grouped: fc.boolean(),
  });

  test('gives bit for bit what JavaScript gives, and what a scan in float64 gives', () => {
    fc.assert(
      fc.property(cases, ({ shape, length, dimensions, count, k, seed, filtered, grouped }) => {
        const next = random(seed);
        const size = dimensions > 1_000 ? Math.min(count, 40) : count;
        const units = vectorsOf(shape, size, dimensions, next).map(unitVector);
        // Longer ones are out of order, but found.
        const vectors = units.map((unit) =>
          unit.map((value) => value * (0.1 + 0.9 * next()) ** (length === 1 ? 0 : 1) * length),
        );
        const query = next() < 0.5 ? vectors[0]! : vectorsOf(shape, 1, dimensions, next)[0]!;
        const allow = Uint8Array.from({ length: size }, () => (next() < 0.5 ? 1 : 0));
        const of = Uint32Array.from({ length: size }, () => Math.floor(next() * 9));
        const options = { k, ...(filtered && { allow }), ...(grouped && { groups: { of, count: 9 } }) };
        const source = sourceOf(vectors, way);
        const found = searchVectors(source, query, options);
        expect(found).toEqual(searchVectors({ ...source, kernel: false }, query, options));
        const scores = float64Scores(vectors, query);
        const allowed = scores.flatMap((score, row) => (filtered && allow[row] === 0 ? [] : [score]));
        expect(found.hits).toHaveLength(Math.min(k, allowed.length));
        const best = allowed.sort((a, b) => b - a);
        found.hits.forEach(({ row, score }, rank) => {
          expect(score).toBeCloseTo(scores[row]!, 5);
          expect(score).toBeCloseTo(best[rank]!, 5);
        });
      }),
      { numRuns: 200 },
    );
  });

  test('of many rows, filtered and not, in a part of a matrix', () => {
    const next = random(21);
    const vectors = vectorsOf('clustered', 5_001, 48, next).map(unitVector);
    const source = sourceOf(vectors, way);
    const part = { ...source, matrix: source.matrix.subarray(48), rows: 5_000 };
    const [query] = vectorsOf('clustered', 1, 48, next);
    for (const share of [1, 0.5, 0.01, 0]) {
      const allow = Uint8Array.from({ length: 4_000 }, () => (next() < share ? 3 : 0));
      const found = searchVectors(part, query!, { k: 30, allow });
      expect(found).toEqual(searchVectors({ ...part, kernel: false }, query!, { k: 30, allow }));
      expect(found.hits).toHaveLength(Math.min(30, found.matched));
    }
    expect(searchVectors(part, query!, { k: 30 })).toEqual(
      searchVectors({ ...part, kernel: false }, query!, { k: 30 }),
    );
  });

  test('what float32 can not add up is computed in double precision', () => {
    const huge = Float32Array.of(3e38, 3e38, 3e38, -3e38, 1);
    const tiny = Float32Array.of(1e-45, 0, 0, 1e-45, 0);
    const source = sourceOf([huge, tiny, huge.map((value) => -value), tiny], way);
    for (const query of [Float32Array.of(1, 1, 1, 1, 1), Float32Array.of(1, -1, 1, 1, 0), tiny])
      for (const k of [1, 4])
        expect(searchVectors(source, query, { k })).toEqual(searchVectors({ ...source, kernel: false }, query, { k }));
  });

  test('vectors of no or one dimension', () => {
    const none = { matrix: new Float32Array(0), dimensions: 0, rows: 2, id: String };
    expect(searchVectors(none, new Float32Array(0), { k: 1 }).hits).toEqual([{ row: 0, id: '0', score: 0 }]);
    const one = sourceOf(
      [-3, 2, 0, 5].map((value) => unitVector(Float32Array.of(value))),
      way,
    );
    expect(searchVectors(one, Float32Array.of(-7), { k: 2 })).toMatchObject({
      hits: [
        { row: 0, score: 1 },
        { row: 2, score: 0 },
      ],
      min: -1,
      max: 1,
    });
  });

  test('a row that is no number is named', () => {
    const source = sourceOf([Float32Array.of(1, 0), Float32Array.of(Number.NaN, 0)], way);
    expect(() => searchVectors(source, Float32Array.of(1, 0), { k: 1 })).toThrow(/row 1 .+ is not a number/);
    expect(searchVectors(source, Float32Array.of(1, 0), { k: 1, allow: Uint8Array.of(1) }).hits).toHaveLength(1);
  });
});

test('the bound holds for float32 sums in the order of the kernel', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 600 }),
      fc.integer({ min: 1, max: 1e9 }),
      fc.constantFrom<Shape>(...shapes),
      (dimensions, seed, shape) => {
        const next = random(seed);
        const [query, row] = vectorsOf(shape, 2, dimensions, next).map(unitVector) as [Float32Array, Float32Array];
        const sums = new Float32Array(8);
        let exact = 0;
        query.forEach((value, at) => {
          sums[at % 8]! += Math.fround(value * row[at]!);
          exact += value * row[at]!;
        });
        const total = (parts: Float32Array) => parts.reduce((sum, part) => Math.fround(sum + part), 0);
        expect(Math.abs(total(sums) - exact)).toBeLessThanOrEqual(float32Error(dimensions));
      },
    ),
    { numRuns: 500 },
  );
});

test('a compiled kernel is taken where none may be compiled; what is none is refused', () => {
  const kernel = compileKernel(bytes)!;
  const source = sourceOf(vectorsOf('unit', 60, 20, random(2)).map(unitVector), 'copied');
  const query = vectorsOf('unit', 1, 20, random(3))[0]!;
  const found = searchVectors({ ...source, kernel: false }, query, { k: 5 });
  expect(withoutCompiler(() => searchVectors({ ...source, kernel }, query, { k: 5 }))).toEqual(found);
  for (const wrong of [{}, new webAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))])
    expect(() => searchVectors({ ...source, kernel: wrong }, query, { k: 5 })).toThrow(/float32-scan\.wasm/);
});
