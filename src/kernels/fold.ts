/** Characters that are invisible inside a word: soft hyphen, zero-width non-joiner, word joiner, byte order mark. */
const invisible = /[\u00ad\u200c\u2060\ufeff\u0640]/g;
const nonAscii = /[^\0-\x7f]/;
/** Latin, Greek and Cyrillic accents, Hebrew points, Arabic vowel signs. Vowel signs of Indic and Thai script are letters. */
const accents = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g;
/** Cyrillic short i is a letter of its own although it decomposes. */
const shortI = /\u0438\u0306/g;
const letters = new Map([
  ['\u00df', 'ss'],
  ['\u00e6', 'ae'],
  ['\u0153', 'oe'],
  ['\u00f8', 'o'],
  ['\u0111', 'd'],
  ['\u00f0', 'd'],
  ['\u0142', 'l'],
  ['\u00fe', 'th'],
  ['\u0131', 'i'],
  ['\u0127', 'h'],
  ['\u03c2', '\u03c3'],
  ['\u200d', ''],
]);
const plainLetters = new RegExp(`[${[...letters.keys()].join('')}]`, 'g');

export function isAscii(text: string): boolean {
  return !nonAscii.test(text);
}

/** NFKC (Unicode Standard Annex 15) without characters that are invisible inside a word. */
export function normaliseText(text: string): string {
  if (isAscii(text)) return text;
  return text.normalize('NFKC').replace(invisible, '');
}

/** A lower-case word without accents: `Ångström` gives `angstrom`. Letters that are no accented form of another stay. */
export function foldAccents(word: string): string {
  if (isAscii(word)) return word;
  return word
    .replace(plainLetters, (letter) => letters.get(letter) ?? letter)
    .normalize('NFD')
    .replace(shortI, '\u0439')
    .replace(accents, '')
    .normalize('NFC');
}
