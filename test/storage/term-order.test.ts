import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWellFormed } from '../../src/core/well-formed.js';
import { termOrder } from '../../src/storage/term-order.js';

/** Few characters, so that many terms begin alike. */
const unit = fc.constantFrom('a', 'b', '~', '\0', '\x7f', '\u00e9', '\ue000', '\uffff', '\u{1f600}', '\ud800');

test('terms are in the order of their bytes, whatever they begin with', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ unit, maxLength: 7 }), { maxLength: 300, size: 'max' }), (given) => {
      const terms = given.filter(isWellFormed);
      const expected = [...terms].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect([...termOrder(terms)].map((place) => terms[place])).toEqual(expected);
    }),
  );
});

test('no term and one term are in order', () => {
  expect(termOrder([])).toEqual(Uint32Array.of());
  expect(termOrder(['x'])).toEqual(Uint32Array.of(0));
});
