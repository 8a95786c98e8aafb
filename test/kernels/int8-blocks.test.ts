import { expect, test } from 'vitest';
import { blockRows, createInt8Blocks, type Int8Blocks, type ScanRange } from '../../src/kernels/int8-blocks.js';
import { bytes } from '../../src/kernels/int8-scan.wasm.js';
import { quantizeQuery, quantizeRow } from '../../src/kernels/quantize.js';
import { unitVector } from '../../src/kernels/vectors.js';
import { compileKernel } from '../../src/kernels/wasm-kernel.js';
import { withoutCompiler } from '../models/web-assembly.js';
import { random, vectorsOf } from './vector-shapes.js';

const stride = 64;
const inOneMemory = (blocks: Int8Blocks) => {
  blocks.add();
  blocks.add();
  return blocks.block(0).values.buffer === blocks.block(1).values.buffer;
};

// First of all, as what was compiled is kept.
test('where WebAssembly may not be compiled JavaScript takes over, and a compiled kernel is taken', () => {
  expect(inOneMemory(withoutCompiler(() => createInt8Blocks(stride)))).toBe(false);
  const kernel = compileKernel(bytes)!;
  expect(inOneMemory(withoutCompiler(() => createInt8Blocks(stride, kernel)))).toBe(true);
  expect(inOneMemory(createInt8Blocks(stride))).toBe(true);
  expect(inOneMemory(createInt8Blocks(stride, false))).toBe(false);
});

function fill(blocks: Int8Blocks, count: number): Int8Blocks {
  const next = random(3);
  for (let block = 0; block < count; block++) {
    blocks.add();
    const { values, scales, errors } = blocks.block(block);
    vectorsOf('unit', blockRows, stride, next).forEach((vector, row) => {
      const { scale, error } = quantizeRow(unitVector(vector), values, row * stride);
      scales[row] = scale;
      errors[row] = error;
    });
  }
  blocks.setQuery(5, quantizeQuery(unitVector(vectorsOf('unit', 1, stride, next)[0]!)));
  return blocks;
}

const mask = Uint8Array.from({ length: blockRows }, (_, row) => (row % 5 === 0 ? 0 : 1 + (row % 2)));
type Found = readonly (readonly [row: number, lower: number, upper: number])[];

function foundIn(blocks: Int8Blocks, block: number, asked: Partial<ScanRange>): Found {
  const count = blocks.scan(block, 5, { from: 6, to: 1_000, mask, top: -2, least: -2, ...asked });
  const numbers = [...blocks.found.subarray(0, 3 * count)];
  const found = Array.from({ length: count }, (_, at) => numbers.slice(3 * at, 3 * at + 3) as [number, number, number]);
  return found.sort((a, b) => a[0] - b[0]);
}

test('the kernel and JavaScript find the same rows with the same bounds, whatever is asked', () => {
  const [kernel, plain] = [fill(createInt8Blocks(stride), 2), fill(createInt8Blocks(stride, false), 2)];
  const ranges = [
    [0, 1],
    [7, 9],
    [6, 999],
    [0, 1_024],
  ].map(([from, to]) => ({ from: from!, to: to! }));
  const lone = Uint8Array.from({ length: blockRows }, (_, row) => (row === 8 ? 1 : 0));
  for (const [top, least] of [
    [-2, -2],
    [0.2, -0.25],
    [0.3, -9],
    [9, -0.1],
    [9, -9],
  ] as const)
    for (const range of ranges)
      for (const marks of [mask, lone, new Uint8Array(blockRows), undefined]) {
        const asked = { ...range, mask: marks, top, least };
        const found = foundIn(kernel, 1, asked);
        expect(found).toEqual(foundIn(plain, 1, asked));
        const all = foundIn(plain, 1, { ...asked, top: -2 });
        expect(all.map(([row]) => row)).toEqual(
          Array.from({ length: range.to - range.from }, (_, at) => range.from + at).filter((row) => marks?.[row] !== 0),
        );
        expect(found).toEqual(all.filter(([, lower, upper]) => upper >= top || lower <= least));
      }
});

test('blocks that the memory has no room for are kept elsewhere', () => {
  const assembly = Reflect.get(globalThis, 'WebAssembly') as { Memory: new (limits: { initial: number }) => object };
  const { Memory } = assembly;
  assembly.Memory = class extends Memory {
    constructor({ initial }: { initial: number }) {
      super({ initial, maximum: initial + 3 } as { initial: number });
    }
  };
  try {
    const blocks = fill(createInt8Blocks(stride), 5);
    expect(blocks.block(0).values.buffer).toBe(blocks.block(1).values.buffer);
    expect(blocks.block(3).values.buffer).not.toBe(blocks.block(4).values.buffer);
    const plain = fill(createInt8Blocks(stride, false), 5);
    for (const block of [4, 0, 3, 1, 2])
      expect(foundIn(blocks, block, { top: 0.2, least: -0.2 })).toEqual(
        foundIn(plain, block, { top: 0.2, least: -0.2 }),
      );
  } finally {
    assembly.Memory = Memory;
  }
});
