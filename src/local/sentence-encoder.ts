import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { throwIfAborted } from '../core/deadline.js';
import { SurmiseError } from '../core/errors.js';
import type { Embedder, Fingerprint, Role } from '../core/ports.js';
import { type EncoderDtype, readEncoderFolder } from './encoder-folder.js';
import { placeEncoder } from './encoder-place.js';
import { encoderProfile, type Pooling, poolings } from './encoder-profiles.js';
import { encoderFailure, encoderRun } from './encoder-run.js';
import { paddedBatches, tokenWriter } from './encoder-tokens.js';
import { loadTransformersJs, withOneThread } from './transformers-js.js';

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
/** Tokens of one run of the model, padding included: more are not faster, and a run can not be interrupted. */
const runTokens = 1_024;
/** Runs of one thread each. */
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
  if (options.pooling !== undefined && !poolings.includes(options.pooling))
    throw new SurmiseError('bad_argument', `pooling must be one of ${poolings.join(', ')}; it is ${options.pooling}.`);
  const transformers = await loadTransformersJs();
  const { folder, root, id } = await placeEncoder(transformers, options);
  const files = await readEncoderFolder(folder, options.dtype);
  const { positions = Number.POSITIVE_INFINITY } = files;
  if (asked !== undefined && asked > positions)
    throw new SurmiseError('bad_argument', `maxTokens is ${asked}, but ${model} takes ${positions} tokens at most.`);
  const profile = encoderProfile(model);
  const pooling = options.pooling ?? files.pooling ?? profile.pooling ?? 'mean';
  const prefixes = options.prefixes ?? files.prefixes ?? profile.prefixes;
  const maxTokens =
    asked ?? Math.min(...[files.maxTokens, profile.maxTokens, defaultMaxTokens].filter((limit) => limit !== undefined));

  const load = async () => {
    const run = await transformers.AutoModel.from_pretrained(id, withOneThread(root, files.dtype));
    const tokenizer = new transformers.PreTrainedTokenizer(files.tokenizer, files.tokenizerConfig);
    return { run, tokens: tokenWriter((text) => tokenizer.encode(text), maxTokens) };
  };
  const { run, tokens } = await load().catch((error: unknown) => {
    throw encoderFailure(model, error);
  });
  const encode = encoderRun(transformers, run, model, pooling);
  const characters = maxTokens * charactersPerToken;

  const [probe] = await encode([tokens.cut('probe')]);
  const dimensions = probe!.length;

  const embed = async (texts: readonly string[], role: Role, signal?: AbortSignal): Promise<Float32Array[]> => {
    throwIfAborted(signal);
    const prefix = prefixes?.[role] ?? '';
    const nothing = tokens.cut(prefix.trimEnd()).length;
    const rows = texts.map((text) => tokens.cut(prefix + text.slice(0, characters)));
    const vectors: Float32Array[] = rows.map(() => new Float32Array(dimensions));
    const places = rows.flatMap((row, at) => (row.length > nothing && texts[at]!.trim() !== '' ? [at] : []));
    for (const group of paddedBatches(places, (at) => rows[at]!.length, runTokens)) {
      const encoded = await encode(group.map((at) => rows[at]!));
      throwIfAborted(signal);
      group.forEach((at, i) => {
        vectors[at] = encoded[i]!;
      });
    }
    return vectors;
  };

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
