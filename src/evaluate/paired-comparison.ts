import { SurmiseError } from '../core/errors.js';
import { bootstrapInterval } from './bootstrap.js';
import { randomisationTest } from './randomisation-test.js';

export interface PairedOptions {
  /** How much worse still counts as not worse, in units of the measure. Default 0.01, one point. */
  readonly margin?: number;
  /** Resamples and random assignments. Default 10,000. */
  readonly rounds?: number;
  /** Default 1. */
  readonly seed?: number;
}

/** `new` against `base` on the same queries. Differences are new − base: above 0, the new one is better. */
export interface PairedComparison {
  readonly queries: number;
  readonly difference: number;
  /** 95 % percentile bootstrap interval of the difference. */
  readonly interval: readonly [number, number];
  /** Two-sided paired randomisation test. */
  readonly p: number;
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
  /** Mean difference over the standard deviation of the differences (Cohen's d for pairs); 0 where nothing differs. */
  readonly effect: number;
  /**
   * The smallest true difference that this many queries would show in four of five trials at the 5 % level:
   * 2.802 standard errors (normal approximation).
   */
  readonly detectable: number;
  /**
   * `better`: the whole interval is above 0; `not worse`: its lower end is at −margin or above; `worse`: the whole interval
   * is below −margin; `undecided`: more queries are needed.
   */
  readonly verdict: 'better' | 'not worse' | 'worse' | 'undecided';
}

/** Queries whose values differ by less than this are ties: the same documents may be summed in another order. */
const tie = 1e-9;
/** Standard normal quantiles at 97.5 % and 80 %, added. */
const detectableErrors = 1.959964 + 0.841621;

/**
 * Compares two arms query by query.
 *
 * @param base query → value
 * @param changed query → value, of the same queries
 * @throws SurmiseError `bad_argument` where the queries differ or there are none
 */
export function comparePaired(
  base: ReadonlyMap<string, number>,
  changed: ReadonlyMap<string, number>,
  options: PairedOptions = {},
): PairedComparison {
  const { margin = 0.01, ...resampling } = options;
  const missing = [...base.keys()].find((query) => !changed.has(query));
  if (base.size === 0 || base.size !== changed.size || missing !== undefined)
    throw new SurmiseError(
      'bad_argument',
      base.size === 0
        ? 'There are no queries to compare.'
        : `The two arms answer different queries (${base.size} and ${changed.size}${missing === undefined ? '' : `; "${missing}" is in one only`}). Compare arms of one evaluation.`,
    );
  // In order of the id, so that the order of the answers does not change what is drawn.
  const queries = [...base.keys()].sort();
  const differences = queries.map((query) => {
    const difference = changed.get(query)! - base.get(query)!;
    return Math.abs(difference) < tie ? 0 : difference;
  });
  const n = differences.length;
  const mean = differences.reduce((sum, difference) => sum + difference, 0) / n;
  const variance = n > 1 ? differences.reduce((sum, difference) => sum + (difference - mean) ** 2, 0) / (n - 1) : 0;
  const deviation = Math.sqrt(variance);
  const interval = bootstrapInterval(differences, resampling);
  const wins = differences.filter((difference) => difference > 0).length;
  const losses = differences.filter((difference) => difference < 0).length;
  return {
    queries: n,
    difference: mean,
    interval,
    p: randomisationTest(differences, resampling),
    wins,
    losses,
    ties: n - wins - losses,
    effect: deviation > 0 ? mean / deviation : 0,
    detectable: (detectableErrors * deviation) / Math.sqrt(n),
    verdict: verdictOf(interval, margin),
  };
}

function verdictOf([low, high]: readonly [number, number], margin: number): PairedComparison['verdict'] {
  if (low > 0) return 'better';
  if (low >= -margin) return 'not worse';
  return high < -margin ? 'worse' : 'undecided';
}
