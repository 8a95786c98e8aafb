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

test('a run of marks without end takes no time without end', () => {
  // Above and below in turn: ordering them in one piece takes minutes.
  for (const marks of ['\u0301\u0323', '\u1dce\u1dc2', '\uff9e\u0323']) {
    const word = `a${marks.repeat(400_000)}`;
    expect(foldAccents(normaliseText(word))).toMatch(/^a/);
  }
});

test('texts longer than a slice are normalised as in one piece', () => {
  for (const unit of [
    'a\u0323\u0301',
    '\u1100\u1161\u11a8',
    '\uff76\uff9e',
    '\u3131\u314f ',
    '\u{1d15e}',
    '\u4e00',
    '\u0915\u093c',
  ]) {
    for (const shift of ['', 'x', 'xy', '\u{1f6f6}']) {
      const text = shift + unit.repeat(3_000);
      // Not toBe: it would print both.
      expect(normaliseText(text) === text.normalize('NFKC'), unit).toBe(true);
    }
  }
});
