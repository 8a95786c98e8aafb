import { unspacedScripts } from './unspaced-scripts.js';

/** A character of a script without spaces is a word. */
const token = new RegExp(`[${unspacedScripts}]|(?:(?![${unspacedScripts}])[\\p{L}\\p{M}\\p{N}])+`, 'gu');
const hasLetter = /\p{L}/u;

/** Words that are compared to find a loop, and the length of a loop in words. */
const maxPeriod = 60;
const leastLoop = 24;
const sameLetter = /(\p{L})\1{39}/u;
const longestWord = 200;
/** So many words in a row are not equal by chance. */
const echoLength = 10;

/** The words of a text in lower case; case, marks and spacing do not count. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(token) ?? [];
}

/** What may stand in front of a copy. */
const labels = ['question', 'query', 'passage', 'answer'];

/** Whether the text says only words of the question, each as often as it likes. */
export function isCopy(words: readonly string[], question: readonly string[]): boolean {
  const asked = new Set([...labels, ...question]);
  return question.length > 0 && words.every((word) => asked.has(word));
}

/**
 * Whether the text runs in a loop: 1 to 60 words that follow each other three times or more and for 24 words or more, one
 * letter 40 times, or one word of more than 200 characters. Time is linear in the text.
 */
export function isLoop(text: string, words: readonly string[]): boolean {
  if (sameLetter.test(text) || words.some((word) => word.length > longestWord)) return true;
  for (let period = 1; period <= maxPeriod; period++) {
    let run = 0;
    let letters = false;
    for (let i = period; i < words.length; i++) {
      if (words[i] !== words[i - period]) {
        run = 0;
        letters = false;
        continue;
      }
      run++;
      // Rows of numbers repeat in tables.
      letters ||= hasLetter.test(words[i]!);
      if (letters && run >= Math.max(2 * period, leastLoop - period)) return true;
    }
  }
  return false;
}

/** Whether ten words in a row of the text stand in the same order in the instructions. */
export function echoes(words: readonly string[], instructions: readonly string[]): boolean {
  const runs = new Set<string>();
  for (let i = 0; i + echoLength <= instructions.length; i++) runs.add(instructions.slice(i, i + echoLength).join(' '));
  for (let i = 0; i + echoLength <= words.length; i++)
    if (runs.has(words.slice(i, i + echoLength).join(' '))) return true;
  return false;
}
