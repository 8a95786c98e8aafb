import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldAccents, normaliseText } from '../../src/kernels/fold.js';

test('accents go, letters that only look alike stay', () => {
  expect(foldAccents('ångström')).toBe('angstrom');
  expect(foldAccents('straße')).toBe('strasse');
  expect(foldAccents('œuvre łódź søster')).toBe('oeuvre lodz soster');
  expect(foldAccents('ёлка')).toBe('елка');
  expect(foldAccents('йод')).toBe('йод');
  expect(foldAccents('हिन्दी')).toBe('हिन्दी');
});

test('invisible characters inside words go', () => {
  expect(normaliseText('soft\u00adware \ufeffzero\u2060width')).toBe('software zerowidth');
});

test('composed and decomposed spellings fold to the same, and folding again changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const folded = foldAccents(normaliseText(text));
      expect(foldAccents(normaliseText(text.normalize('NFD')))).toBe(folded);
      expect(foldAccents(folded)).toBe(folded);
    }),
  );
});
