import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { throwIfAborted } from '../core/deadline.js';
import { SurmiseError } from '../core/errors.js';
import { inParallel } from '../core/in-parallel.js';
import type { Reranker } from '../core/ports.js';
import { type EncoderDtype, readEncoderFolder } from './encoder-folder.js';
import { placeEncoder } from './encoder-place.js';
import { encoderFailure } from './encoder-run.js';
import { paddedBatches, tokenWriter } from './encoder-tokens.js';
import { paddedTensor } from './padded-tensor.js';
import { type PairTokenizer, pairWriter, type TokenPair } from './pair-tokens.js';
import { type EncoderModel, loadTransformersJs, withOneThread } from './transformers-js.js';

export interface CrossEncoderOptions {
  /** A folder in the layout of transformers.js, or the name of a model (`Xenova/ms-marco-MiniLM-L-6-v2`) in `cache`. */
  readonly model: string;
  /** The folder that keeps models by name. Needed for names. */
  readonly cache?: string;
  /** Fetches a model that is not in `cache` from the hub. Default false: nothing is asked of any server. */
  readonly download?: boolean;
  /** Number format of the weights. Default the most exact one that is there. */
  readonly dtype?: EncoderDtype;
  /** Tokens of question and text together with the model's marks, 16 or more; default the model's own, 512 at most. */
  readonly maxTokens?: number;
}

const defaultMaxTokens = 512;
/** Tokens of one run of the model, padding included. */
const runTokens = 2_048;
/** Runs of one thread each. */
const concurrency = Math.min(4, availableParallelism());

/**
 * A cross-encoder that runs on this machine, through the optional package `@huggingface/transformers`: it reads the
 * question and a text together and gives one logit, here as 1/(1 + e^−logit), 0 to 1. What does not fit the model is
 * cut: of the question what exceeds half of the room, of the text the end.
 *
 * @throws SurmiseError `bad_argument` where the package is missing or an option is out of range, `unreadable`,
 *   `bad_data` for a folder that holds no cross-encoder, `provider_failed` where the model can not be fetched or does
 *   not run
 */
export async function crossEncoder(options: CrossEncoderOptions): Promise<Reranker> {
  const { model: name, maxTokens: asked } = options;
  if (asked !== undefined && !(Number.isInteger(asked) && asked >= 16))
    throw new SurmiseError('bad_argument', `maxTokens must be a whole number, 16 or more; it is ${asked}.`);
  const transformers = await loadTransformersJs();
  const { folder, root, id } = await placeEncoder(transformers, options);
  const files = await readEncoderFolder(folder, options.dtype);
  if (asked !== undefined && asked > (files.positions ?? Number.POSITIVE_INFINITY))
    throw new SurmiseError('bad_argument', `maxTokens is ${asked}, but ${name} takes ${files.positions} at most.`);
  const maxTokens = asked ?? Math.min(files.maxTokens ?? defaultMaxTokens, defaultMaxTokens);
  const load = async () => {
    const model = await transformers.AutoModel.from_pretrained(id, withOneThread(root, files.dtype));
    const tokenizer = new transformers.PreTrainedTokenizer(files.tokenizer, files.tokenizerConfig) as PairTokenizer;
    const single = tokenWriter((text) => tokenizer.encode(text), maxTokens);
    return { model, pair: pairWriter(tokenizer, single.cut, maxTokens) };
  };
  const { model, pair } = await load().catch((error: unknown) => {
    throw encoderFailure(name, error);
  });

  const logits = async (pairs: readonly TokenPair[]): Promise<number[]> => {
    const lengths = pairs.map(({ tokens }) => tokens.length);
    const output = await model({
      input_ids: paddedTensor(transformers, lengths, (row, token) => pairs[row]!.tokens[token]!),
      attention_mask: paddedTensor(transformers, lengths, () => 1),
      token_type_ids: paddedTensor(transformers, lengths, (row, token) =>
        token >= pairs[row]!.second && hasSegments(model) ? 1 : 0,
      ),
    });
    const { logits } = output;
    if (logits === undefined || logits.dims[0] !== pairs.length || logits.data.length !== pairs.length)
      throw new SurmiseError(
        'bad_data',
        `${name} does not give one logit for a question and a text: no cross-encoder.`,
      );
    return Array.from(logits.data);
  };

  const rerank: Reranker['rerank'] = async (query, texts, { signal }) => {
    throwIfAborted(signal);
    const pairs = texts.map((text) => pair(query, text));
    const groups = paddedBatches([...pairs.keys()], (at) => pairs[at]!.tokens.length, runTokens);
    const scores = new Array<number>(texts.length);
    await inParallel(groups.length, concurrency, async (index) => {
      throwIfAborted(signal);
      const group = groups[index]!;
      const found = await logits(group.map((at) => pairs[at]!)).catch((error: unknown) => {
        throw encoderFailure(name, error);
      });
      group.forEach((at, i) => {
        scores[at] = 1 / (1 + Math.exp(-found[i]!));
      });
    });
    throwIfAborted(signal);
    return scores;
  };
  // A model that is no cross-encoder is found out here, not in a search.
  await rerank('probe', ['probe'], {});
  return { id: `local/${basename(folder)}-${files.dtype}-${files.hash.slice(0, 12)}`, rerank };
}

/** Whether the model tells question and text apart by numbers; those like RoBERTa know but one. */
function hasSegments(model: EncoderModel): boolean {
  const { config } = model as { readonly config?: { readonly type_vocab_size?: number } };
  return (config?.type_vocab_size ?? 2) > 1;
}
