import { throwIfAborted, withDeadline } from './deadline.js';
import { cleanHypothesis } from './hypothesis.js';
import type { Generator } from './ports.js';
import { hypothesisPrompt } from './prompt.js';
import { unspacedScripts } from './unspaced-scripts.js';

const words = new Intl.Segmenter('en', { granularity: 'word' });
const unspaced = new RegExp(`[${unspacedScripts}]`, 'u');
const ends = /^[\p{P}\p{S}]+|[\p{P}\p{S}]+$/gu;
const minLength = 3;
/** UTF-16 units of a text that are read. */
const maxText = 100_000;
/** Tokens of what is written for keywords. */
const maxTokens = 200;

export interface KeywordOptions {
  /** How many at most. Default 20. */
  readonly max?: number;
  /** Words that say nothing, in lower case. Default: none is left out. */
  readonly stopWords?: ReadonlySet<string>;
}

/**
 * The words of a text in lower case, without punctuation at their ends, of three characters or more (in scripts without
 * spaces two), most frequent first, ties in alphabetical order. A word need not be ASCII.
 */
export function extractKeywords(text: string, { max = 20, stopWords = new Set() }: KeywordOptions = {}): string[] {
  const counts = new Map<string, number>();
  for (const piece of text.slice(0, maxText).normalize('NFC').toLowerCase().split(/\s+/u))
    for (const word of pieces(piece.replace(ends, '')))
      if (!stopWords.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, max)
    .map(([word]) => word);
}

function pieces(piece: string): string[] {
  if (!unspaced.test(piece)) return [...piece].length >= minLength ? [piece] : [];
  return [...words.segment(piece)].flatMap(({ segment, isWordLike }) =>
    isWordLike && [...segment].length >= minLength - 1 ? [segment] : [],
  );
}

export interface ExpandKeywordsOptions extends KeywordOptions {
  readonly generator?: Generator;
  /** How many words of the passage join at most. Default 5. */
  readonly numKeywords?: number;
  /** Milliseconds for the passage. Default 5,000. */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * The keywords joined by those of a passage that would answer the query, the given ones first, none twice. Whatever goes
 * wrong with the passage, the given ones come back as they are.
 *
 * @throws SurmiseError only `aborted`
 */
export async function expandKeywords(
  query: string,
  originals: readonly string[],
  { generator, numKeywords = 5, deadlineMs = 5_000, signal, ...options }: ExpandKeywordsOptions = {},
): Promise<string[]> {
  if (generator === undefined || query.trim() === '') return [...originals];
  try {
    const prompt = hypothesisPrompt(query, { type: 'notes' });
    const [written] = await withDeadline('Writing keywords', deadlineMs, signal, (inner) =>
      generator.generate(prompt, { n: 1, maxTokens, signal: inner }),
    );
    const cleaned = cleanHypothesis(String(written?.text ?? ''), query);
    if ('dropped' in cleaned) return [...originals];
    const known = new Set(originals.map((word) => word.toLowerCase()));
    const found = extractKeywords(cleaned.text, { ...options, max: numKeywords + known.size });
    return [...originals, ...found.filter((word) => !known.has(word)).slice(0, numKeywords)];
  } catch {
    throwIfAborted(signal);
    return [...originals];
  }
}
