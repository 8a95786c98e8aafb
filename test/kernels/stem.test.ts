import { expect, test } from 'vitest';
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
