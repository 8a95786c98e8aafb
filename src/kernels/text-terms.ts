import { emojiTerms } from './emoji.js';
import { normaliseText } from './fold.js';
import { segmentRun } from './segment.js';
import { type Token, tokenize } from './tokenize.js';
import { wordTerms } from './word-terms.js';

const spaced = /\S+/g;
const dateTime = /(\d{4}-\d\d-\d\d)T(?=\d)/g;

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

/** The terms of a text, step by step: what `analyze` is defined by, and takes only for what it has not seen yet. */
export function textTerms(text: string, language: string): string[] {
  const terms: string[] = [];
  for (const chunk of chunksOf(text))
    for (const token of chunkTokens(chunk)) for (const term of tokenTerms(token, language)) terms.push(term);
  return terms;
}
