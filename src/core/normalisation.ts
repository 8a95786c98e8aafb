import { SurmiseError } from './errors.js';
import { norm } from './vectors.js';

/** `l2`, `l1`: to length 1; `min-max`: to 0 … 1; `z-score`: to mean 0 and standard deviation 1. */
export type Normalisation = 'l2' | 'l1' | 'min-max' | 'z-score';

/** Each takes values of which the largest has size 1, so no square or difference leaves the range of float64. */
const methods: Readonly<Record<Normalisation, (values: Float64Array) => (value: number) => number>> = {
  l2: (values) => {
    const length = norm(values);
    return (value) => value / length;
  },
  l1: (values) => {
    const length = values.reduce((sum, value) => sum + Math.abs(value), 0);
    return (value) => value / length;
  },
  'min-max': (values) => {
    const [min, max] = range(values);
    // As in fusion: equal values are all the best there is. 0 would make a lone candidate the worst.
    return (value) => (max > min ? (value - min) / (max - min) : 1);
  },
  'z-score': (values) => {
    const [min, max] = range(values);
    if (min === max) return () => 0;
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const deviation = norm(values.map((value) => value - mean)) / Math.sqrt(values.length);
    return (value) => (value - mean) / deviation;
  },
};

/**
 * A vector, or a list of scores, on a common scale, as a fresh Float32Array of the same length.
 *
 * A vector of zeros has no direction and stays zero with `l2` and `l1`. Equal values become 1 with `min-max` and 0 with
 * `z-score`, whose deviation is that of the whole population (divided by n).
 *
 * @throws SurmiseError `bad_argument`: an unknown method, or a value that is not finite
 */
export function normalizeBy(values: ArrayLike<number>, method: Normalisation): Float32Array {
  if (!Object.hasOwn(methods, method))
    throw new SurmiseError(
      'bad_argument',
      `Unknown normalisation "${method}". Known: ${Object.keys(methods).join(', ')}.`,
    );
  const given = Float64Array.from(values);
  let most = 0;
  for (const value of given) {
    if (!Number.isFinite(value))
      throw new SurmiseError('bad_argument', 'Can not normalise: a value is not a finite number.');
    most = Math.max(most, Math.abs(value));
  }
  const scaled = most === 0 ? given : given.map((value) => value / most);
  if (most === 0 && (method === 'l2' || method === 'l1')) return new Float32Array(given.length);
  return Float32Array.from(scaled, methods[method](scaled));
}

function range(values: Float64Array): [min: number, max: number] {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return [min, max];
}
