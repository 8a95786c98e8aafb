import type { Bm25Parameters, PostingsSource } from './bm25.js';

interface Norms extends Bm25Parameters {
  readonly averageLength: number;
  readonly values: Float64Array;
}

/** By the array of lengths, which belongs to one state of an index. */
const known = new WeakMap<PostingsSource['lengths'], Norms>();

/** k1 * (1 - b + b * length / averageLength) of each row: the same for all searches of one state of an index. */
export function lengthNorms({ lengths, averageLength }: PostingsSource, { k1, b }: Bm25Parameters): Float64Array {
  const before = known.get(lengths);
  if (before !== undefined && before.k1 === k1 && before.b === b && before.averageLength === averageLength)
    return before.values;
  const values = new Float64Array(lengths.length);
  for (let row = 0; row < lengths.length; row++) values[row] = lengthNorm(lengths[row]!, averageLength, { k1, b });
  known.set(lengths, { k1, b, averageLength, values });
  return values;
}

/** In an empty index there is no mean length, and nothing to score. */
export function lengthNorm(length: number, averageLength: number, { k1, b }: Bm25Parameters): number {
  return averageLength > 0 ? k1 * (1 - b) + ((k1 * b) / averageLength) * length : k1;
}
