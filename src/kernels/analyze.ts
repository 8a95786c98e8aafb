import { numberTerms } from './number-terms.js';
import './snowball.js';

export { type NumberedTerms, numberTerms } from './number-terms.js';

/**
 * The index terms of a text, in text order. In this order: NFKC, invisible characters removed; cut at white space, then
 * into tokens; compounds into parts and joined forms; lower case; accents folded and stem taken by `language` (ISO
 * 639-1; other codes and undefined are not stemmed). Stop words stay. Text without a letter, digit, emoji or symbol
 * gives no term. At most a few terms for each character; time grows with the length of the text only.
 */
export function analyze(text: string, language = ''): string[] {
  const { vocabulary, numbers } = numberTerms(text, language);
  const terms: string[] = [];
  for (let at = 0; at < numbers.length; at++) terms.push(vocabulary[numbers[at]!]!);
  return terms;
}
