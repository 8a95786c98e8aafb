import { chunksOf, chunkTokens, tokenTerms } from './analyze.js';
import { foldAccents } from './fold.js';
import { stopWordsOf } from './stop-words.js';
import type { Token } from './tokenize.js';
import { bareWord } from './word-terms.js';

const lowerCase = /\p{Ll}/u;
const acronym = /^\p{Lu}{2,}$/u;

/** The language whose stop words occur most often in the query; of equal ones the first. */
function stopWords(words: readonly string[], languages: readonly string[]): ReadonlySet<string> {
  let best: ReadonlySet<string> = new Set();
  let most = 0;
  for (const language of languages) {
    const set = stopWordsOf(language);
    const count = words.filter((word) => set.has(word)).length;
    if (count > most) {
      most = count;
      best = set;
    }
  }
  return best;
}

/**
 * The terms to search an index for: those of `analyze` in each language of the index (most frequent language first; no
 * language, no stemming), a term once for each word that has it. Stop words are left out unless nothing else is there;
 * acronyms in a query that has lower case as well (`WHO`, `IT`) are none. An empty list means: nothing to search for.
 */
export function analyzeQuery(text: string, languages: string | readonly string[] = []): string[] {
  const codes = typeof languages === 'string' ? [languages] : languages.length === 0 ? [''] : languages;
  const tokens = chunksOf(text).flatMap(chunkTokens);
  const plain = tokens.map(({ kind, text: word }) =>
    kind === 'word' ? foldAccents(bareWord(word).toLowerCase()) : '',
  );
  const stops = stopWords(plain, codes);
  const mixed = lowerCase.test(text);
  const carries = (token: Token, at: number) => !stops.has(plain[at]!) || (mixed && acronym.test(token.text));
  const kept = tokens.filter(carries);
  return (kept.length === 0 ? tokens : kept).flatMap((token) => {
    return [...new Set(codes.flatMap((code) => tokenTerms(token, code)))];
  });
}
