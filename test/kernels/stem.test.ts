/// <reference path="../../src/kernels/snowball-stemmers.d.ts" />
import fc from 'fast-check';
import { stem as porter2 } from 'porter2';
import { newStemmer } from 'snowball-stemmers';
import { expect, test } from 'vitest';
import '../../src/kernels/snowball.js';
import { stemmedLanguages, stemmerOf } from '../../src/kernels/stem.js';

test('stems of the published Snowball vocabularies', () => {
  const english = stemmerOf('en')!;
  for (const [word, stem] of [
    ['consistency', 'consist'],
    ['generously', 'generous'],
    ['knightly', 'knight'],
    ['skies', 'sky'],
    ['news', 'news'],
  ] as const)
    expect(english(word)).toEqual([stem]);
});

test.each([
  ['fr', ['élégance', 'elegance', 'élégances', 'elegances']],
  ['es', ['canción', 'cancion', 'canciones']],
  ['pt', ['informação', 'informacao', 'informações', 'informacoes']],
  ['de', ['straßen', 'strassen', 'strasse']],
])('spellings of one noun share a stem (%s)', (language, words) => {
  const stem = stemmerOf(language)!;
  const [first, ...others] = words.map((word) => stem(word));
  expect(first!.filter((term) => others.every((terms) => terms.includes(term)))).not.toEqual([]);
});

test('every listed language has a stemmer, others have none', () => {
  for (const code of stemmedLanguages) expect(stemmerOf(code)!('abc').length).toBeGreaterThan(0);
  for (const code of ['', 'und', 'zh', 'EN', 'constructor', '__proto__']) expect(stemmerOf(code)).toBeUndefined();
});

test('English words have the stems of the Snowball algorithm, however they are put together', () => {
  const endings =
    's es ed ing ly ness ful less ation ational tional ization izer ator alism aliti iviti biliti bli abli ogi li entli ' +
    'ousli enci anci icate ative alize iciti ical ance ence able ible ant ement ment ent ism ate iti ous ive ize ion eed ' +
    "eedly ingly edly ies ied sses us ss y e l ll sion tion er al ic 's '";
  const beginnings =
    'gener commun arsen inn out cann herr earr proc exc succ sk d t idl gentl ugl earl onl singl news howe atlas bias andes';
  const part = fc.oneof(
    fc.constantFrom(...endings.split(' '), ...beginnings.split(' ')),
    fc.string({ unit: fc.constantFrom(..."aeiouybcdghklmnprstwxyz'"), maxLength: 6 }),
    fc.string({ unit: 'grapheme', maxLength: 2 }).map((text) => text.toLowerCase()),
  );
  const word = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
  const snowball = newStemmer('english');
  fc.assert(
    fc.property(word, (text) => porter2(text) === snowball.stem(text)),
    { numRuns: 2_000 },
  );
});
