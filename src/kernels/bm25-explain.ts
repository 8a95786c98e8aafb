import type { Bm25TermScore } from './bm25.js';
import type { Field } from './bm25-fields.js';
import type { Postings } from './postings.js';
import { indexOfRow } from './postings-sets.js';

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

/** A prefix, which stands for many terms, has no parts. */
export function explanationOf(
  terms: readonly Bm25TermScore[],
  fields: readonly Field[],
  row: number,
  postingsOf: (term: string, field: Field) => Postings | undefined,
): Bm25Explanation {
  const parts = terms.map((term) => ({ ...term, parts: fieldScores(term, fields, row, postingsOf) }));
  return { score: terms.reduce((sum, { score }) => sum + score, 0), parts };
}

function fieldScores(
  { term, score, frequency: whole }: Bm25TermScore,
  fields: readonly Field[],
  row: number,
  postingsOf: (term: string, field: Field) => Postings | undefined,
): Bm25FieldScore[] {
  return fields.flatMap((field) => {
    const postings = postingsOf(term, field);
    const at = postings === undefined ? -1 : indexOfRow(postings.rows, row);
    if (postings === undefined || at < 0) return [];
    const frequency = postings.frequencies[at]!;
    return [{ field: field.name, boost: field.boost, frequency, score: (score * field.boost * frequency) / whole }];
  });
}
