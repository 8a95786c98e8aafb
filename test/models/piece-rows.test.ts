import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pieceWriter } from '../../src/models/piece-rows.js';
import { wordPieces } from '../../src/models/word-pieces.js';

const vocabulary = ['[UNK]', 'har', '##bour', '##s', 'cafe', 'a', '##a', 'b', '##b', 'i', '##σ', 'σ', '.', '5', '##0'];
const pieces = wordPieces([...vocabulary, "'", '船', '-', 'noon', 'x'.repeat(20), 'y'.repeat(21)], 0);
const write = pieceWriter(pieces);

/** Everything that was handed over, with room for so many rows. */
function written(text: string, room = 16, writer = write): number[] {
  const rows = new Uint32Array(room);
  const all: number[] = [];
  writer(text, rows, (count) => {
    expect(count).toBeLessThanOrEqual(room);
    all.push(...rows.subarray(0, count));
  });
  return all;
}

const part = fc.oneof(
  fc.constantFrom('Harbours', 'harbour', 'HAR', 'noon', 'AB', 'ab.', '5.000', 'a'.repeat(11), 'A'.repeat(12), '[UNK]'),
  fc.constantFrom('x'.repeat(20), 'X'.repeat(21), 'y'.repeat(21), 'ab'.repeat(50), 'ab'.repeat(60), 'zz9'),
  fc.constantFrom(
    'café',
    '船',
    'Σ',
    'ΑΣ',
    "'",
    '\u0301',
    '\ufeff',
    '\u00a0',
    '\u0000',
    '\u007f',
    '\x1c',
    '\u0085',
    'ﬀ',
    'İ',
  ),
  fc.constantFrom(' ', '\n', '\t', '\r\n', '\v', '\f', '\u2028', '\u3000', '\ud83d', '\udc00', '🙂', '-', '~'),
  fc.string({ unit: 'binary', maxLength: 5 }),
  fc.string({ maxLength: 8 }),
);

describe('the same pieces as the tokenizer makes', () => {
  test('property: of any text, whatever was asked before and however few rows there is room for', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), fc.integer({ min: 16, max: 40 }), (parts, room) => {
        const text = parts.join('');
        expect(written(text, room)).toEqual([...pieces.ofText(text)]);
      }),
      { numRuns: 3_000 },
    );
  });

  test('every character of the basic plane, alone and in a word', () => {
    for (let code = 0; code < 65_536; code++) {
      const text = `${String.fromCharCode(code)} a${String.fromCharCode(code)}b`;
      if (written(text).join() !== pieces.ofText(text).join())
        expect(written(text), `U+${code.toString(16)}`).toEqual([...pieces.ofText(text)]);
    }
  });

  test('more words than are remembered, twice', () => {
    const pairs = Array.from({ length: 64 }, (_, n) => n.toString(8).padStart(2, '0'));
    const many = wordPieces(['[UNK]', ...pairs, ...pairs.map((pair) => `##${pair}`)], 0);
    const writer = pieceWriter(many);
    const text = Array.from({ length: 150_000 }, (_, n) => n.toString(8).padStart(6, '0')).join(' ');
    const expected = many.ofText(text).join();
    for (let round = 0; round < 2; round++) expect(written(text, 4_096, writer).join() === expected).toBe(true);
  });
});

test('nothing is written of nothing', () => {
  expect(written('')).toEqual([]);
  expect(written(' \n\u200b')).toEqual([]);
});

test('a vocabulary without marks: they are unknown, blanks are nothing', () => {
  const writer = pieceWriter(wordPieces(['a', 'unknown'], 1));
  expect(written('a. a\t-', 16, writer)).toEqual([0, 1, 0, 1]);
});
