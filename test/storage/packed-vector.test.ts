import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packVector, unpackVector } from '../../src/storage/packed-vector.js';

const bitsOf = (vector: Float32Array) => [...new Uint32Array(vector.buffer, vector.byteOffset, vector.length)];

test('numbers of like size take seven eighths, and come back bit by bit', () => {
  const vector = Float32Array.from({ length: 256 }, (_, at) => Math.sin(at + 1) / 16);
  const packed = packVector(vector);
  expect(packed.length).toBe(1 + 128 + 3 * 256);
  expect(unpackVector(packed, 256)).toEqual(vector);
});

test('zeros, negative zeros, the smallest and the largest numbers keep their bits, wherever the vector lies', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.float({ noNaN: true, noDefaultInfinity: true }),
          fc.constant(-0),
          fc.float({ min: -1, max: 1, noNaN: true }),
        ),
        { maxLength: 70 },
      ),
      fc.nat(3),
      (values, before) => {
        const vector = Float32Array.from([...Array(before).fill(1), ...values]).subarray(before);
        const packed = packVector(vector);
        expect(packed.length).toBeLessThanOrEqual(vector.byteLength);
        // As SQLite gives it: anywhere in a buffer.
        const moved = Uint8Array.from([0, ...packed]).subarray(1);
        expect(bitsOf(unpackVector(moved, vector.length)!)).toEqual(bitsOf(vector));
      },
    ),
  );
});

test('bytes of another length are no vector, nor are those with an exponent below 0', () => {
  const packed = packVector(Float32Array.from({ length: 32 }, (_, at) => (at === 7 ? 1e-30 : 1 / (at + 1))));
  expect(packed.length).toBe(1 + 16 + 96 + 1);
  for (let length = 0; length < packed.length; length++)
    expect(unpackVector(packed.subarray(0, length), 32), `${length} bytes`).toBeUndefined();
  expect(unpackVector(Uint8Array.from([...packed, 0]), 32)).toBeUndefined();
  expect(unpackVector(packed, 31)).toBeUndefined();
  expect(unpackVector(packed.with(0, 1), 32)).toBeUndefined();
});
