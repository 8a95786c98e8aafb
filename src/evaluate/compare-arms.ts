import { SurmiseError } from '../core/errors.js';
import { holm } from './holm.js';
import { comparePaired, type PairedComparison, type PairedOptions } from './paired-comparison.js';

export interface CompareArmsOptions extends PairedOptions {
  /** Every other arm is compared with this one. Default: each arm with the one that it builds on, see `baseOf`. */
  readonly baseline?: string;
}

/** An arm against another on the same queries. Differences are arm − base: above 0, the arm is better. */
export interface ArmComparison extends PairedComparison {
  readonly arm: string;
  readonly base: string;
  /**
   * `p` adjusted by Holm's method for all comparisons made at once. With 0.05 or more, `verdict` says `not worse` where
   * the interval of this pair alone would say `better`.
   */
  readonly pHolm: number;
}

/** The chance of any false finding among the comparisons stays below this. */
const level = 0.05;

/**
 * Compares arms query by query.
 *
 * @param arms name → query → value, of the same queries
 * @throws SurmiseError `bad_argument` for a baseline that is not among them, or arms of different queries
 */
export function compareArms(
  arms: ReadonlyMap<string, ReadonlyMap<string, number>>,
  options: CompareArmsOptions = {},
): ArmComparison[] {
  const { baseline, ...paired } = options;
  const names = [...arms.keys()];
  if (baseline !== undefined && !arms.has(baseline))
    throw new SurmiseError(
      'bad_argument',
      `The baseline '${baseline}' is not among the arms ${names.join(', ')}. Add it to them.`,
    );
  const pairs = names.flatMap((arm) => {
    const base = baseline ?? baseOf(arm, names);
    return base === undefined || base === arm ? [] : [{ arm, base }];
  });
  const compared = pairs.map(({ arm, base }) => comparePaired(arms.get(base)!, arms.get(arm)!, paired));
  const adjusted = holm(compared.map(({ p }) => p));
  return pairs.map((pair, i) => {
    const { verdict, ...comparison } = compared[i]!;
    const pHolm = adjusted[i]!;
    return { ...pair, ...comparison, pHolm, verdict: verdict === 'better' && pHolm >= level ? 'not worse' : verdict };
  });
}

/**
 * What an arm builds on, among those measured: the one whose name is the longest beginning of its own, so that
 * `hybrid+feedback+hyde` is compared with `hybrid+feedback`, else with `hybrid`. A mode alone is compared with `lexical`.
 */
export function baseOf(arm: string, measured: readonly string[]): string | undefined {
  const parts = arm.split('+');
  for (let length = parts.length - 1; length > 0; length--) {
    const shorter = parts.slice(0, length).join('+');
    if (measured.includes(shorter)) return shorter;
  }
  return parts.length === 1 && arm !== 'lexical' && measured.includes('lexical') ? 'lexical' : undefined;
}
