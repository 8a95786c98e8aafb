import { SurmiseError } from '../core/errors.js';
import type { Pooling } from './encoder-profiles.js';
import type { Tensor } from './transformers-js.js';

/**
 * One vector of length 1 for each row of token vectors.
 *
 * @param states token vectors, `[rows, tokens, dimensions]`
 * @param lengths tokens of each row; those after it are padding
 * @throws SurmiseError `provider_failed` for a tensor of another shape
 */
export function poolRows({ data, dims }: Tensor, lengths: readonly number[], pooling: Pooling): Float32Array[] {
  const [rows, width, dimensions] = dims;
  const fits = rows === lengths.length && width !== undefined && dimensions !== undefined && dims.length === 3;
  if (!fits || data.length !== rows * width * dimensions)
    throw new SurmiseError(
      'provider_failed',
      `The encoder gave ${dims.join(' × ')} numbers for ${lengths.length} texts. Is it a sentence encoder?`,
      { fatal: true },
    );
  return lengths.map((length, row) => {
    const from = pooling === 'last' ? length - 1 : 0;
    const to = pooling === 'cls' ? 1 : length;
    const sum = new Float64Array(dimensions);
    for (let token = from; token < to; token++) {
      const start = (row * width + token) * dimensions;
      for (let i = 0; i < dimensions; i++) sum[i]! += data[start + i]!;
    }
    // The mean has the direction of the sum.
    let squares = 0;
    for (const value of sum) squares += value * value;
    const factor = squares > 0 ? 1 / Math.sqrt(squares) : 0;
    return Float32Array.from(sum, (value) => value * factor);
  });
}
