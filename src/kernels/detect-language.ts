import { detectAll } from 'tinyld/light';
import { foldAccents, normaliseText } from './fold.js';
import { stopWordLanguages, stopWordsOf } from './stop-words.js';

const sampleLength = 1_500;
/** Fewer letters say nothing: names and terms are alike in many languages. */
const fewestLetters = 12;
const fewestStopWords = 2;
/** Running text has more of its own function words than this, lists and names have fewer. */
const stopWordShare = 0.12;
const lead = 1.5;
const words = /\p{L}[\p{L}\p{M}]*/gu;

interface Vote {
  readonly language: string | undefined;
  /** How much of the sample the winner's function words make up, 0 to 1. */
  readonly share: number;
}

/** Function words tell related languages apart better than letters do, and a foreign name does not mislead them. */
function voteOfStopWords(sample: string): Vote {
  const plain = foldAccents(sample.toLowerCase()).match(words) ?? [];
  const counts = stopWordLanguages.map((language) => {
    const set = stopWordsOf(language);
    return { language, count: plain.filter((word) => set.has(word)).length };
  });
  counts.sort((a, b) => b.count - a.count);
  const [first, second] = counts;
  if (first === undefined || second === undefined || first.count === 0) return { language: undefined, share: 0 };
  const clear = first.count >= fewestStopWords && first.count >= lead * second.count;
  return { language: clear ? first.language : undefined, share: first.count / plain.length };
}

/**
 * The ISO 639-1 code of the language of a text, judged by its first 1,500 characters: by function words for the
 * languages that we have lists of, by letter sequences (tinyld) for others. Undefined when the text is too short or the
 * languages are too close to call. The same text always gives the same answer.
 */
export function detectLanguage(text: string): string | undefined {
  const sample = normaliseText(text.slice(0, sampleLength));
  const letters = (sample.match(words) ?? []).reduce((sum, word) => sum + word.length, 0);
  const { language, share } = voteOfStopWords(sample);
  if (language !== undefined && share >= stopWordShare) return language;
  if (letters < fewestLetters) return undefined;
  const [first, second] = detectAll(sample);
  if (first === undefined || (second !== undefined && first.accuracy < lead * second.accuracy)) return undefined;
  // Where we know the function words of the language, running text must show some of them.
  return stopWordLanguages.includes(first.lang) && language !== first.lang ? undefined : first.lang;
}
