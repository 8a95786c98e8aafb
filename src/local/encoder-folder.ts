import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { reasonOf, SurmiseError } from '../core/errors.js';
import type { Fingerprint } from '../core/ports.js';
import type { Pooling } from './encoder-profiles.js';

/** File names that transformers.js gives the weights of each number format. */
const suffixes = {
  fp32: '',
  fp16: '_fp16',
  q8: '_quantized',
  int8: '_int8',
  uint8: '_uint8',
  q4: '_q4',
  q4f16: '_q4f16',
  bnb4: '_bnb4',
} as const;

export type EncoderDtype = keyof typeof suffixes;

/** Configuration and vocabularies are read whole; the largest known ones have a quarter of it. */
const maxJsonBytes = 134_217_728;

/** What the files of a sentence encoder say. */
export interface EncoderFiles {
  readonly dtype: EncoderDtype;
  readonly tokenizer: unknown;
  readonly tokenizerConfig: Readonly<Record<string, unknown>>;
  /** Tokens in one text, marks included, that the model was made for. */
  readonly maxTokens?: number;
  /** Tokens that it can take at all. */
  readonly positions?: number;
  readonly pooling?: Pooling;
  readonly prefixes?: NonNullable<Fingerprint['prefixes']>;
  /** SHA-256 of weights and vocabulary, in hex digits. */
  readonly hash: string;
}

/**
 * Reads a folder in the layout of transformers.js: `config.json`, `tokenizer.json`, `tokenizer_config.json`,
 * `onnx/model*.onnx`, and what sentence-transformers adds where it is there (`sentence_bert_config.json`,
 * `1_Pooling/config.json`, `config_sentence_transformers.json`).
 *
 * @param dtype default the most exact one that is there
 * @throws SurmiseError `unreadable` for what is missing, `bad_data` for what has another form
 */
export async function readEncoderFolder(folder: string, dtype?: EncoderDtype): Promise<EncoderFiles> {
  const weights = await weightFiles(folder, dtype);
  const [config, tokenizerConfig, tokenizer, sentence, pooling, sentences] = await Promise.all([
    json(folder, 'config.json'),
    json(folder, 'tokenizer_config.json'),
    json(folder, 'tokenizer.json'),
    optionalJson(folder, 'sentence_bert_config.json'),
    optionalJson(folder, join('1_Pooling', 'config.json')),
    optionalJson(folder, 'config_sentence_transformers.json'),
  ]);
  const positions = config.max_position_embeddings;
  const known = [sentence.max_seq_length, tokenizerConfig.model_max_length, positions].filter(isLimit);
  const pooled = poolingOf(pooling);
  const prefixes = prefixesOf(sentences.prompts);
  return {
    dtype: weights.dtype,
    tokenizer,
    tokenizerConfig,
    ...(isLimit(positions) && { positions }),
    ...(known.length > 0 && { maxTokens: Math.min(...known) }),
    ...(pooled && { pooling: pooled }),
    ...(prefixes && { prefixes }),
    hash: await contentHash([...weights.files, join(folder, 'tokenizer.json')]),
  };
}

/** The weights of one number format; large ones are in several files. */
async function weightFiles(folder: string, asked?: EncoderDtype): Promise<{ dtype: EncoderDtype; files: string[] }> {
  if (asked !== undefined && !Object.hasOwn(suffixes, asked))
    throw new SurmiseError('bad_argument', `The dtype '${asked}' is none of ${Object.keys(suffixes).join(', ')}.`);
  const names = await readdir(join(folder, 'onnx')).catch((cause: unknown) => {
    throw new SurmiseError(
      'unreadable',
      `${folder} holds no sentence encoder that can be read (${reasonOf(cause)}). Name a folder with config.json, tokenizer.json and onnx/model.onnx.`,
      { cause },
    );
  });
  const dtypes = asked === undefined ? (Object.keys(suffixes) as EncoderDtype[]) : [asked];
  const dtype = dtypes.find((each) => names.includes(`model${suffixes[each]}.onnx`));
  if (dtype === undefined) {
    const present = names.filter((name) => name.endsWith('.onnx')).sort();
    throw new SurmiseError(
      'unreadable',
      `${folder} holds no weights${asked === undefined ? '' : ` of dtype ${asked}`}. There is: ${present.join(', ') || 'none'}.`,
    );
  }
  const file = `model${suffixes[dtype]}.onnx`;
  const files = names.filter((name) => name === file || name.startsWith(`${file}_data`)).sort();
  return { dtype, files: files.map((name) => join(folder, 'onnx', name)) };
}

async function contentHash(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) {
    hash.update(`\0${basename(file)}\0`);
    try {
      for await (const bytes of createReadStream(file, { highWaterMark: 1_048_576 })) hash.update(bytes as Uint8Array);
    } catch (cause) {
      throw unreadable(file, cause);
    }
  }
  return hash.digest('hex');
}

type Fields = Readonly<Record<string, unknown>>;

async function optionalJson(folder: string, name: string): Promise<Fields> {
  const missing = (await stat(join(folder, name)).catch(() => undefined)) === undefined;
  return missing ? {} : json(folder, name);
}

async function json(folder: string, name: string): Promise<Fields> {
  const path = join(folder, name);
  let text: string;
  try {
    const { size } = await stat(path);
    if (size > maxJsonBytes) throw new Error('it is too large');
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw unreadable(path, cause);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  } catch {
    // Said below, as for JSON that is no object.
  }
  throw new SurmiseError('bad_data', `${path} is not the JSON object that it should be. Fetch the model again.`);
}

/** Smaller ones leave no room beside the marks; tokenizers without a limit say 1e30. */
function isLimit(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 8;
}

function poolingOf(config: Fields): Pooling | undefined {
  if (config.pooling_mode_cls_token === true) return 'cls';
  if (config.pooling_mode_lasttoken === true) return 'last';
  return config.pooling_mode_mean_tokens === true ? 'mean' : undefined;
}

function prefixesOf(prompts: unknown): EncoderFiles['prefixes'] {
  if (typeof prompts !== 'object' || prompts === null) return undefined;
  const { query, document, passage } = prompts as Fields;
  const forDocument = document ?? passage ?? '';
  return typeof query === 'string' && typeof forDocument === 'string' ? { query, document: forDocument } : undefined;
}

function unreadable(path: string, cause: unknown): SurmiseError {
  return new SurmiseError(
    'unreadable',
    `${path} can not be read (${reasonOf(cause)}). A sentence encoder needs it; fetch the model again.`,
    { cause },
  );
}
