import { createBestOfGroups, type Groups } from './best-of-groups.js';
import { accumulate, giveBackAccumulators, takeAccumulators } from './bm25-accumulators.js';
import { createCollector } from './bm25-collect.js';
import { lengthNorm, lengthNorms } from './length-norms.js';
import type { PostingsPiece, WeightedPostings } from './postings.js';
import { indexOfRow } from './postings-sets.js';
import { checkK, type Ranked } from './top-k.js';

export interface Bm25Parameters {
  /** Saturation of the term frequency, 0 or more. */
  readonly k1: number;
  /** How much longer rows are held back, 0 to 1. */
  readonly b: number;
}

export interface QueryTerm {
  readonly term: string;
  /** More than 0 and finite; terms that repeat add up. */
  readonly weight: number;
}

/** What the scoring needs of an index; postings are asked for the terms of the query only. */
export interface PostingsSource {
  /** Live rows. */
  readonly size: number;
  /** Mean number of terms of the live rows. */
  readonly averageLength: number;
  /** Number of terms by row; 0 where there is no such row. An array for each state: what follows from it is kept. */
  readonly lengths: Uint32Array | Float32Array | Float64Array;
  /** Live rows only, so that their number is the document frequency. */
  postings(term: string): WeightedPostings | undefined;
  /**
   * The same in pieces, none for an unknown term, where joining them would mean copying. Pieces ascend and share no row.
   * Asked instead of `postings` where all that is wanted is scores.
   */
  pieces?(term: string): readonly PostingsPiece[];
  id(row: number): string;
}

export interface Bm25Options {
  /** How many hits at most, a positive integer. */
  readonly k: number;
  readonly parameters?: Bm25Parameters;
  /** By row, not 0 where the row may be found. Mark live rows only: marked rows without a match count 0 in the range. */
  readonly allow?: Uint8Array;
  /** By row, not 0 where the row may not be found, whatever `allow` says. Mark live rows only. */
  readonly exclude?: Uint8Array;
  /** Asks for the best row of each of the best k groups as well. */
  readonly groups?: Groups;
}

export interface Bm25Result {
  /** Score descending, then id ascending by code units; only rows that match a term. */
  readonly hits: Ranked[];
  /** The best row of each group in the same order, at most k; empty where no groups were given. */
  readonly groupHits: Ranked[];
  /** Allowed rows that match a term. */
  readonly matched: number;
  /** Range of the scores of all allowed live rows, those without a match counting 0; 0 and 0 where there are none. */
  readonly min: number;
  readonly max: number;
}

export interface Bm25TermScore {
  readonly term: string;
  readonly weight: number;
  readonly idf: number;
  readonly frequency: number;
  /** Number of terms of the row. */
  readonly length: number;
  readonly score: number;
}

/** Good for passages and abstracts (Anserini's defaults); longer documents like b = .75. */
export const defaultBm25Parameters: Bm25Parameters = { k1: 0.9, b: 0.4 };

export function checkBm25Parameters({ k1, b }: Bm25Parameters): void {
  if (!Number.isFinite(k1) || k1 < 0) throw new RangeError(`k1 must be a finite number of 0 or more, got ${k1}.`);
  if (!(b >= 0 && b <= 1)) throw new RangeError(`b must lie between 0 and 1, got ${b}.`);
}

/** Terms in one order with their weights added up in one order, so that sums of scores do not depend on the caller's. */
function mergeTerms(query: readonly QueryTerm[]): QueryTerm[] {
  for (const { term, weight } of query) {
    if (!Number.isFinite(weight) || weight <= 0) {
      throw new RangeError(`The weight of a query term must be more than 0 and finite, got ${weight} for "${term}".`);
    }
  }
  const sorted = [...query].sort((a, b) => (a.term < b.term ? -1 : a.term > b.term ? 1 : a.weight - b.weight));
  const merged = new Map<string, number>();
  for (const { term, weight } of sorted) merged.set(term, (merged.get(term) ?? 0) + weight);
  return Array.from(merged, ([term, weight]) => ({ term, weight }));
}

/** ln(1 + (N - df + .5) / (df + .5)), Lucene's form, which is never negative. */
export function inverseDocumentFrequency(size: number, df: number): number {
  return Math.log(1 + (size - df + 0.5) / (df + 0.5));
}

/**
 * BM25 (Robertson and Zaragoza 2009), term at a time: the sum over terms of
 * weight * idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / averageLength)).
 * The factor k1 + 1, which Lucene drops, is kept: it does not change the order, and a term that occurs once in a row of
 * average length scores exactly its idf. A row whose sum is too small for a number is no match. Takes time for the
 * postings of the query, and for the rows only where these are as many. RangeError for a bad k, weight or parameter.
 */
export function searchBm25(source: PostingsSource, query: readonly QueryTerm[], options: Bm25Options): Bm25Result {
  const { k, parameters = defaultBm25Parameters, allow, exclude, groups } = options;
  checkK(k);
  checkBm25Parameters(parameters);
  const terms = mergeTerms(query);
  const norms = lengthNorms(source, parameters);
  const rowCount = source.lengths.length;
  const scores = takeAccumulators(rowCount);
  const lists: PostingsPiece[] = [];
  let entries = 0;
  for (const { term, weight } of terms) {
    const pieces = piecesOf(source, term);
    const df = pieces.reduce((sum, { rows }) => sum + rows.length, 0);
    const gain = weight * inverseDocumentFrequency(source.size, df) * (parameters.k1 + 1);
    for (const piece of pieces) {
      accumulate(scores, piece, gain, norms);
      lists.push(piece);
    }
    entries += df;
  }
  const idOf = (row: number) => source.id(row);
  const found = createCollector(k, idOf);
  let groupHits: Ranked[] = [];
  if (entries < rowCount && !allow && !exclude && !groups) for (const piece of lists) found.drainRows(scores, piece);
  else {
    hide(scores, rowCount, allow, exclude);
    if (groups !== undefined) groupHits = bestOfGroups(scores, rowCount, createBestOfGroups(k, idOf, groups));
    found.drain(scores, rowCount);
  }
  giveBackAccumulators(scores);
  const { matched, min, max } = found;
  const all = matched > 0 && matched === allowedRows(source, allow, exclude);
  return { hits: found.hits(), groupHits, matched, min: all ? min : 0, max };
}

function piecesOf(source: PostingsSource, term: string): readonly PostingsPiece[] {
  if (source.pieces !== undefined) return source.pieces(term);
  const postings = source.postings(term);
  return postings === undefined ? [] : [{ ...postings, base: 0 }];
}

function hide(scores: Float64Array, rowCount: number, allow?: Uint8Array, exclude?: Uint8Array): void {
  if (allow !== undefined) for (let row = 0; row < rowCount; row++) if (!allow[row]) scores[row] = 0;
  if (exclude !== undefined) for (let row = 0; row < rowCount; row++) if (exclude[row]) scores[row] = 0;
}

function bestOfGroups(scores: Float64Array, rowCount: number, best: ReturnType<typeof createBestOfGroups>): Ranked[] {
  for (let row = 0; row < rowCount; row++) {
    const score = scores[row]!;
    if (score > 0) best.offer(row, score);
  }
  return best.ranked();
}

function allowedRows({ size, lengths }: PostingsSource, allow?: Uint8Array, exclude?: Uint8Array): number {
  if (allow === undefined && exclude === undefined) return size;
  let count = allow === undefined ? size : 0;
  for (let row = 0; row < lengths.length; row++) {
    if (allow === undefined) {
      if (exclude![row]) count--;
    } else if (allow[row] && !exclude?.[row]) count++;
  }
  return count;
}

/** The parts of a row's score, one for each query term that it holds, by term; their scores, in order, add up to it. */
export function explainBm25(
  source: PostingsSource,
  query: readonly QueryTerm[],
  row: number,
  parameters: Bm25Parameters = defaultBm25Parameters,
): Bm25TermScore[] {
  checkBm25Parameters(parameters);
  const length = source.lengths[row] ?? 0;
  const norm = lengthNorm(length, source.averageLength, parameters);
  const result: Bm25TermScore[] = [];
  for (const { term, weight } of mergeTerms(query)) {
    const postings = source.postings(term);
    const at = postings === undefined ? -1 : indexOfRow(postings.rows, row);
    if (postings === undefined || at < 0) continue;
    const frequency = postings.frequencies[at]!;
    const idf = inverseDocumentFrequency(source.size, postings.rows.length);
    const score = (weight * idf * (parameters.k1 + 1) * frequency) / (frequency + norm);
    result.push({ term, weight, idf, frequency, length, score });
  }
  return result;
}
