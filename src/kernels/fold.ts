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

/** Units normalised at once: to order a run of combining marks takes time quadratic in its length. */
const sliceLength = 1_024;
/** What neither combines with the character before it nor changes place with it (Annex 15), in any form. */
const boundary = /[^\p{M}\u1160-\u11ff\u3130-\u318f\uff9e-\uffdf]/u;

/** As `text.normalize(form)`, but linear: only runs of marks and Hangul letters over 1,024 units are cut inside. */
function normalize(text: string, form: 'NFC' | 'NFD' | 'NFKC'): string {
  if (text.length <= sliceLength) return text.normalize(form);
  let out = '';
  for (let start = 0; start < text.length; ) {
    const end = sliceEnd(text, start + sliceLength);
    out += text.slice(start, end).normalize(form);
    start = end;
  }
  return out;
}

/** The first boundary from `least` on; within another slice's length, so that finding it takes no longer than the rest. */
function sliceEnd(text: string, least: number): number {
  if (least >= text.length) return text.length;
  // Not between the two halves of a surrogate pair.
  const isLow = (at: number) => (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  const from = isLow(least) ? least + 1 : least;
  const ahead = text.slice(from, from + sliceLength).search(boundary);
  if (ahead >= 0) return from + ahead;
  const end = Math.min(text.length, from + sliceLength);
  return end < text.length && isLow(end) ? end + 1 : end;
}

export function isAscii(text: string): boolean {
  return !nonAscii.test(text);
}

/** NFKC (Unicode Standard Annex 15) without characters that are invisible inside a word. */
export function normaliseText(text: string): string {
  if (isAscii(text)) return text;
  return normalize(text, 'NFKC').replace(invisible, '');
}

/** A lower-case word without accents: `Ångström` gives `angstrom`. Letters that are no accented form of another stay. */
export function foldAccents(word: string): string {
  if (isAscii(word)) return word;
  const plain = word.replace(plainLetters, (letter) => letters.get(letter) ?? letter);
  return normalize(normalize(plain, 'NFD').replace(shortI, '\u0439').replace(accents, ''), 'NFC');
}
