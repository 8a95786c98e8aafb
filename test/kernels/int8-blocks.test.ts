import { expect, test } from 'vitest';
import { blockRows, compileKernel, createInt8Blocks, type Int8Blocks } from '../../src/kernels/int8-blocks.js';
import { quantizeQuery, quantizeRow } from '../../src/kernels/quantize.js';
import { unitVector } from '../../src/kernels/vectors.js';
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
  const kernel = compileKernel()!;
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
const foundIn = (blocks: Int8Blocks, block: number, top: number, least: number) => {
  const count = blocks.scan(block, 5, { from: 6, to: 1_000, mask, top, least });
  return [...blocks.found.subarray(0, 2 * count)];
};

test('the kernel and JavaScript find the same rows, whatever is asked', () => {
  const [kernel, plain] = [fill(createInt8Blocks(stride), 2), fill(createInt8Blocks(stride, false), 2)];
  for (const [top, least] of [
    [-2, -2],
    [0.2, -0.25],
    [0.3, -9],
    [9, -0.1],
    [9, -9],
  ] as const) {
    const found = foundIn(kernel, 1, top, least);
    expect(found).toEqual(foundIn(plain, 1, top, least));
    expect(found.every((value, at) => at % 2 === 1 || mask[6 + value] !== 0)).toBe(true);
  }
  expect(foundIn(kernel, 1, -2, -2)).toHaveLength(2 * mask.subarray(6, 1_000).filter((bit) => bit > 0).length);
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
      expect(foundIn(blocks, block, 0.2, -0.2)).toEqual(foundIn(plain, block, 0.2, -0.2));
  } finally {
    assembly.Memory = Memory;
  }
});
