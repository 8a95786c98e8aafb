import { expect, test } from 'vitest';
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
