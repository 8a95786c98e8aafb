import { isSurmiseError, reasonOf, SurmiseError } from '../core/errors.js';
import type { Pooling } from './encoder-profiles.js';
import { poolRows } from './pooling.js';
import type { EncoderModel, Tensor, TransformersJs } from './transformers-js.js';

/** Token numbers of each text to one vector of length 1 each. */
export type EncodeRows = (rows: readonly (readonly number[])[]) => Promise<Float32Array[]>;

/**
 * One run of a loaded model for each call.
 *
 * @param name the model, for people
 * @throws SurmiseError `provider_failed`, from the function that it gives
 */
export function encoderRun(
  { Tensor }: Pick<TransformersJs, 'Tensor'>,
  model: EncoderModel,
  name: string,
  pooling: Pooling,
): EncodeRows {
  const run = async (rows: readonly (readonly number[])[]): Promise<Float32Array[]> => {
    const width = Math.max(...rows.map((row) => row.length));
    const padded = (write: (token: number | undefined) => number): Tensor => {
      const data = new BigInt64Array(rows.length * width);
      rows.forEach((row, r) => {
        for (let i = 0; i < width; i++) data[r * width + i] = BigInt(write(row[i]));
      });
      return new Tensor('int64', data, [rows.length, width]);
    };
    const output = await model({
      input_ids: padded((token) => token ?? 0),
      attention_mask: padded((token) => (token === undefined ? 0 : 1)),
      token_type_ids: padded(() => 0),
    });
    const states = output.last_hidden_state ?? output.token_embeddings;
    const lengths = rows.map((row) => row.length);
    if (states !== undefined) return poolRows(states, lengths, pooling);
    throw new SurmiseError('provider_failed', `${name} gives no vectors of tokens, so it is no sentence encoder.`, {
      fatal: true,
    });
  };
  return (rows) =>
    run(rows).catch((error: unknown) => {
      throw encoderFailure(name, error);
    });
}

/** Whatever fails in the runtime, as an error of ours. */
export function encoderFailure(name: string, cause: unknown): SurmiseError {
  if (isSurmiseError(cause)) return cause;
  return new SurmiseError('provider_failed', `The encoder ${name} does not run: ${reasonOf(cause)}`, { cause });
}
