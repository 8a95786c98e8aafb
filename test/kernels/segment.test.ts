import fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyze } from '../../src/kernels/analyze.js';
import { segmentRun } from '../../src/kernels/segment.js';

test('Han characters alone and in pairs', () => {
  expect(segmentRun('山')).toEqual(['山']);
  expect(segmentRun('山川')).toEqual(expect.arrayContaining(['山', '山川', '川']));
});

test('Hangul words whole and in pairs', () => {
  expect(segmentRun('도서관에서')).toEqual(['도서관에서', '도서', '서관', '관에', '에서']);
});

test('what stands between spaces and Latin words is cut apart', () => {
  expect(analyze('Tokyo東京タワー2024')).toEqual(expect.arrayContaining(['tokyo', '東京', 'タワ', '2024']));
});

test('a mark on a syllable does not swallow what follows', () => {
  expect(segmentRun('한국\u0323山川')).toEqual(expect.arrayContaining(['한국', '山川']));
});

const alphabets = ['春夏秋冬山川木金土日本語ひらがなカタカナ', 'กขคงจฉลมยน', '한국어도서관에서', '春夏秋冬한국어도'];

test.each(alphabets)('every piece of two or more characters of %s shares a term with its text', (alphabet) => {
  const letter = fc.constantFrom(...alphabet);
  fc.assert(
    fc.property(fc.array(letter, { minLength: 2, maxLength: 30 }), fc.nat(), fc.nat(), (run, a, b) => {
      const start = a % (run.length - 1);
      const end = start + 2 + (b % (run.length - start - 1));
      const text = new Set(analyze(run.join('')));
      expect(analyze(run.slice(start, end).join('')).some((term) => text.has(term))).toBe(true);
    }),
  );
});
