import fc from 'fast-check';
import { expect, test } from 'vitest';
import { estimateTokens, tokenWeight } from '../../src/core/token-count.js';

test.each([
  ['', 0],
  ['four', 1],
  ['12, 34', 2.75],
  ['море', 2],
  ['漢字', 2.5],
  ['naïve', 2],
  ['🙂', 3],
])('the estimate for %j is %d', (text, tokens) => expect(estimateTokens(text)).toBe(tokens));

test('the estimate of a text is the sum of those of its parts', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (a, b) => {
      expect(estimateTokens(a + b)).toBe(estimateTokens(a) + estimateTokens(b));
    }),
  );
});

test('what is added to every text does not count, and no text counts nothing', () => {
  const weigh = tokenWeight((text) => text.length + 2);
  expect(weigh('abc')).toBe(3);
  expect(tokenWeight(() => 1)('x'.repeat(800))).toBe(100);
  expect(tokenWeight(() => 1)('漢'.repeat(8))).toBe(5);
});
