import { indexText } from '../core/index-text.js';
import { type NumberedTerms, numberTerms } from '../kernels/number-terms.js';
import { provideStemmersOf } from './stemmers.js';

interface ChunkTerms {
  /** Hold until the next call only. */
  readonly terms: NumberedTerms;
  /** At least 1: a length of 0 marks a row that does not exist. */
  readonly length: number;
}

/** What a chunk is found by: the terms of its document's title, its heading and header, and what it says. */
export function chunkTerms(
  { title, language }: { readonly title: string; readonly language: string },
  { heading, header, said }: { readonly heading: readonly string[]; readonly header: string; readonly said: string },
): ChunkTerms {
  provideStemmersOf(language);
  const terms = numberTerms(indexText(title, heading, said, header), language);
  return { terms, length: Math.max(1, terms.numbers.length) };
}
