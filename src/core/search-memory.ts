import { type CircuitBreaker, createCircuitBreakers } from './circuit-breaker.js';
import { SurmiseError } from './errors.js';
import { createGenerations, type Generations, type GenerationsOptions } from './generations.js';
import { createLru, type Lru } from './lru.js';
import type { Embedder, ModelCache } from './ports.js';
import { createStockAnswers, type StockAnswers } from './stock-answers.js';

/** Vectors of questions and hypotheses that are kept. */
const maxVectors = 1_000;
/** Numbers in them all. */
const maxNumbers = 2_000_000;

/** Where what models made is kept; one cache may serve for both. */
export interface ModelCaches {
  /** Hypotheses, by generator, instructions and question. */
  readonly generations?: ModelCache;
  /** Vectors, by fingerprint, role and text: not worth it for an embedder that is as quick as reading a file. */
  readonly vectors?: ModelCache;
}

/** What the searches of one Surmise share. */
export interface SearchMemory {
  readonly generations: Generations;
  /** By embedder, role and text. */
  readonly vectors: Lru<Float32Array>;
  /** Vectors beyond the life of this process. */
  readonly vectorCache?: ModelCache;
  /** Keeps searches from an embedder that fails again and again. */
  readonly embedderBreaker: (embedder: Embedder) => CircuitBreaker;
  /** Passages that were written for one question and may come again for another. */
  readonly stock: StockAnswers;
}

/** @throws SurmiseError `bad_argument` */
export function createSearchMemory(
  options: Omit<GenerationsOptions, 'cache'> & { readonly caches?: ModelCaches } = {},
): SearchMemory {
  const { caches = {}, ...rest } = options;
  checkModelCache(caches.generations);
  checkModelCache(caches.vectors);
  return {
    generations: createGenerations({ ...rest, ...(caches.generations && { cache: caches.generations }) }),
    vectors: createLru(maxVectors, maxNumbers, ({ length }) => length),
    ...(caches.vectors && { vectorCache: caches.vectors }),
    embedderBreaker: createCircuitBreakers(),
    stock: createStockAnswers(),
  };
}

function checkModelCache(cache: ModelCache | undefined): void {
  if (cache === undefined || (typeof cache?.find === 'function' && typeof cache.keep === 'function')) return;
  throw new SurmiseError('bad_argument', 'A cache of what models made needs the methods "find" and "keep".');
}
