import { createGenerations, type Generations, type GenerationsOptions } from './generations.js';
import { createLru, type Lru } from './lru.js';
import { createStockAnswers, type StockAnswers } from './stock-answers.js';

/** Vectors of questions and hypotheses that are kept. */
const maxVectors = 1_000;
/** Numbers in them all. */
const maxNumbers = 2_000_000;

/** What the searches of one Surmise share. */
export interface SearchMemory {
  readonly generations: Generations;
  /** By role and text, in the space of the embedder. */
  readonly vectors: Lru<Float32Array>;
  /** Passages that were written for one question and may come again for another. */
  readonly stock: StockAnswers;
}

/** @throws SurmiseError `bad_argument` */
export function createSearchMemory(options: GenerationsOptions = {}): SearchMemory {
  return {
    generations: createGenerations(options),
    vectors: createLru(maxVectors, maxNumbers, ({ length }) => length),
    stock: createStockAnswers(),
  };
}
