import { isSurmiseError, reasonOf, SurmiseError } from '../core/errors.js';
import type { Pooling } from './encoder-profiles.js';
import { paddedTensor } from './padded-tensor.js';
import { poolRows } from './pooling.js';
import type { EncoderModel, TransformersJs } from './transformers-js.js';

/** Token numbers of each text to one vector of length 1 each. */
export type EncodeRows = (rows: readonly (readonly number[])[]) => Promise<Float32Array[]>;

/**
 * One run of a loaded model for each call.
 *
 * @param name the model, for people
 * @throws SurmiseError `provider_failed`, from the function that it gives
 */
export function encoderRun(
  transformers: Pick<TransformersJs, 'Tensor'>,
  model: EncoderModel,
  name: string,
  pooling: Pooling,
): EncodeRows {
  const run = async (rows: readonly (readonly number[])[]): Promise<Float32Array[]> => {
    const lengths = rows.map((row) => row.length);
    const output = await model({
      input_ids: paddedTensor(transformers, lengths, (row, token) => rows[row]![token]!),
      attention_mask: paddedTensor(transformers, lengths, () => 1),
      token_type_ids: paddedTensor(transformers, lengths, () => 0),
    });
    const states = output.last_hidden_state ?? output.token_embeddings;
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
