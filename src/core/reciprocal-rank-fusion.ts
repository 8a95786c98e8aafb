import { SurmiseError } from './errors.js';
import { byScore } from './fusion.js';
import type { Scored } from './ports.js';

/** A ranked list, best first: ids, or what has an id. */
export type RankedIds = readonly (string | { readonly id: string })[];

export interface RrfOptions {
  /** One for each list, 0 or more, not all 0; a list with 0 is left out. Default 1 each. */
  readonly weights?: readonly number[];
  /** The constant c, 0 or more. Default 60. */
  readonly constant?: number;
  /** How many at most, a whole number from 0. Default all. */
  readonly k?: number;
}

/**
 * Reciprocal rank fusion of several lists (Cormack et al. 2009): score = Σ weight/(c + rank) with 1-based ranks. An id
 * counts once in each list, where it stands first, and takes no place after that. Order: score, then id. The list of
 * `hydeSearch` is one like any other.
 *
 * @throws SurmiseError `bad_argument`: weights of another length, negative, not finite or all 0; options out of range
 */
export function reciprocalRankFusion(lists: readonly RankedIds[], options: RrfOptions = {}): Scored[] {
  const { weights = lists.map(() => 1), constant = 60, k = Number.MAX_SAFE_INTEGER } = options;
  if (weights.length !== lists.length) throw bad(`there are ${lists.length} lists but ${weights.length} weights`);
  if (!weights.every((weight) => weight >= 0 && weight < Number.POSITIVE_INFINITY))
    throw bad('weights must be finite numbers of 0 or more');
  if (lists.length > 0 && weights.every((weight) => weight === 0)) throw bad('all weights are 0');
  if (!(constant >= 0 && constant < Number.POSITIVE_INFINITY)) throw bad('"constant" must be a number of 0 or more');
  if (!Number.isInteger(k) || k < 0) throw bad('"k" must be a whole number of 0 or more');
  const scores = new Map<string, number>();
  lists.forEach((list, at) => {
    const weight = weights[at]!;
    if (weight === 0) return;
    const ids = new Set(list.map((one) => (typeof one === 'string' ? one : one.id)));
    let rank = 0;
    for (const id of ids) scores.set(id, (scores.get(id) ?? 0) + weight / (constant + ++rank));
  });
  return [...scores]
    .map(([id, score]) => ({ id, score }))
    .sort(byScore)
    .slice(0, k);
}

function bad(what: string): SurmiseError {
  return new SurmiseError('bad_argument', `Can not fuse rankings: ${what}.`);
}
