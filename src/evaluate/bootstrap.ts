import { seededRandom } from './seeded-random.js';

export interface BootstrapOptions {
  /** Resamples, 100 to 1,000,000. Default 10,000. */
  readonly rounds?: number;
  /** Default 1. */
  readonly seed?: number;
  /** Share of the resampled means inside the interval, between 0 and 1. Default 0.95. */
  readonly level?: number;
}

/**
 * Percentile bootstrap interval of a mean (Efron 1979): queries are drawn with replacement, the interval cuts off the
 * same share of the resampled means at both ends. `[NaN, NaN]` for no value.
 */
export function bootstrapInterval(values: readonly number[], options: BootstrapOptions = {}): [number, number] {
  const { rounds = 10_000, seed = 1, level = 0.95 } = options;
  const n = values.length;
  if (n === 0) return [Number.NaN, Number.NaN];
  const next = seededRandom(seed);
  const means = new Float64Array(rounds);
  for (let round = 0; round < rounds; round++) {
    let sum = 0;
    for (let drawn = 0; drawn < n; drawn++) sum += values[Math.floor((next() / 2 ** 32) * n)]!;
    means[round] = sum / n;
  }
  means.sort();
  return [quantile(means, (1 - level) / 2), quantile(means, (1 + level) / 2)];
}

/** Linear interpolation between order statistics, the usual default of statistics packages (Hyndman and Fan, type 7). */
function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (high - low) * (place - below);
}
