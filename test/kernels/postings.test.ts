import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodePostings, encodePostings } from '../../src/kernels/postings.js';

const u32 = (...values: number[]) => Uint32Array.from(values);

test('what is encoded comes back', () => {
  const entry = fc.tuple(fc.nat(0xffff_ffff), fc.integer({ min: 1, max: 0xffff_ffff }));
  fc.assert(
    fc.property(fc.uniqueArray(entry, { selector: ([row]) => row, maxLength: 50 }), (entries) => {
      const sorted = entries.toSorted(([a], [b]) => a - b);
      const rows = Uint32Array.from(sorted, ([row]) => row);
      const frequencies = Uint32Array.from(sorted, ([, frequency]) => frequency);
      expect(decodePostings(encodePostings(rows, frequencies))).toEqual({ rows, frequencies });
    }),
  );
});

test('neighbouring rows that hold a term once take one byte each', () => {
  const rows = Uint32Array.from({ length: 100 }, (_, row) => row);
  expect(encodePostings(rows, new Uint32Array(100).fill(1))).toHaveLength(101);
});

test('lists that break the rules are refused', () => {
  expect(() => encodePostings(u32(2, 1), u32(1, 1))).toThrow(/ascend/);
  expect(() => encodePostings(u32(1, 1), u32(1, 1))).toThrow(/ascend/);
  expect(() => encodePostings(u32(1), u32(0))).toThrow(/at least 1/);
  expect(() => encodePostings(u32(1), u32())).toThrow(/one frequency for each row/);
});

test('arbitrary bytes give a valid list or an error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      try {
        const { rows, frequencies } = decodePostings(bytes);
        expect(decodePostings(encodePostings(rows, frequencies))).toEqual({ rows, frequencies });
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
        expect((error as Error).message).toMatch(/damaged/);
      }
    }),
  );
});

test('a count far beyond the bytes allocates nothing', () => {
  expect(() => decodePostings(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f))).toThrow(/do not fit/);
});
