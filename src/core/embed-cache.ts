import { reasonOf } from './errors.js';
import { keptVectors } from './model-cache.js';
import type { Fingerprint, ModelCache } from './ports.js';

/** Vectors of documents that are kept beyond a run; a cache that fails once is left alone for the rest of the run. */
export interface EmbedCache {
  find(texts: readonly string[]): Promise<(Float32Array | undefined)[]>;
  keep(texts: readonly string[], vectors: readonly Float32Array[]): Promise<void>;
  /** Why the run went on without it. */
  readonly failure: string | undefined;
}

export function embedCache(cache: ModelCache | undefined, fingerprint: Fingerprint): EmbedCache {
  const kept = cache && keptVectors(cache, fingerprint);
  let failure: string | undefined;
  const trying = async <T>(work: () => Promise<T> | undefined, otherwise: T): Promise<T> => {
    if (failure !== undefined) return otherwise;
    try {
      return (await work()) ?? otherwise;
    } catch (error) {
      failure ??= reasonOf(error);
      return otherwise;
    }
  };
  return {
    find: (texts) => trying(() => kept?.find(texts, 'document'), []),
    keep: (texts, vectors) => trying(() => kept?.keep(texts, vectors, 'document'), undefined),
    get failure() {
      return failure;
    },
  };
}
