import type { Embedder } from '../core/ports.js';
import type { ModelCaches } from '../core/search-memory.js';

export interface OpenModelCaches {
  readonly caches: ModelCaches;
  readonly close: () => void;
}

export interface ModelCacheUse {
  readonly embedder?: Embedder | undefined;
  /** Whether something writes hypotheses. */
  readonly generates: boolean;
  /** False: nothing is read or kept. */
  readonly wanted: boolean;
}

/**
 * What models made for this index before, beside it. Vectors of the static embedder are not kept: it is as quick as
 * reading a file. Nothing is loaded or opened where nothing would be kept.
 */
export async function openModelCaches(
  index: string,
  { embedder, generates, wanted }: ModelCacheUse,
): Promise<OpenModelCaches> {
  const slow = embedder !== undefined && embedder.fingerprint.provider !== 'static';
  if (!wanted || index === ':memory:' || !(slow || generates)) return { caches: {}, close: () => undefined };
  const { modelCachePath, openModelCache } = await import('../storage/model-cache.js');
  const cache = openModelCache({ path: modelCachePath(index) });
  return {
    caches: { ...(generates && { generations: cache }), ...(slow && { vectors: cache }) },
    close: () => cache.close(),
  };
}
