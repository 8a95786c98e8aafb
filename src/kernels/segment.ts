const hangul = /\p{Script=Hangul}+/gu;
const han = /\p{Script=Han}/u;
const mark = /^\p{M}/u;

let words: Intl.Segmenter | undefined;

/** Pairs of neighbouring characters, so that every piece of two or more characters is found. */
function pairs(characters: readonly string[]): string[] {
  const result: string[] = [];
  for (let at = 0; at + 1 < characters.length; at++) result.push(`${characters[at]}${characters[at + 1]}`);
  return result;
}

function hangulTerms(word: string): string[] {
  const syllables = Array.from(word);
  return syllables.length <= 2 ? [word] : [word, ...pairs(syllables)];
}

function unspacedTerms(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length === 1) return [run];
  words ??= new Intl.Segmenter('und', { granularity: 'word' });
  const wordAt = new Map<number, string>();
  for (const { segment, index } of words.segment(run)) if (segment.length > 2) wordAt.set(index, segment);
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
 * (Chinese, Japanese, Thai, Lao, Khmer, Burmese). Hangul gives its words whole and in pairs. Every piece of two or more
 * characters shares a term with the run, whatever the segmenter makes of it.
 */
export function segmentRun(run: string): string[] {
  const terms: string[] = [];
  let end = 0;
  for (const match of run.matchAll(hangul)) {
    if (match.index > end) terms.push(...unspacedTerms(run.slice(end, match.index)));
    terms.push(...hangulTerms(match[0]));
    end = match.index + match[0].length;
  }
  if (end < run.length && !mark.test(run.slice(end))) terms.push(...unspacedTerms(run.slice(end)));
  return terms;
}
