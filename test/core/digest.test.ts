import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digester, nativeDigester, plainDigester } from '../../src/core/digest.js';

test('SHA-256 of the words of FIPS 180-2', () => {
  expect(digester('a')('bc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(digester('', 4)('')).toBe('e3b0c442');
});

test('Node and JavaScript give the same, also of broken surrogate pairs', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.array(fc.nat(0xffff), { maxLength: 200 }).map((units) => String.fromCharCode(...units)),
      fc.integer({ min: 1, max: 32 }),
      (beginning, text, bytes) => {
        const native = nativeDigester(beginning, bytes);
        expect(native?.(text)).toBe(plainDigester(beginning, bytes)(text));
      },
    ),
  );
});
