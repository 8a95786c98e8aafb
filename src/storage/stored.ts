import Database from 'better-sqlite3';
import { messageOf } from '../core/errors.js';
import type { Fingerprint, Json } from '../core/ports.js';
import { unpackVector } from './packed-vector.js';

/** The language of texts for which none is known: words are folded but not stemmed. */
export const undetermined = 'und';

/** SQLite checks its pages, not what we keep in them; what of that can not be read is damage of the same kind. */
export function corrupt(what: string): Error {
  return new Database.SqliteError(what, 'SQLITE_CORRUPT');
}

export function isCorrupt(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code === 'SQLITE_CORRUPT';
}

/** A vector of finite numbers out of its bytes. */
export function storedVector(bytes: unknown, dimensions: number): Float32Array {
  const vector = bytes instanceof Uint8Array ? unpackVector(bytes, dimensions) : undefined;
  if (vector === undefined) throw corrupt(`A vector that has not ${dimensions} dimensions`);
  for (const value of vector) if (!Number.isFinite(value)) throw corrupt('A vector with a value that is not finite');
  return vector;
}

export function storedMetadata(json: string): Readonly<Record<string, Json>> {
  const value = decoded('metadata', (): unknown => JSON.parse(json));
  if (!isMetadata(value)) throw corrupt('Metadata that is no object');
  return value;
}

export function isMetadata(value: unknown): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function storedFingerprint(json: string): Fingerprint {
  const value = decoded('the fingerprint', (): unknown => JSON.parse(json));
  if (!isFingerprint(value)) throw corrupt('A fingerprint with a part that is missing or of another kind');
  return value;
}

export function isFingerprint(value: unknown): value is Fingerprint {
  if (typeof value !== 'object' || value === null) return false;
  const { provider, model, dimensions, normalised, prefixes } = value as Partial<Record<keyof Fingerprint, unknown>>;
  return (
    typeof provider === 'string' &&
    typeof model === 'string' &&
    Number.isSafeInteger(dimensions) &&
    (dimensions as number) > 0 &&
    typeof normalised === 'boolean' &&
    (prefixes === undefined || arePrefixes(prefixes))
  );
}

function arePrefixes(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { query, document } = value as { query?: unknown; document?: unknown };
  return typeof query === 'string' && typeof document === 'string';
}

/** What `decode` gives; where it throws, the index is damaged. */
export function decoded<T>(what: string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof Database.SqliteError) throw error;
    throw corrupt(`In ${what}: ${messageOf(error)}`);
  }
}
