/**
 * p-values adjusted for a family of tests by Holm's step-down method (1979), in the order given: the smallest counts
 * m-fold, the next (m − 1)-fold and so on, never below the one before, at most 1. The chance of any false finding in the
 * family stays below the level that adjusted values are compared with.
 */
export function holm(pValues: readonly number[]): number[] {
  const order = pValues.map((_, index) => index).sort((a, b) => pValues[a]! - pValues[b]! || a - b);
  const adjusted = new Array<number>(pValues.length);
  let least = 0;
  order.forEach((index, step) => {
    least = Math.max(least, Math.min(1, pValues[index]! * (pValues.length - step)));
    adjusted[index] = least;
  });
  return adjusted;
}
