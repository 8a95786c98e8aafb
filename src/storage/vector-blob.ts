import { SurmiseError } from '../core/errors.js';
import type { Fingerprint } from '../core/ports.js';
import { keyToBytes } from './keyed-vectors.js';
import { packVector } from './packed-vector.js';

/** @throws SurmiseError `bad_argument` */
export function toKey(key: string): Uint8Array {
  const bytes = keyToBytes(key);
  if (bytes === undefined)
    throw new SurmiseError('bad_argument', `The key of a vector must be hex digits, not "${key}".`);
  return bytes;
}

/**
 * As it is stored.
 *
 * @throws SurmiseError `bad_argument` without a fingerprint, `bad_data` for what is no vector of it
 */
export function toBlob(vector: Float32Array, fingerprint: Fingerprint | undefined): Uint8Array {
  if (fingerprint === undefined)
    throw new SurmiseError('bad_argument', 'Vectors need the fingerprint of their embedder.');
  if (!(vector instanceof Float32Array)) throw new SurmiseError('bad_data', 'A vector must be a Float32Array.');
  if (vector.length !== fingerprint.dimensions)
    throw new SurmiseError(
      'bad_data',
      `A vector has ${vector.length} dimensions where ${fingerprint.dimensions} are stored.`,
    );
  for (let at = 0; at < vector.length; at++)
    if (!Number.isFinite(vector[at]))
      throw new SurmiseError('bad_data', 'A vector holds a value that is not a finite number.');
  return packVector(vector);
}
