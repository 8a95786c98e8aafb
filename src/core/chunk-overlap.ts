import type { Span } from './ports.js';
import { sentences } from './text-segments.js';
import { type CountTokens, longestToken } from './token-count.js';

/**
 * Where the last sentences of a span begin that have `most` tokens or fewer together, behind `after`; nothing when there
 * is none.
 */
export function tailSentences(
  text: string,
  { start, end }: Span,
  after: number,
  weigh: CountTokens,
  most: number,
): { readonly start: number; readonly tokens: number } | undefined {
  if (most <= 0) return undefined;
  // What begins before this is too long, whatever it is.
  const from = Math.max(start, end - Math.floor(most * longestToken) - 1);
  const all = [...sentences(text, { start: from, end }, true)];
  // A window that does not begin where the span does begins inside of a sentence.
  if (from > start) all.shift();
  let found: { start: number; tokens: number } | undefined;
  let tokens = 0;
  for (const [at, to] of all.reverse()) {
    const sentence = text.slice(at, to);
    tokens += weigh(sentence);
    if (tokens > most || at <= after) break;
    const blank = sentence.length - sentence.trimStart().length;
    if (blank < sentence.length) found = { start: at + blank, tokens };
  }
  return found;
}
