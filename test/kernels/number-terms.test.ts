import fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyze, numberTerms } from '../../src/kernels/analyze.js';
import { createTermCache, hashUnit } from '../../src/kernels/term-cache.js';
import { textTerms } from '../../src/kernels/text-terms.js';

const languages = ['', 'en', 'de', 'es', 'fr', 'ru', 'tr'];

/** What decides where words begin, end and hang together, and what changes what is beside it. */
const fragment = fc.oneof(
  fc.constantFrom(
    'harbour',
    'Harbour',
    'SAIL',
    'sails',
    'islands',
    'DNAs',
    'readAllLines',
    'parseXMLFile',
    'aB',
    'A',
    's',
  ),
  fc.constantFrom(
    '1',
    '12',
    '2024-11-05T10:30',
    '2024-11-05T',
    '1,250',
    ',',
    ',5',
    'p<0.05',
    'C++',
    'F#',
    '+',
    '++',
    '#',
  ),
  fc.constantFrom(
    "'",
    '\u2019',
    "'s",
    "n't",
    '-',
    '--',
    '____',
    '_',
    '.',
    '...',
    '/',
    '\\',
    ':',
    '::',
    '@',
    '&',
    '=',
    '~',
  ),
  fc.constantFrom(
    ' ',
    '\n',
    '\r\n',
    '\t',
    '\v',
    '\f',
    '\u00a0',
    '\u3000',
    '\ufeff',
    '\u200b',
    '\u0000',
    '\u001f',
    '\u0085',
  ),
  fc.constantFrom(
    '!',
    '"',
    '$',
    '%',
    '(',
    ')',
    '*',
    ';',
    '<',
    '=',
    '>',
    '?',
    '[',
    ']',
    '^',
    '`',
    '{',
    '|',
    '}',
    '\u007f',
  ),
  fc.constantFrom(
    'é',
    'É',
    'ß',
    'İ',
    'ı',
    'ﬁ',
    'Ⅻ',
    '１',
    'µ',
    '½',
    '²',
    '§',
    '±',
    '–',
    '…',
    '·',
    '\u00b4',
    '\u037a',
    '\ufdfa',
  ),
  fc.constantFrom(
    '\u0301',
    '\u0338',
    '\u0345',
    '\u20e3',
    '\ufe0f',
    '\u200d',
    '\u00ad',
    '\u0640',
    '\ud800',
    '\udc00',
    'ﾞ',
  ),
  fc.constantFrom('море', 'Остров', 'θάλασσα', '港', '港口へ', 'ทะเล', '바다', '바', 'ကမ်း', '👍🏽', '👩‍🚀', '🇫🇷', '𝐀'),
  fc.string({ unit: 'grapheme-ascii', maxLength: 8 }),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const text = fc.array(fragment, { maxLength: 30 }).map((fragments) => fragments.join(''));

test('looks up what the tokeniser would find, in every language', () => {
  fc.assert(
    fc.property(text, fc.constantFrom(...languages), (given, language) => {
      const expected = textTerms(given, language);
      // What is new, and what is known.
      expect(analyze(given, language)).toEqual(expected);
      expect(analyze(given, language)).toEqual(expected);
      const { vocabulary, numbers } = numberTerms(given, language);
      expect(Array.from(numbers, (number) => vocabulary[number])).toEqual(expected);
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  ['a long word', `${'ab'.repeat(30)} ${'ab'.repeat(30)}C`],
  ['a word as long as a key', `${'a'.repeat(39)} ${'a'.repeat(40)} ${'a'.repeat(41)}`],
  ['a long compound', `${'ab-'.repeat(200)}c`],
  ['a long piece with accents', `x${'é'.repeat(50)} y`],
  ['a run of marks that is cut', `a ${'b\u0301\u0323'.repeat(2)}${'\u0323\u0301'.repeat(3_000)} c`],
  ['terms without number', '\ufdfa'.repeat(40)],
  ['many terms in few characters', 'aB'.repeat(20)],
])('%s', (_, given) => {
  for (const language of languages) expect(analyze(given, language)).toEqual(textTerms(given, language));
});

test('an unknown language is not stemmed, whatever its name', () => {
  for (const language of ['tlh', 'constructor', '__proto__', 'EN'])
    expect(analyze('Sails', language)).toEqual(['sails']);
});

test('more words than there is room for change no result, and numbers say when they begin anew', () => {
  const words = Array.from({ length: 150_000 }, (_, at) => `word${at}`);
  const before = numberTerms('harbour', '').vocabulary;
  expect(analyze(words.join(' '))).toEqual(words);
  expect(analyze(words.join(' '))).toEqual(words);
  const after = numberTerms('harbour', '');
  expect(after.vocabulary).not.toBe(before);
  expect(after.vocabulary.length).toBeLessThan(1_000);
  expect(after.vocabulary[after.numbers[0]!]).toBe('harbour');
});

test('keys of one hash are told apart by their units and their language', () => {
  const cache = createTermCache();
  cache.begin();
  const put = (text: string) => {
    for (let at = 0; at < text.length; at++) cache.key[at] = text.charCodeAt(at);
  };
  const added = [
    ['ab', 1],
    ['ac', 1],
    ['ab', 2],
    ['abc', 1],
  ] as const;
  const terms = added.map(([text, language]) => {
    put(text);
    expect(cache.find(text.length, 7, language)).toBe(-1);
    const term = `${text} ${language}`;
    expect(cache.keyText(text.length)).toBe(text);
    expect(cache.add(text.length, 7, language, [term])).toBeGreaterThanOrEqual(0);
    return cache.number(term);
  });
  const found = added.map(([text, language]) => {
    put(text);
    const numbers = new Uint32Array(300);
    expect(cache.copy(cache.find(text.length, 7, language), numbers, 0)).toBe(1);
    return numbers[0];
  });
  expect(found).toEqual(terms);
  expect(cache.find(2, hashUnit(7, 1), 1)).toBe(-1);
});
