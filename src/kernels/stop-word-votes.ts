import { foldAccents } from './fold.js';
import { stopWordLanguages, stopWordsOf, stopWordWeight } from './stop-words.js';

export interface StopWordVote {
  readonly language: string;
  /** Words of the text that are stop words of the language. */
  readonly count: number;
  /** The same, each by how much it speaks for the language. */
  readonly score: number;
}

interface StopWord {
  /** Places in `stopWordLanguages`. */
  readonly languages: readonly number[];
  readonly weight: number;
}

const firstLetter = 0x61;
const letters = 26;
const words = new Map<string, StopWord>();
stopWordLanguages.forEach((language, place) => {
  for (const word of stopWordsOf(language)) {
    const others = words.get(word)?.languages ?? [];
    words.set(word, { languages: [...others, place], weight: stopWordWeight(word) });
  }
});
const { next, wordAt } = trieOf(words);

const word = /\p{L}[\p{L}\p{M}]*/uy;
const letterOrMark = /[\p{L}\p{M}]/uy;
const initial = /^\p{Lu}$/u;

/** All words are of the letters a to z: from a node one step for each letter, 0 where no word goes on; 0 is the root. */
function trieOf(words: ReadonlyMap<string, StopWord>): { next: Uint16Array; wordAt: (StopWord | undefined)[] } {
  const next: number[] = new Array(letters).fill(0);
  const wordAt: (StopWord | undefined)[] = [undefined];
  for (const [text, stopWord] of words) {
    let node = 0;
    for (const letter of text) {
      const step = node * letters + letter.charCodeAt(0) - firstLetter;
      if (next[step] === 0) {
        next[step] = wordAt.push(undefined) - 1;
        for (let at = 0; at < letters; at++) next.push(0);
      }
      node = next[step]!;
    }
    wordAt[node] = stopWord;
  }
  return { next: Uint16Array.from(next), wordAt };
}

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** By ASCII unit: the place in the alphabet of a letter in either case, counted from 1; 0 of others. */
const letterOf = new Uint8Array(128);
for (let letter = 0; letter < letters; letter++) {
  letterOf[firstLetter + letter] = letter + 1;
  letterOf[firstLetter - 0x20 + letter] = letter + 1;
}

function letterAt(text: string, at: number): number {
  const unit = at < text.length ? text.charCodeAt(at) : 0;
  return unit < 128 ? letterOf[unit]! : 0;
}

/**
 * How much the words of a normalised text (NFKC) speak for each language that we have stop words of. Initials are no
 * words, nor is the possessive `s` of English, which would count as a French word.
 */
export function voteByStopWords(text: string): { votes: StopWordVote[]; words: number } {
  const counts = new Uint32Array(stopWordLanguages.length);
  const scores = new Float64Array(stopWordLanguages.length);
  let spoken = 0;
  const count = (stopWord: StopWord | undefined) => {
    if (stopWord === undefined) return;
    for (const language of stopWord.languages) {
      counts[language]!++;
      scores[language]! += stopWord.weight;
    }
  };
  for (let at = 0; at < text.length; ) {
    const start = at;
    let letter = letterAt(text, at);
    let node = 0;
    if (letter !== 0) {
      do {
        node = next[node * letters + letter - 1]!;
        letter = letterAt(text, ++at);
      } while (letter !== 0 && node !== 0);
      while (letter !== 0) {
        node = 0;
        letter = letterAt(text, ++at);
      }
    }
    const unit = at < text.length ? text.charCodeAt(at) : 0;
    if (unit < 128) {
      if (at === start) at += isPossessive(text, at, unit) ? 2 : 1;
      else if (at > start + 1 || text.charCodeAt(start) >= firstLetter) {
        spoken++;
        if (node !== 0) count(wordAt[node]);
      }
      continue;
    }
    at = matchEnd(word, text, start);
    if (at === start) at += isPossessive(text, at, unit) ? 2 : text.codePointAt(at)! > 0xffff ? 2 : 1;
    else if (!initial.test(text.slice(start, at))) {
      spoken++;
      count(words.get(foldAccents(text.slice(start, at).toLowerCase())));
    }
  }
  const votes = stopWordLanguages.map((language, place) => ({
    language,
    count: counts[place]!,
    score: scores[place]!,
  }));
  return { votes, words: spoken };
}

function isPossessive(text: string, at: number, unit: number): boolean {
  if ((unit !== 0x27 && unit !== 0x2019) || text.charCodeAt(at + 1) !== 0x73) return false;
  return matchEnd(letterOrMark, text, at + 2) === at + 2;
}
