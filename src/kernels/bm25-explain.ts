import type { Bm25TermScore } from './bm25.js';
import type { Field } from './bm25-fields.js';

/** What one field brings to the score of a term: its share of the frequency. */
export interface Bm25FieldScore {
  readonly field: string;
  readonly boost: number;
  /** Occurrences in the field. */
  readonly frequency: number;
  readonly score: number;
}

/** A score as the sum of its parts: of the terms by term, and of each term the fields that hold it, but for rounding. */
export interface Bm25Explanation {
  readonly score: number;
  readonly parts: readonly (Bm25TermScore & { readonly parts: readonly Bm25FieldScore[] })[];
}

/**
 * A prefix, which stands for many terms, has no parts.
 *
 * @param frequencyOf occurrences of a term in a field of that row, by the field's number; 0 where there are none
 */
export function explanationOf(
  terms: readonly Bm25TermScore[],
  fields: readonly Field[],
  frequencyOf: (term: string, field: number) => number,
): Bm25Explanation {
  const parts = terms.map((term) => ({ ...term, parts: fieldScores(term, fields, frequencyOf) }));
  return { score: terms.reduce((sum, { score }) => sum + score, 0), parts };
}

function fieldScores(
  { term, score, frequency: whole }: Bm25TermScore,
  fields: readonly Field[],
  frequencyOf: (term: string, field: number) => number,
): Bm25FieldScore[] {
  return fields.flatMap(({ name, boost }, number) => {
    const frequency = frequencyOf(term, number);
    return frequency === 0 ? [] : [{ field: name, boost, frequency, score: (score * boost * frequency) / whole }];
  });
}
