import type { Tensor, TransformersJs } from './transformers-js.js';

/** Numbers of tokens as a model takes them, `[rows, tokens of the longest row]`; behind the end of a row they are 0. */
export function paddedTensor(
  { Tensor }: Pick<TransformersJs, 'Tensor'>,
  lengths: readonly number[],
  numberAt: (row: number, token: number) => number,
): Tensor {
  const width = Math.max(...lengths);
  const data = new BigInt64Array(lengths.length * width);
  lengths.forEach((length, row) => {
    for (let token = 0; token < length; token++) data[row * width + token] = BigInt(numberAt(row, token));
  });
  return new Tensor('int64', data, [lengths.length, width]);
}
