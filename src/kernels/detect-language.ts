import { detectAll } from 'tinyld/light';
import { normaliseText } from './fold.js';
import { voteByStopWords } from './stop-word-votes.js';
import { stopWordLanguages } from './stop-words.js';

const sampleLength = 1_500;
/** Fewer letters say nothing: names and terms are alike in many languages. Other scripts narrow the choice down. */
const fewestLetters = 12;
const fewestLatinLetters = 40;
const latin = /\p{Script=Latin}/u;
const fewestStopWords = 2;
/** Running text has more of its own function words than this, lists and names have fewer. */
const stopWordShare = 0.12;
const lead = 1.5;
const anyWord = /\p{L}[\p{L}\p{M}]*/gu;

interface Vote {
  readonly language: string | undefined;
  /** How much of the sample the winner's function words make up, 0 to 1. */
  readonly share: number;
}

/**
 * Function words tell related languages apart better than letters do, and a foreign name does not mislead them. Those
 * that many languages share (`de`, `a`) count less than those of one.
 */
function voteOfStopWords(sample: string): Vote {
  const { votes, words } = voteByStopWords(sample);
  votes.sort((a, b) => b.score - a.score);
  const [first, second] = votes;
  if (first === undefined || second === undefined || first.count === 0) return { language: undefined, share: 0 };
  const clear = first.count >= fewestStopWords && first.score >= lead * second.score;
  return { language: clear ? first.language : undefined, share: first.count / words };
}

/**
 * The ISO 639-1 code of the language of a text, judged by its first 1,500 characters: by function words for the
 * languages that we have lists of, by letter sequences (tinyld) for others. Undefined when the text is too short or the
 * languages are too close to call. The same text always gives the same answer.
 */
export function detectLanguage(text: string): string | undefined {
  const sample = normaliseText(text.slice(0, sampleLength));
  const { language, share } = voteOfStopWords(sample);
  if (language !== undefined && share >= stopWordShare) return language;
  const letters = (sample.match(anyWord) ?? []).reduce((sum, word) => sum + word.length, 0);
  if (letters < (latin.test(sample) ? fewestLatinLetters : fewestLetters)) return undefined;
  const [first, second] = detectAll(sample);
  if (first === undefined || (second !== undefined && first.accuracy < lead * second.accuracy)) return undefined;
  // Where we know the function words of the language, running text must show some of them.
  return stopWordLanguages.includes(first.lang) && language !== first.lang ? undefined : first.lang;
}
