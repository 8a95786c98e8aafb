import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asciiPieces } from '../../src/kernels/ascii-compound.js';
import { tokenize } from '../../src/kernels/tokenize.js';
import { wordPieces } from '../../src/kernels/word-terms.js';

const word = fc.oneof(
  fc.constantFrom('harbour', 'Pilot', 'SAIL', 'DNAs', 'readAll', 'XMLFile', 'aB', 'ABc', 'x', '12', '1', '3d', 'a1B'),
  fc.string({ unit: fc.constantFrom(...'abABC12'), minLength: 1, maxLength: 6 }),
);
const joint = fc.oneof(
  fc.constantFrom(
    '-',
    '.',
    ':',
    '_',
    '@',
    '&',
    '=',
    '~',
    '+',
    '#',
    '--',
    '._-',
    '-.',
    '----',
    '/',
    '-/',
    '//',
    '\\',
    "'",
    'T',
  ),
  fc.constant(''),
);
const piece = fc
  .array(fc.tuple(word, joint), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.map((pair, at) => (at + 1 < parts.length ? pair.join('') : pair[0])).join(''));

test('a piece has the pieces of its only word', () => {
  fc.assert(
    fc.property(piece, (text) => {
      const pieces = asciiPieces(text);
      if (pieces === undefined) return;
      expect(tokenize(text).map((token) => token.text)).toEqual([text]);
      expect(pieces).toEqual(wordPieces(text, 'en'));
    }),
    { numRuns: 5_000 },
  );
});

test.each([
  ['harbour-pilot', ['harbour', 'pilot', 'harbourpilot']],
  ['readAll_lines', ['read', 'all', 'lines', 'readall', 'readalllines']],
  ['2.5', ['2', '5', '2.5']],
  ['1,250', ['1', '250', '1250']],
  ['DNAs', ['dnas']],
  ['src/read-all.ts', ['src', 'read', 'all', 'ts', 'readallts', 'srcreadallts']],
  ['1/2', ['1', '2', '1/2']],
])('%s', (text, pieces) => {
  expect(asciiPieces(text)).toEqual(pieces);
});

test.each(["l'eau", 'C++', 'F#', 'a-', 'a----b', '2024-11-05T10', 'a b', 'caf\u00e9s', `${'a-'.repeat(48)}b`])(
  '%s is left to the general way',
  (text) => {
    expect(asciiPieces(text)).toBeUndefined();
  },
);
