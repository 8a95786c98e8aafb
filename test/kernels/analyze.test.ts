import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyze } from '../../src/kernels/analyze.js';
import { stemmedLanguages } from '../../src/kernels/stem.js';

describe('words', () => {
  test('are lower-cased, folded and stemmed in the language, and keep their order', () => {
    expect(analyze('Running DOGS barked', 'en')).toEqual(['run', 'dog', 'bark']);
    expect(analyze('Running DOGS barked')).toEqual(['running', 'dogs', 'barked']);
    expect(analyze('Running', 'tlh')).toEqual(['running']);
  });

  test('stop words stay in the index', () => {
    expect(analyze('to be or not', 'en')).toEqual(['to', 'be', 'or', 'not']);
  });

  test('contractions hang on their word', () => {
    expect(analyze('the boat’s sail', 'en')).toEqual(['the', 'boat', 'sail']);
    expect(analyze("don't they'll", 'en')).toEqual(['dont', 'they']);
    expect(analyze('l’arbre', 'fr')).toEqual(['l', 'arbre'].map((word) => analyze(word, 'fr')[0]));
  });

  test('compatibility forms meet the plain ones', () => {
    expect(analyze('ﬁne Ⅻ １２')).toEqual(['fine', 'xii', '12']);
  });

  test('a very long word is cut', () => {
    expect(analyze('x'.repeat(5_000))).toEqual(['x'.repeat(128)]);
  });
});

describe('identifiers', () => {
  test.each([
    ['std::vector', ['std', 'vector', 'stdvector']],
    ['readAllLines', ['read', 'all', 'lines', 'readalllines']],
    ['parseXMLFile', ['parse', 'xml', 'file', 'parsexmlfile']],
    ['max_open_files', ['max', 'open', 'files', 'maxopenfiles']],
    ['12.207', ['12', '207', '12.207']],
    ['2024-11-05', ['2024', '11', '05', '2024-11-05']],
    ['1,250', ['1', '250', '1250']],
    ['@scope/name', ['scope', 'name', 'scopename']],
    ['--dry-run', ['dry', 'run', 'dryrun']],
    ['/etc/app/main.conf', ['etc', 'app', 'main', 'conf', 'mainconf', 'etcappmainconf']],
    ['C++', ['c', 'c++']],
    ['F#', ['f', 'f#']],
  ])('%s has its parts and itself', (text, terms) => {
    expect(analyze(text)).toEqual(terms);
  });

  test('one name in four spellings has one joined form', () => {
    for (const spelling of ['wi-fi', 'wi_fi', 'wiFi', 'wifi', 'WIFI']) expect(analyze(spelling)).toContain('wifi');
  });

  test('the day of a time stamp is a term', () => {
    expect(analyze('2024-11-05T10:30:00Z')).toContain('2024-11-05');
  });
});

test('text without anything to search for has no term', () => {
  for (const text of ['', '   \n', '- ! ?', '\u200b', '…—«»']) expect(analyze(text, 'en')).toEqual([]);
});

test('the same text has the same terms, cached or not, in every language', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.constantFrom(...stemmedLanguages, ''),
      (text, code) => {
        expect(analyze(text, code)).toEqual(analyze(text, code));
      },
    ),
  );
});

test('terms of a text are those of its pieces between white space', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 8 }), (pieces) => {
      expect(analyze(pieces.join(' '), 'en')).toEqual(pieces.flatMap((piece) => analyze(piece, 'en')));
    }),
  );
});

test('long hostile input comes to an end, with a few terms for each character', () => {
  const terms = ['a-', 'aB', "a'", '日', '👍🏽', '.', 'a\u0301', '__', 'a,1'].map(
    (unit) => [unit, analyze(unit.repeat(100_000), 'en').length / 100_000] as const,
  );
  for (const [unit, each] of terms) expect(each, unit).toBeLessThanOrEqual(3);
  expect(Object.fromEntries(terms)).toMatchObject({ '.': 0, __: 0 });
});
