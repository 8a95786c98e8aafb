import { SurmiseError } from '../core/errors.js';
import type { Scored } from '../core/ports.js';

/**
 * What orders documents of equal score. `id`: id ascending by code units, the rule of all of Surmise and the default;
 * it knows nothing of relevance, so it is never optimistic. `trec`: id descending, as trec_eval does. `given`: the list
 * is taken as it is ordered, whatever its scores say.
 */
export type TieRule = 'id' | 'trec' | 'given';

/**
 * The list in the order in which it is measured: score descending, then by the tie rule. The input is left alone.
 * Throws `bad_data` for an id that occurs twice (roll passages up to documents first) and for a score that is NaN.
 */
export function ranked(query: string, list: readonly Scored[], ties: TieRule = 'id'): Scored[] {
  const seen = new Set<string>();
  for (const { id, score } of list) {
    if (seen.has(id)) {
      throw new SurmiseError(
        'bad_data',
        `The run has document '${id}' twice for query '${query}'. Keep the best passage of each document.`,
      );
    }
    if (Number.isNaN(score)) {
      throw new SurmiseError('bad_data', `The run has no number as score of document '${id}' for query '${query}'.`);
    }
    seen.add(id);
  }
  if (ties === 'given') return [...list];
  const sign = ties === 'trec' ? -1 : 1;
  return [...list].sort((a, b) => (a.score === b.score ? sign * compare(a.id, b.id) : b.score > a.score ? 1 : -1));
}

/** How many documents of the list share their score with another one. */
export function countTied(list: readonly Scored[]): number {
  const counts = new Map<number, number>();
  for (const { score } of list) counts.set(score, (counts.get(score) ?? 0) + 1);
  let tied = 0;
  for (const count of counts.values()) if (count > 1) tied += count;
  return tied;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
