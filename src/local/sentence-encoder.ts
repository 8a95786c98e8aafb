import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { throwIfAborted } from '../core/deadline.js';
import { isSurmiseError, reasonOf, SurmiseError } from '../core/errors.js';
import type { Embedder, Fingerprint, Role } from '../core/ports.js';
import { type EncoderDtype, readEncoderFolder } from './encoder-folder.js';
import { encoderProfile, type Pooling } from './encoder-profiles.js';
import { paddedBatches, tokenWriter } from './encoder-tokens.js';
import { poolRows } from './pooling.js';
import { loadTransformersJs, type PretrainedOptions } from './transformers-js.js';

export interface SentenceEncoderOptions {
  /** A folder in the layout of transformers.js, or the name of a model (`intfloat/multilingual-e5-small`) in `cache`. */
  readonly model: string;
  /** The folder that keeps models by name. Needed for names. */
  readonly cache?: string;
  /** Fetches a model that is not in `cache` from the hub. Default false: nothing is asked of any server. */
  readonly download?: boolean;
  /** Number format of the weights. Default the most exact one that is there. */
  readonly dtype?: EncoderDtype;
  /** Tokens in one text with the model's marks, 8 or more; default what the model's files say, 2,048 at most. */
  readonly maxTokens?: number;
  /** Default what the model's files or its family say, else the mean. */
  readonly pooling?: Pooling;
  /** What stands before a text, by role. Default what the model's files or its family say, else nothing. */
  readonly prefixes?: NonNullable<Fingerprint['prefixes']>;
}

const batch = 64;
/** The memory of one call grows with the square of the tokens of a text. */
const defaultMaxTokens = 2_048;
/** Tokens of one run of the model, padding included; more are not faster, as the caches of a core hold no more. */
const runTokens = 2_048;
/** One thread each, so that they never wait for one another. */
const concurrency = Math.min(4, availableParallelism());
/** A longer text has no token of interest at its end: the model sees the first `maxTokens` only. */
const charactersPerToken = 64;
/** Part of the model's identity: changes whenever vectors would. */
const revision = 1;

/**
 * A sentence encoder that runs on this machine, through the optional package `@huggingface/transformers`. Texts are cut
 * at the model's limit, its marks kept; vectors have length 1. A text without any token gives the zero vector. The
 * fingerprint holds a hash of weights, vocabulary, limit and pooling. Vectors of a text differ by less than 1e-5 with the
 * texts beside it.
 *
 * @throws SurmiseError `bad_argument` where the package is missing or an option is out of range, `unreadable`,
 *   `bad_data` for a folder that holds no encoder, `provider_failed` where the model can not be fetched or does not run
 */
export async function sentenceEncoder(options: SentenceEncoderOptions): Promise<Embedder> {
  const { model, maxTokens: asked } = options;
  if (asked !== undefined && !(Number.isInteger(asked) && asked >= 8))
    throw new SurmiseError('bad_argument', `maxTokens must be a whole number, 8 or more; it is ${asked}.`);
  const transformers = await loadTransformersJs();
  const { folder, root, id } = await placeOf(options);
  const files = await readEncoderFolder(folder, options.dtype);
  const profile = encoderProfile(model);
  const pooling = options.pooling ?? files.pooling ?? profile.pooling ?? 'mean';
  const prefixes = options.prefixes ?? files.prefixes ?? profile.prefixes;
  const maxTokens = asked ?? Math.min(files.maxTokens ?? defaultMaxTokens, defaultMaxTokens);

  const failed = (error: unknown): SurmiseError =>
    isSurmiseError(error)
      ? error
      : new SurmiseError('provider_failed', `The encoder ${model} does not run: ${reasonOf(error)}`, { cause: error });
  const loaded: PretrainedOptions = {
    cache_dir: root,
    local_files_only: true,
    dtype: files.dtype,
    session_options: { intraOpNumThreads: 1, interOpNumThreads: 1 },
  };
  const run = await transformers.AutoModel.from_pretrained(id, loaded).catch((error: unknown) => {
    throw failed(error);
  });
  const tokenizer = new transformers.PreTrainedTokenizer(files.tokenizer, files.tokenizerConfig);
  const tokens = tokenWriter((text) => tokenizer.encode(text), maxTokens);
  const characters = maxTokens * charactersPerToken;

  const encode = async (rows: readonly (readonly number[])[]): Promise<Float32Array[]> => {
    const width = Math.max(...rows.map((row) => row.length));
    const flat = (value: (token: number | undefined) => number) => {
      const data = new BigInt64Array(rows.length * width);
      rows.forEach((row, r) => {
        for (let i = 0; i < width; i++) data[r * width + i] = BigInt(value(row[i]));
      });
      return new transformers.Tensor('int64', data, [rows.length, width]);
    };
    const output = await run({
      input_ids: flat((token) => token ?? 0),
      attention_mask: flat((token) => (token === undefined ? 0 : 1)),
      token_type_ids: flat(() => 0),
    });
    const states = output.last_hidden_state ?? output.token_embeddings;
    if (states === undefined)
      throw new SurmiseError('provider_failed', `${model} gives no token vectors, so it is no sentence encoder.`, {
        fatal: true,
      });
    const lengths = rows.map((row) => row.length);
    return poolRows(states, lengths, pooling);
  };

  const embed = async (texts: readonly string[], role: Role, signal?: AbortSignal): Promise<Float32Array[]> => {
    throwIfAborted(signal);
    const prefix = prefixes?.[role] ?? '';
    const nothing = tokens.cut(prefix).length;
    const rows = texts.map((text) => tokens.cut(prefix + text.slice(0, characters)));
    const vectors: Float32Array[] = rows.map(() => new Float32Array(dimensions));
    const places = rows.flatMap((row, at) => (row.length > nothing && texts[at]!.trim() !== '' ? [at] : []));
    for (const run of paddedBatches(places, (at) => rows[at]!.length, runTokens)) {
      const encoded = await encode(run.map((at) => rows[at]!)).catch((error: unknown) => {
        throw failed(error);
      });
      throwIfAborted(signal);
      run.forEach((at, i) => {
        vectors[at] = encoded[i]!;
      });
    }
    return vectors;
  };

  let dimensions = 0;
  const [probe] = await encode([tokens.cut('probe')]).catch((error: unknown) => {
    throw failed(error);
  });
  dimensions = probe!.length;
  const identity = createHash('sha256').update(JSON.stringify([revision, files.hash, maxTokens, pooling]));
  return {
    fingerprint: {
      provider: 'local',
      model: `${basename(folder)}-${files.dtype}-${identity.digest('hex').slice(0, 12)}`,
      dimensions,
      normalised: true,
      ...(prefixes && { prefixes }),
    },
    limits: { batch, characters, tokens: maxTokens, concurrency },
    countTokens: tokens.count,
    embed: (texts, { role, signal }) => embed(texts, role, signal),
  };
}

/** Where a model is: transformers.js wants the folder around it and the name below that. */
async function placeOf({
  model,
  cache,
  download = false,
}: SentenceEncoderOptions): Promise<{ folder: string; root: string; id: string }> {
  if (model === '') throw new SurmiseError('bad_argument', 'The name of the encoder is empty.');
  const folder = resolve(model);
  if (existsSync(folder)) return { folder, root: dirname(folder), id: basename(folder) };
  const isName = /^[\w.-]+(\/[\w.-]+)?$/.test(model) && !model.split('/').some((part) => /^\.+$/.test(part));
  if (cache === undefined || !isName)
    throw new SurmiseError(
      'unreadable',
      `There is no folder ${folder}. Name a folder with config.json, tokenizer.json and onnx/model.onnx.`,
    );
  const root = resolve(cache);
  const kept = { folder: join(root, model), root, id: model };
  if (existsSync(kept.folder)) return kept;
  if (!download)
    throw new SurmiseError(
      'unreadable',
      `The encoder ${model} is neither a folder nor in ${root}, and nothing is fetched unasked. Put its files into ${kept.folder}.`,
    );
  return kept;
}
