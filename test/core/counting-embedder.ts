import type { Embedder } from '../../src/core/ports.js';
import { embedder } from './library.js';

export interface CountingEmbedder extends Embedder {
  /** The texts of each call that was answered. */
  readonly calls: (readonly string[])[];
}

/** An embedder that keeps what it was asked; `failAt` is the first call that fails, from 0, `batch` its limit. */
export function countingEmbedder(
  base: Embedder = embedder,
  { batch = base.limits.batch, failAt = Number.NaN } = {},
): CountingEmbedder {
  const calls: (readonly string[])[] = [];
  let asked = 0;
  return {
    ...base,
    calls,
    limits: { batch },
    embed(texts, options) {
      if (asked++ >= failAt) return Promise.reject(new Error('the line is busy'));
      calls.push(texts);
      return base.embed(texts, options);
    },
  };
}
