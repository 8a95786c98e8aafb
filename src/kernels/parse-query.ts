import { analyze } from './analyze.js';
import { analyzeQuery, type TermStatistics } from './analyze-query.js';
import type { QueryTerm } from './bm25.js';
import type { Bm25Query, Clause, QueryPrefix } from './bm25-query.js';
import { foldAccents, normaliseText } from './fold.js';
import { phraseTerms } from './segment.js';

/** Quoted text or anything without white space, with a minus before it or not. */
const part = /(?<!\S)(-?)(?:["“”„]([^"“”„]*)["“”„]|(\S+))/gu;
const beginsWithLetter = /^\p{L}/u;
/** What a prefix is made of, marks with their letters: a single character would stand for half of the index. */
const prefixed = /^((?:[\p{L}\p{N}]\p{M}*){2,})\*$/u;
/** Each costs a pass over its rows; what follows is text, or with a minus nothing. */
const mostOperators = 64;

export interface ParsedQuery extends Bm25Query {
  /** The query as text: without operators, and without what must not be there. */
  readonly text: string;
  /** Exclusions that were one too many: they are not followed, and not searched for either. */
  readonly passedOver?: readonly string[];
}

/**
 * Reads a query with operators: `"some words"` must be there as a phrase, `word*` stands for all words that begin so,
 * `-word`, `-"some words"` and `-word*` must not be there; all else is searched as `analyzeQuery` does, words of phrases
 * among it. A minus before a digit, another minus or a mark is text, as is a quote without its end. Phrases and words are
 * looked for in the form that each of the languages gives them; of a word that ends in an asterisk the word itself counts
 * in every form, and is excluded in every form. Without a word to look for the query finds nothing.
 */
export function parseQuery(
  text: string,
  languages: string | readonly string[] = [],
  statistics?: TermStatistics,
): ParsedQuery {
  const codes = typeof languages === 'string' ? [languages] : languages.length === 0 ? [''] : languages;
  const must: Clause[][] = [];
  const not: Clause[] = [];
  const prefixes: QueryPrefix[] = [];
  const phrases: QueryTerm[] = [];
  const passedOver: string[] = [];
  let said = '';
  let read = 0;
  let operators = 0;
  const rest = text.replace(part, (whole: string, minus: string, quoted?: string, word?: string, at = 0) => {
    if (!isOperator(minus, quoted, word)) return whole;
    const tooMany = operators++ >= mostOperators;
    if (tooMany && minus === '') return whole;
    said += text.slice(read, at) + (minus === '' ? (quoted ?? word!.slice(0, -1)) : '');
    read = at + whole.length;
    if (tooMany) {
      passedOver.push(whole);
      return ' ';
    }
    const prefix = prefixOf(word);
    const clauses = sequences(quoted ?? word!, codes);
    if (minus !== '') not.push(...(prefix === undefined ? [] : [{ prefix }]), ...clauses);
    else if (prefix !== undefined) prefixes.push({ prefix, terms: forms(word!, codes).flat(), weight: 1 });
    else if (clauses.length > 0) {
      must.push(clauses);
      phrases.push(...analyzeQuery(quoted!, codes, statistics));
    }
    return ' ';
  });
  const terms = [...analyzeQuery(rest, codes, statistics), ...phrases];
  return { text: said + text.slice(read), terms, prefixes, must, not, ...(passedOver.length > 0 && { passedOver }) };
}

/** Whether a part of a query is more than text. */
function isOperator(minus: string, quoted?: string, word?: string): boolean {
  if (quoted !== undefined) return true;
  return minus === '' ? prefixed.test(word!) : beginsWithLetter.test(word!);
}

/** As terms are written, but for the stem, which depends on the rest of the word. */
function prefixOf(word: string | undefined): string | undefined {
  const start = word?.match(prefixed)?.[1];
  return start === undefined ? undefined : foldAccents(normaliseText(start).toLowerCase());
}

function sequences(text: string, languages: readonly string[]): Clause[] {
  return forms(text, languages).map((sequence) => ({ sequence: phraseTerms(sequence) }));
}

/** The terms of a text in each language, those that differ. */
function forms(text: string, languages: readonly string[]): string[][] {
  const found = new Map<string, string[]>();
  for (const language of languages) {
    const terms = analyze(text, language);
    if (terms.length > 0) found.set(terms.join(' '), terms);
  }
  return [...found.values()];
}
