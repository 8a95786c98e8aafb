import type { TermCount, WeightedTerm } from './ports.js';

/** `rocchio`: weighted terms, see `expandTerms`. `query2doc`: the words of both, see `repeatTerms`. */
export type Expansion = 'rocchio' | 'query2doc';

/** How the terms of further texts join the query's (Rocchio 1971). */
export interface ExpansionOptions {
  /** β: what the mean of the texts weighs beside the query's 1. */
  readonly beta: number;
  /** How many new or strengthened terms, best first. */
  readonly terms: number;
  /** What each text counts in the mean, more than 0. Default 1 each. */
  readonly weights?: readonly number[];
}

/** Terms in more than this share of the chunks say nothing about the topic. */
const maxShare = 0.1;
const minLength = 2;
const maxLength = 20;

/**
 * Rocchio with both sides L2-normalised: q + β·‖q‖·mean(h / ‖h‖), the mean weighted. The query's weights only grow, by
 * what the texts share with it, so the scores of the expanded query stay on the scale of the plain one. Of the texts only
 * terms of 2 to 20 characters in at most 10 % of the chunks (but not in none) count; ties among them by term. The result
 * is in order of term.
 */
export function expandTerms(
  query: readonly WeightedTerm[],
  texts: readonly (readonly TermCount[])[],
  chunks: number,
  options: ExpansionOptions,
): WeightedTerm[] {
  const weights = new Map(query.map(({ term, weight }) => [term, weight]));
  const added = new Map<string, number>();
  const counts = options.weights ?? texts.map(() => 1);
  const total = counts.reduce((sum, count) => sum + count, 0);
  texts.forEach((text, index) => {
    const topical = text.filter(
      ({ term, chunks: n }) =>
        n > 0 && n <= Math.max(1, chunks * maxShare) && term.length >= minLength && term.length <= maxLength,
    );
    const length = lengthOf(topical);
    for (const { term, weight } of topical)
      added.set(term, (added.get(term) ?? 0) + (weight / length) * (counts[index]! / total));
  });
  const best = [...added].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, options.terms);
  const scale = options.beta * (lengthOf(query) || 1);
  for (const [term, weight] of best) weights.set(term, (weights.get(term) ?? 0) + scale * weight);
  return [...weights]
    .map(([term, weight]) => ({ term, weight }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => (a.term < b.term ? -1 : 1));
}

/** How often the question is said beside the passages (Wang et al. 2023). */
const repeats = 5;

/**
 * query2doc: the question five times and the passages once, as one bag of words; of several passages the weighted mean.
 * Words of the passages that no chunk holds are left out. The result is in order of term.
 */
export function repeatTerms(
  query: readonly WeightedTerm[],
  texts: readonly (readonly TermCount[])[],
  counts: readonly number[] = texts.map(() => 1),
): WeightedTerm[] {
  const weights = new Map(query.map(({ term, weight }) => [term, repeats * weight]));
  const total = counts.reduce((sum, count) => sum + count, 0);
  texts.forEach((text, index) => {
    for (const { term, weight, chunks } of text)
      if (chunks > 0) weights.set(term, (weights.get(term) ?? 0) + (weight * counts[index]!) / total);
  });
  return [...weights].map(([term, weight]) => ({ term, weight })).sort((a, b) => (a.term < b.term ? -1 : 1));
}

function lengthOf(terms: readonly WeightedTerm[]): number {
  return Math.sqrt(terms.reduce((sum, { weight }) => sum + weight * weight, 0));
}
