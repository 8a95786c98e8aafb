import { withDeadline } from './deadline.js';
import { digester } from './digest.js';
import { fingerprintKey } from './fingerprint.js';
import type { Fingerprint, Generation, ModelCache, Role } from './ports.js';

/** Bytes of SHA-256 that a key keeps: 128 bits are enough that no two things meet. */
const keyBytes = 16;
/** What a cache may take before one goes on without it. */
const waitMs = 300;
/** What one that works takes at most: it is not held against the end of the search's time. */
const graceMs = 25;

/** A cache that answers within the time that is left, or fails. */
function bounded(cache: ModelCache, leftMs = () => waitMs) {
  const inTime = <T>(what: string, work: () => Promise<T>) =>
    withDeadline(what, Math.min(waitMs, Math.max(graceMs, leftMs())), undefined, work);
  return {
    find: (keys: readonly string[]) => inTime('Looking for what models made before', () => cache.find(keys)),
    keep: (entries: ReadonlyMap<string, Uint8Array>) => inTime('Keeping what models made', () => cache.keep(entries)),
  };
}

/**
 * Vectors by fingerprint, role and text. Neither the cache nor who reads it learns a text.
 *
 * @throws what the cache throws, `timeout` where it does not answer
 */
export function keptVectors(cache: ModelCache, fingerprint: Fingerprint, leftMs?: () => number) {
  const { find, keep } = bounded(cache, leftMs);
  const keyOf = vectorKeys(fingerprint);
  return {
    /** A vector of the fingerprint's dimensions, or `undefined`, for each text. */
    async find(texts: readonly string[], role: Role): Promise<(Float32Array | undefined)[]> {
      if (texts.length === 0) return [];
      const keys = texts.map((text) => keyOf(role, text));
      const found = await find([...new Set(keys)]);
      return keys.map((key) => vectorOf(found.get(key), fingerprint.dimensions));
    },
    keep(texts: readonly string[], vectors: readonly Float32Array[], role: Role): Promise<void> {
      return keep(new Map(texts.map((text, at) => [keyOf(role, text), bytesOf(vectors[at]!)])));
    },
  };
}

function vectorKeys(fingerprint: Fingerprint): (role: Role, text: string) => string {
  const space = fingerprintKey(fingerprint);
  const keys = { query: digester(`query ${space}\n`, keyBytes), document: digester(`document ${space}\n`, keyBytes) };
  return (role, text) => keys[role](text);
}

/**
 * What generators wrote, by what they were asked, generator and instructions included. What has a vector is not kept:
 * nothing says of which embedder it is.
 *
 * @throws what the cache throws, `timeout` where it does not answer
 */
export function keptGenerations(cache: ModelCache, leftMs?: () => number) {
  const { find, keep } = bounded(cache, leftMs);
  const keyOf = digester('generations\n', keyBytes);
  return {
    async find(wanted: string): Promise<readonly Generation[] | undefined> {
      const key = keyOf(wanted);
      return generationsOf((await find([key])).get(key));
    },
    async keep(wanted: string, list: readonly Generation[]): Promise<void> {
      if (list.some(({ vector }) => vector !== undefined)) return;
      await keep(new Map([[keyOf(wanted), new TextEncoder().encode(JSON.stringify(list))]]));
    },
  };
}

/** Little-endian on every platform that has typed arrays by now. */
function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** What can not be a vector of the space is as if it were not there. */
function vectorOf(bytes: unknown, dimensions: number): Float32Array | undefined {
  if (!(bytes instanceof Uint8Array) || bytes.byteLength !== 4 * dimensions) return undefined;
  const vector = new Float32Array(bytes.slice().buffer);
  return vector.every(Number.isFinite) ? vector : undefined;
}

function generationsOf(bytes: unknown): Generation[] | undefined {
  if (!(bytes instanceof Uint8Array)) return undefined;
  try {
    const list: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return Array.isArray(list) && list.length > 0 && list.every(isGeneration) ? list : undefined;
  } catch {
    return undefined;
  }
}

function isGeneration(value: unknown): value is Generation {
  if (typeof value !== 'object' || value === null || !('text' in value) || typeof value.text !== 'string') return false;
  return !('vector' in value) && (!('weight' in value) || typeof value.weight === 'number');
}
