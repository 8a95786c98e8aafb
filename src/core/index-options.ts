import { checkRetries, indexingRetries, type Retries } from './cool-down.js';
import { SurmiseError } from './errors.js';
import type { WriteProgress } from './index-batches.js';
import type { IndexChunking } from './index-input.js';
import type { TokenBudget } from './token-budget.js';

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
  /**
   * How many tokens may be embedded, see `createTokenBudget`. Documents beyond it are written without vectors, which the
   * next run adds; the report says what is left. Default: no bound.
   */
  readonly budget?: TokenBudget;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: IndexProgress) => void;
}

export type CheckedIndexOptions = Required<Pick<IndexOptions, 'chunking' | 'dryRun'>> &
  Pick<IndexOptions, 'budget' | 'signal' | 'onProgress'> & { readonly retries: Retries };

const optionNames = ['chunking', 'dryRun', 'retries', 'budget', 'signal', 'onProgress'];

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
  const { chunking = {}, dryRun = false, retries = {}, budget, signal, onProgress } = options;
  if (!isObject(chunking)) throw bad('"chunking" must be an object.');
  if (typeof dryRun !== 'boolean') throw bad('"dryRun" must be true or false.');
  if (budget !== undefined && typeof budget?.reserve !== 'function')
    throw bad('"budget" must be what createTokenBudget gives.');
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw bad('"signal" must be an AbortSignal.');
  if (onProgress !== undefined && typeof onProgress !== 'function') throw bad('"onProgress" must be a function.');
  return {
    chunking,
    dryRun,
    retries: checkRetries(retries, indexingRetries),
    ...(budget !== undefined && { budget }),
    ...(signal !== undefined && { signal }),
    ...(onProgress !== undefined && { onProgress }),
  };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
