import { reasonOf, SurmiseError } from '../core/errors.js';

/** Rows of equal length, flat, with what their numbers are. */
export interface Tensor {
  readonly data: ArrayLike<number>;
  readonly dims: readonly number[];
}

export interface Tokenizer {
  /** Token numbers of a text, with the marks of beginning and end. */
  encode(text: string): number[];
}

export interface EncoderModel {
  (inputs: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>;
  dispose(): Promise<unknown>;
}

export interface PretrainedOptions {
  readonly cache_dir: string;
  /** True: nothing is asked of any server. */
  readonly local_files_only: boolean;
  readonly dtype: string;
  readonly session_options: { readonly intraOpNumThreads: number; readonly interOpNumThreads: number };
}

/** What Surmise uses of the package, described here so that our types need it no more than our code does. */
export interface TransformersJs {
  readonly PreTrainedTokenizer: new (tokenizer: unknown, config: unknown) => Tokenizer;
  readonly AutoModel: { from_pretrained(id: string, options: PretrainedOptions): Promise<EncoderModel> };
  readonly AutoTokenizer: { from_pretrained(id: string, options: { readonly cache_dir: string }): Promise<unknown> };
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => Tensor;
}

/** Several texts are encoded at a time instead: threads of one run wait for one another, on a busy machine for long. */
export function withOneThread(root: string, dtype: string): PretrainedOptions {
  return {
    cache_dir: root,
    local_files_only: true,
    dtype,
    session_options: { intraOpNumThreads: 1, interOpNumThreads: 1 },
  };
}

const packageName = '@huggingface/transformers';

/**
 * The optional package `@huggingface/transformers`, loaded when a model is.
 *
 * @throws SurmiseError `bad_argument` where it is not installed or does not load
 */
export async function loadTransformersJs(): Promise<TransformersJs> {
  try {
    return (await import('@huggingface/transformers')) as unknown as TransformersJs;
  } catch (error) {
    const absent = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    const why = absent ? '' : `, which does not load (${reasonOf(error)})`;
    throw new SurmiseError(
      'bad_argument',
      `Local sentence encoders need the package "${packageName}"${why}; install it with: npm install ${packageName}@4`,
      { cause: error },
    );
  }
}
