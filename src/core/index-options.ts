import { checkRetries, indexingRetries, type Retries } from './cool-down.js';
import { SurmiseError } from './errors.js';
import type { WriteProgress } from './index-batches.js';
import type { IndexChunking } from './index-input.js';

/** So far: `embedded` counts texts; `waiting` is there while the embedder is left alone for a time. */
export interface IndexProgress extends WriteProgress {
  /** Documents seen so far. */
  readonly seen: number;
}

export interface IndexOptions {
  /** How documents are cut; the embedder says how tokens are counted and what it takes at most. */
  readonly chunking?: IndexChunking;
  /** Says what would be done, and what it would take, without embedding or writing anything. Default false. */
  readonly dryRun?: boolean;
  /** How long an embedder that fails for the moment is tried again. Default `indexingRetries`. */
  readonly retries?: Partial<Retries>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: IndexProgress) => void;
}

export type CheckedIndexOptions = Required<Pick<IndexOptions, 'chunking' | 'dryRun'>> &
  Pick<IndexOptions, 'signal' | 'onProgress'> & { readonly retries: Retries };

const optionNames = ['chunking', 'dryRun', 'retries', 'signal', 'onProgress'];

/**
 * Fills in the defaults. An option that is `undefined` counts as not given. What is in `chunking` is checked where
 * documents are cut.
 *
 * @throws SurmiseError `bad_argument`
 */
export function checkIndexOptions(options: IndexOptions): CheckedIndexOptions {
  const bad = (message: string) => new SurmiseError('bad_argument', message);
  if (!isObject(options)) throw bad('The indexing options must be an object.');
  const unknown = Object.keys(options).find((name) => !optionNames.includes(name));
  if (unknown !== undefined) throw bad(`Unknown indexing option "${unknown}". Known: ${optionNames.join(', ')}.`);
  const { chunking = {}, dryRun = false, retries = {}, signal, onProgress } = options;
  if (!isObject(chunking)) throw bad('"chunking" must be an object.');
  if (typeof dryRun !== 'boolean') throw bad('"dryRun" must be true or false.');
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw bad('"signal" must be an AbortSignal.');
  if (onProgress !== undefined && typeof onProgress !== 'function') throw bad('"onProgress" must be a function.');
  return {
    chunking,
    dryRun,
    retries: checkRetries(retries, indexingRetries),
    ...(signal !== undefined && { signal }),
    ...(onProgress !== undefined && { onProgress }),
  };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
