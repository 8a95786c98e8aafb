import { inverseDocumentFrequency, type QueryTerm } from './bm25.js';
import { foldAccents } from './fold.js';
import { stopWordsOf, stopWordWeight } from './stop-words.js';
import { chunksOf, chunkTokens, tokenTerms } from './text-terms.js';
import type { Token } from './tokenize.js';
import { bareWord, pieceTerms, wordPieces } from './word-terms.js';

/** What the weights of a query in several languages depend on. */
export interface TermStatistics {
  /** Documents of the index. */
  readonly size: number;
  /** Documents that hold the term. */
  frequency(term: string): number;
}

const lowerCase = /\p{Ll}/u;
const acronym = /^\p{Lu}{2,}$/u;
const initial = /^\p{Lu}$/u;

/** The language that the stop words among the words speak for most; of equal ones, and without any, the first. */
function languageOf(words: readonly string[], languages: readonly string[]): string {
  let best = languages[0]!;
  let most = 0;
  for (const language of languages) {
    const stops = stopWordsOf(language);
    const score = words.reduce((sum, word) => sum + (stops.has(word) ? stopWordWeight(word) : 0), 0);
    if (score > most) {
      most = score;
      best = language;
    }
  }
  return best;
}

/**
 * The terms to search an index for, with their weights: those of `analyze` in each language of the index (most frequent
 * first; none: no stemming). A term counts 1 for each word that has it.
 *
 * Stop words of the query's language are left out unless nothing else is there; acronyms in a query that has lower case
 * as well (`WHO`, `IT`) are none. That language is the one that the query shows most stop words of, or else the first.
 * The stems of a word in other languages are rare in an index where few texts are in them; with `statistics` they weigh
 * no more than the word does in the query's own language (idf by idf, as synonyms of it, Pirkola 1998).
 *
 * An empty list means: nothing to search for.
 */
export function analyzeQuery(
  text: string,
  languages: string | readonly string[] = [],
  statistics?: TermStatistics,
): QueryTerm[] {
  const codes = typeof languages === 'string' ? [languages] : languages.length === 0 ? [''] : languages;
  const tokens = chunksOf(text).flatMap(chunkTokens);
  const mixed = lowerCase.test(text);
  const words = tokens.map(({ kind, text: word }) =>
    kind === 'word' && !(mixed && acronym.test(word)) ? foldAccents(bareWord(word).toLowerCase()) : '',
  );
  const own = languageOf(
    words.filter((_, at) => !initial.test(tokens[at]!.text)),
    codes,
  );
  const stops = stopWordsOf(own);
  const kept = tokens.filter((_, at) => !stops.has(words[at]!));
  const weights = new Map<string, number>();
  for (const token of kept.length === 0 ? tokens : kept) {
    for (const [term, weight] of weightedTerms(token, own, codes, statistics)) {
      weights.set(term, (weights.get(term) ?? 0) + weight);
    }
  }
  return Array.from(weights, ([term, weight]) => ({ term, weight }));
}

/** The terms of one token in all languages, each once. */
function weightedTerms(
  token: Token,
  own: string,
  languages: readonly string[],
  statistics: TermStatistics | undefined,
): Map<string, number> {
  const weights = new Map<string, number>();
  const add = (term: string, weight: number) => weights.set(term, Math.max(weights.get(term) ?? 0, weight));
  for (const term of tokenTerms(token, own)) add(term, 1);
  if (token.kind !== 'word' || languages.length === 1) return weights;
  const idf = (terms: readonly string[]) => {
    if (statistics === undefined) return 1;
    return inverseDocumentFrequency(statistics.size, Math.max(...terms.map((term) => statistics.frequency(term))));
  };
  for (const language of languages) {
    for (const piece of wordPieces(token.text, language)) {
      const limit = idf(pieceTerms(piece, own));
      for (const term of pieceTerms(piece, language)) add(term, Math.min(1, limit / idf([term])));
    }
  }
  return statistics === undefined ? weights : foundAmong(weights, statistics);
}

/** Without the forms that no document holds, unless none holds any: so a word that is there is not taken for unknown. */
function foundAmong(weights: Map<string, number>, statistics: TermStatistics): Map<string, number> {
  const found = [...weights].filter(([term]) => statistics.frequency(term) > 0);
  return found.length > 0 ? new Map(found) : weights;
}
