import type { ScoredList } from './ports.js';

/**
 * How a leg's scores become values of 0 to 1 that can be added to those of another leg.
 *
 * `min-max`: (s − min) / (max − min) over every chunk that the filter lets through, so no value depends on the pool.
 * `pool`: the same over the best 200 of the leg; what lies below them is 0.
 * `max`: s / max, below 0 is 0.
 * `z-score`: half of tanh(z / 10) − tanh(z of the lowest score of all / 10), z = (s − mean) / sd over the best 200 (the
 * tanh estimator of Jain et al. 2005, nearly linear where scores lie); so what lacks the signal is 0 here, too.
 */
export type ScoreScale = 'min-max' | 'pool' | 'max' | 'z-score';

export const scoreScales: readonly ScoreScale[] = ['min-max', 'pool', 'max', 'z-score'];

const poolSize = 200;
/** Keeps all but the wildest scores on the straight part of tanh. */
const spread = 10;

/**
 * The scale of one leg. Where there is no span, all that carry the signal get 1.
 *
 * @param found how many hits at the head of the list are the leg's own, best first
 */
export function scoreScale(scale: ScoreScale, { hits, range }: ScoredList, found: number): (score: number) => number {
  if (scale === 'min-max') return between(range.min, range.max);
  const pool = hits.slice(0, Math.min(found, poolSize)).map(({ score }) => score);
  const max = pool[0] ?? 0;
  if (scale === 'pool') return between(pool.at(-1) ?? 0, max);
  if (scale === 'max') return max > 0 ? between(0, max) : between(range.min, range.max);
  const mean = pool.reduce((sum, score) => sum + score, 0) / (pool.length || 1);
  const deviation = Math.sqrt(pool.reduce((sum, score) => sum + (score - mean) ** 2, 0) / (pool.length || 1));
  const tanh = (score: number) => Math.tanh((score - mean) / deviation / spread);
  return (score) => (deviation > 0 ? Math.max(0, tanh(score) - tanh(range.min)) / 2 : 1);
}

function between(min: number, max: number): (score: number) => number {
  return (score) => (max > min ? Math.min(1, Math.max(0, (score - min) / (max - min))) : 1);
}
