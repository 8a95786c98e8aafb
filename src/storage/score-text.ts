import type { WeightedTerm } from '../core/ports.js';
import {
  type Bm25Parameters,
  defaultBm25Parameters,
  inverseDocumentFrequency,
  type PostingsSource,
} from '../kernels/bm25.js';
import { detectLanguage } from '../kernels/detect-language.js';
import { lengthNorm } from '../kernels/length-norms.js';
import '../kernels/snowball.js';
import { textTerms } from '../kernels/text-terms.js';

/** BM25 of a text that is not in the index as if it were one of its chunks; rarity and mean length are the index's. */
export function scoreText(
  source: PostingsSource,
  terms: readonly WeightedTerm[],
  text: string,
  language: string,
  parameters: Bm25Parameters = defaultBm25Parameters,
): number {
  const counts = new Map<string, number>();
  const words = textTerms(text, detectLanguage(text) ?? language);
  for (const term of words) counts.set(term, (counts.get(term) ?? 0) + 1);
  const norm = lengthNorm(Math.max(1, words.length), source.averageLength, parameters);
  let score = 0;
  for (const { term, weight } of terms) {
    const frequency = counts.get(term) ?? 0;
    const holding = source.postings(term)?.rows.length ?? 0;
    const idf = inverseDocumentFrequency(source.size, holding);
    if (frequency > 0) score += (weight * idf * (parameters.k1 + 1) * frequency) / (frequency + norm);
  }
  return score;
}
