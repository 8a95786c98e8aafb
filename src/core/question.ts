/** A query term and what one occurrence of it in a chunk counts; weights may be fractions. */
export interface WeightedTerm {
  readonly term: string;
  readonly weight: number;
}

/** A term of an analysed text: how often it occurs there, and in how many chunks of the index. */
export interface TermCount extends WeightedTerm {
  readonly chunks: number;
}

/** What a chunk holds: terms that follow one another, or any term that begins so. */
export type Clause = { readonly sequence: readonly string[] } | { readonly prefix: string };

/** Of each entry of `must` a chunk holds one clause, of `not` none. */
export interface Requirement {
  readonly must: readonly (readonly Clause[])[];
  readonly not: readonly Clause[];
}

/** All terms that begin so, and some others: together they are one word. */
export interface WeightedPrefix {
  readonly prefix: string;
  readonly terms: readonly string[];
  readonly weight: number;
}

/** A question with what its operators ask for. */
export interface Question {
  /** The question as text: without operators, and without what must not be there. */
  readonly text: string;
  /** As of `analyze`; the words of phrases are among them. */
  readonly terms: readonly TermCount[];
  readonly prefixes?: readonly WeightedPrefix[];
  readonly require?: Requirement;
  /** What could not be followed as it was written, a sentence each. */
  readonly notes?: readonly string[];
}

/** What one term of a query adds to the BM25 score of a chunk. */
export interface TermPart {
  /** As it is in the index; a prefix ends in an asterisk. */
  readonly term: string;
  readonly weight: number;
  /** How rare it is in the index, 0 or more. */
  readonly idf: number;
  /** How often the chunk holds it. */
  readonly tf: number;
  /** Terms of the chunk. */
  readonly length: number;
  /** Its share of the score. */
  readonly part: number;
}
