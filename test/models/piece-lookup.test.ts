import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pieceLookup } from '../../src/models/piece-lookup.js';

const letters = fc.array(fc.constantFrom('a', 'b', '#', 'é', '😀'), { maxLength: 6 }).map((parts) => parts.join(''));

/** By cutting strings, from the longest on. */
function plainLongest(vocabulary: readonly string[], word: string, start: number): number {
  for (let end = word.length; end > start; end--) {
    const row = vocabulary.lastIndexOf((start === 0 ? '' : '##') + word.slice(start, end));
    if (row >= 0) return row;
  }
  return -1;
}

test('property: the longest piece, at the head of a word and inside', () => {
  const piece = fc.tuple(fc.constantFrom('', '##'), letters).map(([mark, text]) => `${mark}${text || 'a'}`);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), letters, (vocabulary, word) => {
      const { longest } = pieceLookup(vocabulary);
      for (let start = 0; start < word.length; start++)
        expect(longest(word, start), `${start}`).toBe(plainLongest(vocabulary, word, start));
    }),
    { numRuns: 1_000 },
  );
});

test('ten thousand pieces are all found, and nothing else is', () => {
  const vocabulary = Array.from({ length: 10_000 }, (_, row) => `p${row.toString(36).padStart(3, '0')}`);
  const { longest } = pieceLookup(vocabulary);
  expect(vocabulary.map((word) => longest(word, 0))).toEqual([...vocabulary.keys()]);
  expect(
    vocabulary.filter((word) => longest(word.slice(1), 0) >= 0 || longest(`${word.slice(0, 3)}-`, 0) >= 0),
  ).toEqual([]);
});
