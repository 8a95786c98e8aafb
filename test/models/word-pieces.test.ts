import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wordPieces } from '../../src/models/word-pieces.js';

const vocabulary = [
  '[UNK]',
  ...['har', '##bour', '##s', 'harbour', 'cafe', 'ete', 'no', '##on', 'a', '##a', 'i', '##σ'],
  ...[
    '.',
    '!',
    '$',
    '+',
    '#',
    '「',
    '」',
    '船',
    '島',
    'に',
    'σ',
    '5',
    '##0',
    '[',
    ']',
    'unk',
    '—',
    '가'.normalize('NFD'),
  ],
];
const { ofText: tokenize } = wordPieces(vocabulary, 0);
const pieces = (text: string): string[] => [...tokenize(text)].map((row) => vocabulary[row]!);

describe('words', () => {
  test.each([
    ['Harbours at NOON', ['harbour', '##s', '[UNK]', 'no', '##on']],
    ['no.harbour!', ['no', '.', 'harbour', '!']],
    ['$50+', ['$', '5', '##0', '+']],
    ['no\tno\nno\rno\u00a0no\u3000no', ['no', 'no', 'no', 'no', 'no', 'no']],
    ['Café, ÉTÉ', ['cafe', '[UNK]', 'ete']],
    ['cafe\u0301', ['cafe']],
    ['no\fno\vno', ['no', 'no', 'no']],
    ['café no\fno\vno', ['cafe', 'no', 'no', 'no']],
    ['no\ufeffon', ['no', '##on']],
    ['no\u200bon no\u00adon no\u0000on', ['no', '##on', 'no', '##on', 'no', '##on']],
    ['「船」島a', ['「', '船', '」', '島', 'a']],
    ['船に', ['船', 'に']],
    ['no—no', ['no', '—', 'no']],
    ['가', ['가'.normalize('NFD')]],
    ['a\ud800a \udc00', ['a', '##a']],
    ['😀', ['[UNK]']],
    ['[UNK]', ['[', 'unk', ']']],
    ['##bour', ['#', '#', '[UNK]']],
    ['', []],
    [' \n ', []],
  ])('%j', (text, expected) => {
    expect(pieces(text)).toEqual(expected);
  });

  test('a word is composed whole or not at all', () => {
    expect(pieces('harbourx')).toEqual(['[UNK]']);
    expect(pieces('xharbour')).toEqual(['[UNK]']);
  });

  test('the longest piece wins', () => {
    expect(pieces('harbour')).toEqual(['harbour']);
    expect(pieces('harsbour')).toEqual(['har', '##s', '##bour']);
  });

  test('a word over 100 units is unknown', () => {
    expect(pieces('a'.repeat(100))).toHaveLength(100);
    expect(pieces('a'.repeat(101))).toEqual(['[UNK]']);
    expect(pieces(`${'a'.repeat(101)} no`)).toEqual(['[UNK]', 'no']);
  });
});

test('property: marks and case do not count, wherever a long text is decomposed', () => {
  const part = fc.constantFrom('harbour', 'CAFÉ', 'cafe\u0301', 'été', '船', '😀', 'no', ' ', '.', 'a\u0323\u0301');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 600 }), (parts) => {
      const text = `é${parts.join('')}`;
      const folded = text
        .normalize('NFD')
        .replace(/[\u0300-\u036f]/g, '')
        .toUpperCase();
      expect(tokenize(text)).toEqual(tokenize(folded));
    }),
    { numRuns: 100 },
  );
});

test('property: rows are of the vocabulary, and what was asked before does not change the answer', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
      const rows = tokenize(text);
      expect(rows.every((row) => row < vocabulary.length)).toBe(true);
      expect(wordPieces(vocabulary, 0).ofText(text)).toEqual(rows);
    }),
    { numRuns: 300 },
  );
});

test('more words than the cache holds', () => {
  const many = Array.from({ length: 120_000 }, (_, i) => `no${'a'.repeat(i % 3)}x${i}`).join(' ');
  expect(tokenize(`${many} harbour`).at(-1)).toBe(vocabulary.indexOf('harbour'));
  expect(pieces('no harbours')).toEqual(['no', 'harbour', '##s']);
});
