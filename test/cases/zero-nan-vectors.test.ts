import { expect, test } from 'vitest';
import { mmr } from '../../src/core/mmr.js';
import { createVectorIndex } from '../../src/kernels/vector-index.js';

test('FR-113 a vector that holds NaN is refused with the id it came under, and changes nothing', () => {
  const index = createVectorIndex(3);
  index.add('kept', Float32Array.of(1, 0, 0));
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    const vector = Float32Array.of(0, bad, 1);
    expect(() => index.add('harbour.md#4', vector)).toThrow(/"harbour\.md#4" holds .+ at position 1/);
    expect(() => index.add('kept', vector)).toThrow(/"kept"/);
    expect(() => index.search(vector, { k: 1 })).toThrow(/query vector/);
  }
  expect(index.search(Float32Array.of(2, 0, 0), { k: 9 }).hits).toEqual([{ id: 'kept', score: 1 }]);
});

test('FR-113 should one come by another way, diversifying refuses it by its id instead of picking by chance', () => {
  const candidates = [
    { id: 'kept', score: 0.9, vector: Float32Array.of(1, 0) },
    { id: 'harbour.md#4', score: 0.8, vector: Float32Array.of(Number.NaN, 1) },
  ];
  expect(() => mmr(candidates)).toThrow(/"harbour\.md#4" holds a value that is not a finite number/);
});
