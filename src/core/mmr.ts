import { SurmiseError } from './errors.js';
import { byScore } from './fusion.js';
import type { Scored } from './ports.js';
import { norm } from './vectors.js';

/** Something ranked by relevance, with the vector that says what it is like. */
export interface MmrCandidate extends Scored {
  /** Without one, or with zeros alone, it is like nothing. */
  readonly vector?: ArrayLike<number>;
}

export interface MmrPick extends Scored {
  /** λ·score − (1 − λ)·similarity: what it was picked by. */
  readonly mmr: number;
  /** The highest cosine to those picked before; 0 for the first. */
  readonly similarity: number;
}

export interface MmrOptions {
  /** 0 to 1: 1 is the order of relevance, 0 looks at diversity alone. Default 0.5. */
  readonly lambda?: number;
  /** How many to pick, a whole number from 0. Default all. The picks for k are a prefix of those for more. */
  readonly k?: number;
}

interface Open extends Scored {
  readonly vector: Float64Array | undefined;
  similarity: number;
}

/**
 * Maximal marginal relevance (Carbonell & Goldstein 1998): picks, one after the other, the candidate with the highest
 * λ·score − (1 − λ)·max cosine to those picked before. Ties: the higher score, then the id. An id counts once, with its
 * first entry. O(k·N·dim) time. Scores should be of the size of cosines; `score` of a pick is that of the candidate, so
 * the picks are not in its order.
 *
 * @throws SurmiseError `bad_argument`: λ or k out of range, a score or value that is not finite, different lengths
 */
export function mmr(candidates: readonly MmrCandidate[], options: MmrOptions = {}): MmrPick[] {
  const { lambda = 0.5, k = candidates.length } = options;
  if (!(lambda >= 0 && lambda <= 1)) throw bad('"lambda" must be a number from 0 to 1');
  if (!Number.isInteger(k) || k < 0) throw bad('"k" must be a whole number of 0 or more');
  let open = distinct(candidates);
  const picks: MmrPick[] = [];
  while (picks.length < k && open.length > 0) {
    const value = (one: Open) => lambda * one.score - (1 - lambda) * one.similarity;
    // In order of score and id, so the first of equals is the one.
    const best = open.reduce((most, one) => (value(one) > value(most) ? one : most));
    const { id, score, similarity } = best;
    picks.push({ id, score, mmr: value(best), similarity });
    const first = picks.length === 1;
    open = open.filter((one) => one !== best);
    for (const one of open) {
      const like = dot(one.vector, best.vector);
      one.similarity = first ? like : Math.max(one.similarity, like);
    }
  }
  return picks;
}

function distinct(candidates: readonly MmrCandidate[]): Open[] {
  const found = new Map<string, Open>();
  let dimensions: number | undefined;
  for (const { id, score, vector } of candidates) {
    if (!Number.isFinite(score)) throw bad(`the score of "${id}" is not a finite number`);
    if (vector !== undefined) {
      dimensions ??= vector.length;
      if (vector.length !== dimensions)
        throw bad(`the vector of "${id}" has ${vector.length} dimensions, another ${dimensions}`);
    }
    if (!found.has(id)) found.set(id, { id, score, vector: vector && unit(id, vector), similarity: 0 });
  }
  return [...found.values()].sort(byScore);
}

function unit(id: string, vector: ArrayLike<number>): Float64Array | undefined {
  const length = norm(vector);
  if (!Number.isFinite(length)) throw bad(`the vector of "${id}" holds a value that is not a finite number`);
  return length === 0 ? undefined : Float64Array.from(vector, (value) => value / length);
}

function dot(a: Float64Array | undefined, b: Float64Array | undefined): number {
  if (a === undefined || b === undefined) return 0;
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return Math.min(1, Math.max(-1, sum));
}

function bad(what: string): SurmiseError {
  return new SurmiseError('bad_argument', `Can not diversify: ${what}.`);
}
