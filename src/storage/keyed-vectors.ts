import type Database from 'better-sqlite3';
import { readFingerprint } from './read.js';
import { isCorrupt, storedVector } from './stored.js';

/** The bytes of a key; undefined for what is not hex digits, two for each byte. */
export function keyToBytes(key: string): Uint8Array | undefined {
  const bytes = Buffer.from(key, 'hex');
  // What is not hex digits ends the bytes, or, beyond 8 bits, is taken for some.
  const written = bytes.toString('hex');
  return key !== '' && (written === key || written === key.toLowerCase()) ? bytes : undefined;
}

/** The vectors under these keys; keys that are not there are left out, and so is what can not be read: it is made anew. */
export function readKeyedVectors(database: Database.Database, keys: readonly string[]): Map<string, Float32Array> {
  const found = new Map<string, Float32Array>();
  const dimensions = readFingerprint(database)?.dimensions;
  if (dimensions === undefined) return found;
  // Vectors of equal keys are equal, so the first will do.
  const read = database
    .prepare(
      'SELECT value FROM vectors WHERE substr(key, 1, 4) = substr(@key, 1, 4) AND key = @key ORDER BY chunk LIMIT 1',
    )
    .pluck();
  for (const key of keys) {
    const bytes = keyToBytes(key);
    const value = bytes && read.get({ key: bytes });
    const vector = value === undefined ? undefined : readable(value, dimensions);
    if (vector !== undefined) found.set(key, vector);
  }
  return found;
}

function readable(value: unknown, dimensions: number): Float32Array | undefined {
  try {
    return storedVector(value, dimensions);
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    return undefined;
  }
}
