import { seededRandom } from './seeded-random.js';

export interface RandomisationOptions {
  /** Random assignments of sign, 1 to 1,000,000. Default 10,000. */
  readonly rounds?: number;
  /** Default 1. */
  readonly seed?: number;
}

/** Means that differ by less than this count as equal: sums of the same numbers in another order differ a little. */
const relativeTolerance = 1e-12;

/**
 * Two-sided paired randomisation test (Fisher 1935; for retrieval Smucker, Allan and Carterette 2007) of the mean of
 * paired differences: how often a mean at least as far from 0 comes about when the two systems of each query are swapped
 * by chance. Exact where all 2^n assignments are at most `rounds`; else (1 + as far) / (1 + rounds) over random ones,
 * never 0. 1 where every difference is 0 or there is none.
 */
export function randomisationTest(differences: readonly number[], options: RandomisationOptions = {}): number {
  const { rounds = 10_000, seed = 1 } = options;
  // What is 0 stays 0 whichever way it is swapped.
  const moved = differences.filter((difference) => difference !== 0);
  if (moved.length === 0) return 1;
  const magnitude = moved.reduce((sum, difference) => sum + Math.abs(difference), 0);
  const observed = Math.abs(moved.reduce((sum, difference) => sum + difference, 0)) - magnitude * relativeTolerance;
  if (moved.length < 31 && 2 ** moved.length <= rounds) {
    let far = 0;
    for (let signs = 0; signs < 2 ** moved.length; signs++)
      if (Math.abs(signedSum(moved, (index) => (signs >>> index) & 1)) >= observed) far++;
    return far / 2 ** moved.length;
  }
  const next = seededRandom(seed);
  let far = 0;
  for (let round = 0; round < rounds; round++) {
    let bits = 0;
    const sum = signedSum(moved, (index) => {
      if (index % 32 === 0) bits = next();
      return (bits >>> (index % 32)) & 1;
    });
    if (Math.abs(sum) >= observed) far++;
  }
  return (1 + far) / (1 + rounds);
}

function signedSum(values: readonly number[], sign: (index: number) => number): number {
  let sum = 0;
  for (let index = 0; index < values.length; index++) sum += sign(index) === 1 ? -values[index]! : values[index]!;
  return sum;
}
