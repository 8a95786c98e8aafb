const hangul = /\p{Script=Hangul}+/gu;
const han = /\p{Script=Han}/u;
/** A mark on the last syllable of a Hangul run; it is no character of what follows. */
const leadingMarks = /^\p{M}+/u;

/** The segmenter's time grows faster than the length of what it is given. A word across a cut is found by its pairs. */
const segmentedAtOnce = 1_024;

let words: Intl.Segmenter | undefined;

/** Pairs of neighbouring characters, so that every piece of two or more characters is found. */
function pairs(characters: readonly string[]): string[] {
  const result: string[] = [];
  for (let at = 0; at + 1 < characters.length; at++) result.push(`${characters[at]}${characters[at + 1]}`);
  return result;
}

const wholeHangul = /^\p{Script=Hangul}{3,}$/u;

/**
 * Terms as phrases compare them: of a Hangul word the pairs alone. Nearly every noun of a text carries a particle, so that
 * the whole word is another one there.
 */
export function phraseTerms<Term extends string | undefined>(terms: readonly Term[]): Term[] {
  return terms.filter((term, at) => {
    const next = terms[at + 1];
    return !(next?.length === 2 && term?.startsWith(next) && wholeHangul.test(term));
  });
}

function hangulTerms(word: string): string[] {
  const syllables = Array.from(word);
  return syllables.length <= 2 ? [word] : [word, ...pairs(syllables)];
}

/** Words of more than two UTF-16 units by their offset. */
function longWords(characters: readonly string[]): Map<number, string> {
  words ??= new Intl.Segmenter('und', { granularity: 'word' });
  const found = new Map<number, string>();
  let offset = 0;
  for (let at = 0; at < characters.length; at += segmentedAtOnce) {
    const piece = characters.slice(at, at + segmentedAtOnce).join('');
    for (const { segment, index } of words.segment(piece)) if (segment.length > 2) found.set(offset + index, segment);
    offset += piece.length;
  }
  return found;
}

function unspacedTerms(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length === 1) return [run];
  const wordAt = longWords(characters);
  const result: string[] = [];
  let offset = 0;
  characters.forEach((character, at) => {
    const word = wordAt.get(offset);
    const next = characters[at + 1];
    if (word !== undefined) result.push(word);
    if (han.test(character)) result.push(character);
    if (next !== undefined && word !== character + next) result.push(character + next);
    offset += character.length;
  });
  return result;
}

/**
 * Terms of a run without spaces: the words that `Intl.Segmenter` sees, single Han characters, and pairs of characters
 * (Chinese, Japanese, Thai, Lao, Khmer, Burmese). Hangul gives its words whole and in pairs. A piece of two or more
 * characters shares a term with the run, whatever the segmenter makes of it, unless it is one syllable of Hangul beside
 * one letter of another script.
 */
export function segmentRun(run: string): string[] {
  const terms: string[] = [];
  const addUnspaced = (piece: string) => {
    const rest = piece.replace(leadingMarks, '');
    if (rest !== '') for (const term of unspacedTerms(rest)) terms.push(term);
  };
  let end = 0;
  for (const match of run.matchAll(hangul)) {
    addUnspaced(run.slice(end, match.index));
    for (const term of hangulTerms(match[0])) terms.push(term);
    end = match.index + match[0].length;
  }
  addUnspaced(run.slice(end));
  return terms;
}
