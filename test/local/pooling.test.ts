import { expect, test } from 'vitest';
import { poolRows } from '../../src/local/pooling.js';

/** Two texts of three places, the second with one token of padding that no pooling may see. */
const states = { data: Float32Array.of(3, 4, 0, 0, 0, 2, 0, 5, 12, 0, 900, 900), dims: [2, 3, 2] };

test('the mean, the first and the last token, brought to length 1', () => {
  const near = (rows: Float32Array[], expected: number[][]) =>
    rows.forEach((row, at) => {
      row.forEach((value, i) => {
        expect(value).toBeCloseTo(expected[at]![i]!, 6);
      });
    });
  const first = Math.hypot(3, 6);
  near(poolRows(states, [3, 2], 'mean'), [
    [3 / first, 6 / first],
    [12 / 13, 5 / 13],
  ]);
  near(poolRows(states, [3, 2], 'cls'), [
    [0.6, 0.8],
    [0, 1],
  ]);
  near(poolRows(states, [3, 2], 'last'), [
    [0, 1],
    [1, 0],
  ]);
});

test('tokens that cancel out give the zero vector', () => {
  expect(poolRows({ data: Float32Array.of(1, -1), dims: [1, 2, 1] }, [2], 'mean')).toEqual([new Float32Array(1)]);
});

test('what has another shape is no answer of a sentence encoder', () => {
  for (const { dims, data } of [
    { dims: [2, 6], data: states.data },
    { dims: [1, 3, 2], data: states.data },
    { dims: [2, 3, 2], data: new Float32Array(11) },
  ])
    expect(() => poolRows({ data, dims }, [3, 2], 'mean')).toThrowError(
      expect.objectContaining({ code: 'provider_failed', fatal: true }),
    );
});
