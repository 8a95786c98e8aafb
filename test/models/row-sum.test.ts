import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileKernel, kernelRowSum, plainRowSum, type RowSum, rowSum } from '../../src/models/row-sum.js';
import { readStaticTable, type StaticTable } from '../../src/models/static-table.js';
import { smallTable, tableBytes } from './static-bytes.js';
import { webAssembly, withoutCompiler } from './web-assembly.js';

const kernel = compileKernel()!;
const small = readStaticTable(tableBytes(smallTable));

function sumOf(sums: RowSum, ...slices: readonly (readonly number[])[]): Float32Array {
  sums.sum.fill(0);
  for (const rows of slices) {
    sums.rows.set(rows);
    sums.add(rows.length);
  }
  return sums.sum.slice();
}
const bits = (sum: Float32Array): Uint32Array => new Uint32Array(sum.buffer);

const tables = fc
  .tuple(
    fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constantFrom(256, 1_000, 4_096)),
    fc.integer({ min: 1, max: 20 }),
  )
  .chain(([dimensions, rows]) =>
    fc
      .record({
        scales: fc.float32Array({
          minLength: rows,
          maxLength: rows,
          noNaN: true,
          noDefaultInfinity: true,
          max: 2 ** 100,
          min: -(2 ** 100),
        }),
        values: fc.int8Array({ minLength: dimensions * rows, maxLength: dimensions * rows }),
      })
      .map(({ scales, values }): StaticTable => {
        return { dimensions, rows, unknown: 0, scales, values, vocabulary: [] };
      }),
  );

describe('the kernel and JavaScript', () => {
  test('property: the same bits for every number of dimensions, in one go or in slices', () => {
    fc.assert(
      fc.property(tables, fc.array(fc.nat(), { maxLength: 300 }), fc.nat(300), (table, numbers, cut) => {
        const rows = numbers.map((number) => number % table.rows);
        const expected = bits(sumOf(plainRowSum(table), rows));
        const sums = kernelRowSum(table, kernel)!;
        expect(bits(sumOf(sums, rows))).toEqual(expected);
        expect(bits(sumOf(sums, rows.slice(0, cut), rows.slice(cut)))).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  test('products and sums are rounded to float32 one by one, in order', () => {
    const table = { ...small, dimensions: 1, scales: Float32Array.of(2 ** 24, 1, 0.1), values: Int8Array.of(1, 1, 3) };
    const [product] = Float32Array.of(Math.fround(0.1) * 3);
    for (const sums of [plainRowSum(table), kernelRowSum(table, kernel)!]) {
      // 2^24 + 1 is not a float32, and 1 + 1 + 2^24 is.
      expect(sumOf(sums, [0, 1, 1])).toEqual(Float32Array.of(2 ** 24));
      expect(sumOf(sums, [1, 1, 0])).toEqual(Float32Array.of(2 ** 24 + 2));
      expect(sumOf(sums, [2])).toEqual(Float32Array.of(product!));
    }
  });

  test('as many rows at once as there is room for, and the last row of the table', () => {
    for (const sums of [plainRowSum(small), kernelRowSum(small, kernel)!]) {
      expect(sumOf(sums, new Array<number>(sums.rows.length).fill(5))).toEqual(
        new Float32Array(2).fill(100 * sums.rows.length),
      );
      expect(sumOf(sums, [])).toEqual(new Float32Array(2));
    }
  });
});

test('where WebAssembly may not be compiled JavaScript takes over, and a compiled kernel is taken', () => {
  // The kernel's rows lie in its memory, behind the table.
  const [without, given] = withoutCompiler(() => [rowSum(small), rowSum(small, kernel)]);
  expect(without!.rows.byteOffset).toBe(0);
  expect(given!.rows.byteOffset).toBeGreaterThan(0);
  expect(rowSum(small).rows.byteOffset).toBeGreaterThan(0);
});

test('a module that is not the kernel is refused', () => {
  const empty = new webAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
  for (const wrong of [empty, {}, 'row-sum.wasm' as unknown as object])
    expect(() => rowSum(small, wrong)).toThrow(expect.objectContaining({ code: 'bad_argument' }));
});
