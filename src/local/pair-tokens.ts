import { marksOf } from './encoder-tokens.js';
import type { Tokenizer } from './transformers-js.js';

export interface PairTokenizer extends Tokenizer {
  encode(text: string, options?: { readonly text_pair?: string }): number[];
}

/** A question and a text as the model reads them, in one row. */
export interface TokenPair {
  readonly tokens: readonly number[];
  /** Where the second segment begins: the text and the mark behind it. */
  readonly second: number;
}

/**
 * Writes a question and a text with the marks that the model wants around and between them. Of the question, tokens
 * beyond half of the room are left out, of the text what does not fit then.
 *
 * @param cut tokens of one text with its marks, as `tokenWriter` cuts them
 * @param maxTokens marks included, more than those
 */
export function pairWriter(
  tokenizer: PairTokenizer,
  cut: (text: string) => number[],
  maxTokens: number,
): (question: string, text: string) => TokenPair {
  const { marks, sample, before, after } = marksOf(cut);
  const inner = (text: string): number[] => {
    const tokens = cut(text);
    return tokens.slice(before, tokens.length - after);
  };
  const both = tokenizer.encode('a', { text_pair: 'a' });
  const word = sample.length - marks.length;
  const head = both.slice(0, before);
  const middle = both.slice(before + word, both.length - after - word);
  const tail = both.slice(both.length - after);
  const room = Math.max(0, maxTokens - head.length - middle.length - tail.length);

  return (question, text) => {
    const asked = inner(question).slice(0, Math.floor(room / 2));
    const first = [...head, ...asked, ...middle];
    return { tokens: [...first, ...inner(text).slice(0, room - asked.length), ...tail], second: first.length };
  };
}
