import { wordsOf } from './hypothesis-words.js';
import { createLru } from './lru.js';

/** Passages that are remembered, and words of the questions with each. */
const maxPassages = 1_000;
const maxWords = 200;

/** Passages that a model gives to whatever it is asked: an example out of its training, or the prompt's own. */
export interface StockAnswers {
  /**
   * Whether this very passage was the answer to another question before, one that has no word in common with this one.
   * Such a passage says nothing about either. Remembers the passage if it is new.
   */
  has(passage: string, question: string): boolean;
}

export function createStockAnswers(): StockAnswers {
  const questions = createLru<ReadonlySet<string>>(maxPassages);
  return {
    has(passage, question) {
      const key = wordsOf(passage).join(' ');
      const words = new Set(wordsOf(question).slice(0, maxWords));
      const first = questions.get(key);
      if (first !== undefined) return words.size > 0 && first.size > 0 && ![...words].some((word) => first.has(word));
      questions.set(key, words);
      return false;
    },
  };
}
