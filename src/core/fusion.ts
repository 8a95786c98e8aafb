import type { ScoredList } from './ports.js';
import { type ScoreScale, scoreScale } from './score-scale.js';

/** One ranked list on its way into fusion, complete: it has a score for every candidate that carries its signal. */
export interface Leg {
  readonly name: string;
  /** 0 or more; 0 takes the leg out of the sum. */
  readonly weight: number;
  readonly list: ScoredList;
  /** How many hits at the head of the list were found by the leg; those after it were scored because others found them. */
  readonly found: number;
}

/** What one leg gave one candidate. */
export interface LegScore {
  /** 1-based place in the leg; `null` for a candidate from outside the leg's pool, scored afterwards. */
  readonly rank: number | null;
  /** The leg's own score: BM25 (0 or more), cosine (−1 to 1). */
  readonly score: number;
  /** What it adds to the fused score. The parts of a hit add up to its score. */
  readonly part: number;
}

export interface Fused {
  readonly id: string;
  /** 0 to 1, higher is better. */
  readonly score: number;
  readonly legs: Readonly<Record<string, LegScore>>;
}

export type FusionMethod = 'linear' | 'rrf';

export interface FusionOptions {
  /** `linear`: a weighted mean of scaled scores. `rrf`: weighted reciprocal ranks. */
  readonly method?: FusionMethod;
  /** How `linear` scales scores. Default `min-max`. */
  readonly scale?: ScoreScale;
  /** What weights are divided by, at least their sum. Default: their sum. More leaves every score below 1. */
  readonly total?: number;
  /** The constant of reciprocal rank fusion, default 60. */
  readonly rrfConstant?: number;
}

/** The order of every list in Surmise: score descending, then id ascending by UTF-16 code units. */
export function byScore(a: { id: string; score: number }, b: { id: string; score: number }): number {
  return b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/**
 * Merges legs by chunk id. Each leg gives a candidate at most one part; a candidate that a leg does not know gets 0
 * from it, never a negative or an invented rank.
 *
 * `linear`: part = w · scale(s) / Σw, see `ScoreScale`.
 * `rrf` (Cormack et al. 2009): part = w / (c + rank) with 1-based ranks, scaled so that first in every leg is 1.
 */
export function fuse(legs: readonly Leg[], options: FusionOptions = {}): Fused[] {
  const { method = 'linear', scale = 'min-max', rrfConstant = 60 } = options;
  const total = options.total ?? legs.reduce((sum, leg) => sum + leg.weight, 0);
  const parts = new Map<string, Record<string, LegScore>>();
  for (const leg of legs) {
    const scaled = scoreScale(scale, leg.list, leg.found);
    leg.list.hits.forEach((hit, index) => {
      const rank = index < leg.found ? index + 1 : null;
      const value =
        method === 'rrf' ? (rank === null ? 0 : (rrfConstant + 1) / (rrfConstant + rank)) : scaled(hit.score);
      const entry = parts.get(hit.id) ?? {};
      if (entry[leg.name] === undefined)
        entry[leg.name] = { rank, score: hit.score, part: total > 0 ? (leg.weight * value) / total : 0 };
      parts.set(hit.id, entry);
    });
  }
  const fused = [...parts].map(([id, entry]) => ({
    id,
    score: legs.reduce((sum, leg) => sum + (entry[leg.name]?.part ?? 0), 0),
    legs: entry,
  }));
  return fused.sort(byScore);
}
