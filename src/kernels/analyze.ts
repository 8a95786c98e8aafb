import { type BoundedCache, createBoundedCache } from './bounded-cache.js';
import { emojiTerms } from './emoji.js';
import { normaliseText } from './fold.js';
import { segmentRun } from './segment.js';
import { stemmedLanguages } from './stem.js';
import { type Token, tokenize } from './tokenize.js';
import { wordTerms } from './word-terms.js';

/** Part of an index's identity: texts analysed, or their language detected, by another version must be analysed again. */
export const analyzerVersion = '2';

const longestCached = 40;
const cachedChunks = 131_072;
const spaced = /\S+/g;
const dateTime = /(\d{4}-\d\d-\d\d)T(?=\d)/g;

const stemmed: ReadonlySet<string> = new Set(stemmedLanguages);
const caches = new Map<string, BoundedCache<readonly string[]>>();

/** The terms of one token in one language. */
export function tokenTerms({ kind, text }: Token, language: string): string[] {
  if (kind === 'word') return wordTerms(text, language);
  if (kind === 'unspaced') return segmentRun(text);
  return kind === 'emoji' ? emojiTerms(text) : [text];
}

/** Tokens of a piece without white space of normalised text. */
export function chunkTokens(chunk: string): Token[] {
  return tokenize(chunk.replace(dateTime, '$1 '));
}

/** Pieces of normalised text between white space. */
export function chunksOf(text: string): readonly string[] {
  return normaliseText(text).match(spaced) ?? [];
}

/**
 * The index terms of a text, in text order. In this order: NFKC, invisible characters removed; cut at white space, then
 * into tokens; compounds into parts and joined forms; lower case; accents folded and stem taken by `language` (ISO
 * 639-1; other codes and undefined are not stemmed). Stop words stay. Text without a letter, digit, emoji or symbol
 * gives no term. At most a few terms for each character; time grows with the length of the text only.
 */
export function analyze(text: string, language = ''): string[] {
  const key = stemmed.has(language) ? language : '';
  let cache = caches.get(key);
  if (cache === undefined) {
    cache = createBoundedCache(cachedChunks);
    caches.set(key, cache);
  }
  const terms: string[] = [];
  for (const chunk of chunksOf(text)) {
    let found = cache.get(chunk);
    if (found === undefined) {
      // A slice keeps the whole text alive; a cached key and the terms cut from it must not.
      const own = ` ${chunk}`.slice(1);
      found = chunkTokens(own).flatMap((token) => tokenTerms(token, key));
      if (own.length <= longestCached) cache.set(own, found);
    }
    for (const term of found) terms.push(term);
  }
  return terms;
}
