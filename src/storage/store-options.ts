import { SurmiseError } from '../core/errors.js';
import type { Bm25Parameters } from '../kernels/bm25.js';
import type { Access } from './open.js';

export interface SqliteStoreOptions {
  /** The index file, or `:memory:`. */
  readonly path: string;
  /** `read` needs an index to be there and never changes it. Default `write`. */
  readonly access?: Access;
  /** `k1` 0 or more, `b` 0 to 1. Default 0.9 and 0.4. */
  readonly bm25?: Bm25Parameters;
  /** How long a call waits for another process that writes, in milliseconds. Default 60,000. */
  readonly waitMs?: number;
  /**
   * Bytes of float32 vectors that are kept in memory at most; those of a larger index stay in the file but for a byte for
   * each number. Results are the same. Default 134,217,728.
   */
  readonly floatBytes?: number;
}

const maxWaitMs = 86_400_000;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Options that are `undefined` count as not given.
 *
 * @throws SurmiseError `bad_argument` for an unknown option or a value out of range
 */
export function checkStoreOptions(options: SqliteStoreOptions): void {
  const names = ['path', 'access', 'bm25', 'waitMs', 'floatBytes'];
  const { path, access, bm25, waitMs, floatBytes } = checkNames('store options', options, names);
  // A blank path would mean a database that is gone when it is closed, and white space around one would be cut off.
  if (typeof path !== 'string' || path === '' || path !== path.trim() || path.includes('\0'))
    throw new SurmiseError(
      'bad_argument',
      '"path" must name the index file without white space around it, or be ":memory:".',
    );
  if (access !== undefined && access !== 'read' && access !== 'write')
    throw new SurmiseError('bad_argument', '"access" must be "read" or "write".');
  if (waitMs !== undefined && !(typeof waitMs === 'number' && waitMs >= 0 && waitMs <= maxWaitMs))
    throw new SurmiseError('bad_argument', `"waitMs" must be a number from 0 to ${maxWaitMs}.`);
  if (floatBytes !== undefined && !(Number.isSafeInteger(floatBytes) && (floatBytes as number) >= 0))
    throw new SurmiseError('bad_argument', '"floatBytes" must be a whole number of 0 or more.');
  if (bm25 === undefined) return;
  const { k1, b } = checkNames('bm25 parameters', bm25, ['k1', 'b']);
  if (typeof k1 !== 'number' || !Number.isFinite(k1) || k1 < 0)
    throw new SurmiseError('bad_argument', '"bm25.k1" must be a finite number of 0 or more.');
  if (typeof b !== 'number' || !(b >= 0 && b <= 1))
    throw new SurmiseError('bad_argument', '"bm25.b" must be a number from 0 to 1.');
}

function checkNames(what: string, value: unknown, names: readonly string[]): Record<string, unknown> {
  if (!isObject(value)) throw new SurmiseError('bad_argument', `The ${what} must be an object.`);
  for (const name of Object.keys(value))
    if (!names.includes(name))
      throw new SurmiseError('bad_argument', `Unknown name "${name}" in the ${what}. Known: ${names.join(', ')}.`);
  return value;
}
