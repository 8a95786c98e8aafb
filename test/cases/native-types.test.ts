import { expect, test } from 'vitest';
import { createVectorIndex } from '../../src/kernels/vector-index.js';

test('FR-150 dimensions and k that are no numbers are refused where they come in, and numbers are taken', () => {
  const foreign = (value: unknown) => value as number;
  for (const dimensions of [3n, '3', null, undefined])
    expect(() => createVectorIndex(foreign(dimensions))).toThrow(/dimensions must be a positive integer/);
  const index = createVectorIndex(3);
  index.add('a', Float32Array.of(1, 2, 3));
  for (const k of [1n, '1', null, undefined])
    expect(() => index.search(Float32Array.of(1, 2, 3), { k: foreign(k) })).toThrow(/k must be a positive integer/);
  expect(index.search(Float32Array.of(1, 2, 3), { k: 1 }).hits).toHaveLength(1);
});
