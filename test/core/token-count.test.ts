import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunkText } from '../../src/core/chunk.js';
import { type CountTokens, checkedCount, estimateTokens, tokenWeight } from '../../src/core/token-count.js';

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

describe('a counter whose answer can not be true', () => {
  const answers: [string, () => unknown][] = [
    ['NaN', () => Number.NaN],
    ['Infinity', () => Number.POSITIVE_INFINITY],
    ['-5', () => -5],
    ['1000000000000', () => 1e12],
    ['undefined', () => undefined],
    ['null', () => null],
    ['a value of type string', () => '5'],
    ['a value of type bigint', () => 5n],
    ['a promise', async () => 5],
    ['a promise', () => Promise.reject(new Error('no'))],
  ];
  const text = 'The harbour lies north. The ferry leaves at noon. '.repeat(40);

  test.each(answers)('is told of: %s', (said, answer) => {
    // As callers without types may write it.
    const count = answer as CountTokens;
    const lateCount = (part: string) => (part === '' ? 2 : count(part));
    for (const wrong of [count, lateCount])
      for (const limit of [undefined, 64])
        expect(() => chunkText(text, undefined, { count: wrong, ...(limit && { limit }) })).toThrow(
          expect.objectContaining({
            code: 'provider_failed',
            fatal: true,
            message: expect.stringContaining(`The token counter answered ${said} for a text of `),
          }),
        );
  });

  test('one that throws is named as the one that failed, its error the cause', () => {
    const cause = new Error('no vocabulary');
    const count = () => {
      throw cause;
    };
    expect(() => chunkText(text, undefined, { count })).toThrow(
      expect.objectContaining({ code: 'provider_failed', message: expect.stringContaining('no vocabulary'), cause }),
    );
  });

  test('is not suspected for what tokenizers do: fractions, none, many for one character', () => {
    expect(checkedCount(() => 0.5)('a')).toBe(0.5);
    expect(checkedCount(() => 0)('a')).toBe(0);
    expect(checkedCount((part) => new TextEncoder().encode(part.normalize('NFKC')).length)('\ufdfa')).toBe(33);
  });
});
