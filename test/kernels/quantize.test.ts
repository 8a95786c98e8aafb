import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quantizeQuery, quantizeRow, strideOf } from '../../src/kernels/quantize.js';
import { scoreOf, unitVector } from '../../src/kernels/vectors.js';
import { random, type Shape, shapes, vectorsOf } from './vector-shapes.js';

/** Columns of even number are stored plus 128. */
const levelsOf = (values: Int8Array) => Array.from(values, (value, at) => (at % 2 === 0 ? (value & 255) - 128 : value));

test('scores of a float32 scan lie within the bound, those of a scan in double precision as well', () => {
  const cases = fc.record({
    row: fc.constantFrom<Shape>(...shapes),
    query: fc.constantFrom<Shape>(...shapes),
    dimensions: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constantFrom(384, 1_024, 4_096, 65_536)),
    seed: fc.integer({ min: 1, max: 1e9 }),
  });
  fc.assert(
    fc.property(cases, ({ row: rowShape, query: queryShape, dimensions, seed }) => {
      const next = random(seed);
      const row = unitVector(vectorsOf(rowShape, 1, dimensions, next)[0]!);
      const query = unitVector(vectorsOf(queryShape, 1, dimensions, next)[0]!);
      const values = new Int8Array(strideOf(dimensions));
      const { scale, error } = quantizeRow(row, values, 0);
      const quantized = quantizeQuery(query);
      const levels = levelsOf(values).slice(0, dimensions);
      const dot = levels.reduce((sum, value, at) => sum + value * quantized.values[at]!, 0);
      expect(levels.reduce((sum, value, at) => sum + Math.abs(value * quantized.values[at]!), 0)).toBeLessThan(2 ** 31);
      const about = quantized.scale * scale * dot;
      const bound = quantized.slope * error + quantized.offset;
      const exact = row.reduce((sum, value, at) => sum + value * query[at]!, 0);
      expect(Math.abs(about - exact)).toBeLessThanOrEqual(bound);
      expect(Math.abs(Math.max(-1, Math.min(1, about)) - scoreOf(row, 0, query))).toBeLessThanOrEqual(bound);
      // It says something: rows of few values that differ are off by little.
      if (rowShape === 'unit') expect(bound).toBeLessThan(0.05);
    }),
    { numRuns: 300 },
  );
});

test('values use the whole range, never -128; the error is that of what is stored', () => {
  const vector = Float32Array.of(-1, 1, 0.5, 0.001, 0);
  const values = new Int8Array(7);
  const { scale, error } = quantizeRow(vector, values, 2);
  const levels = levelsOf(values).slice(2);
  expect(levels).toEqual([-127, 127, 64, 0, 0]);
  expect([...values.subarray(0, 2)]).toEqual([0, 0]);
  const distance = Math.hypot(...vector.map((value, at) => value - scale * levels[at]!));
  expect(error).toBeGreaterThanOrEqual(distance);
  expect(error).toBeLessThan(distance * 1.00001);
});
