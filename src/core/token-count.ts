/** How many tokens a text makes. */
export type CountTokens = (text: string) => number;

/** Quarters of a token for each UTF-16 unit. */
const quarters = Uint8Array.from({ length: 0x10000 }, (_, unit) => {
  if (unit < 0x80) return /[a-z\s]/i.test(String.fromCharCode(unit)) ? 1 : 2;
  if (unit < 0x370) return 4;
  // Greek and Cyrillic.
  if (unit < 0x530) return 2;
  if (unit < 0x2e80) return 4;
  // Half of a pair: a rare character, or a part of an emoji.
  return unit >= 0xd800 && unit < 0xe000 ? 6 : 5;
});

/**
 * Tokens of a text where nobody counts them: a quarter for a letter of ASCII or a blank, half for a digit or a mark of
 * ASCII and for a letter of Greek or Cyrillic, one for other characters, a quarter more for those of East Asia, three
 * for those outside of the basic plane. English comes out right within a tenth, other scripts rather too high. The sum
 * over the parts of a text is that of the text.
 */
export function estimateTokens(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum += quarters[text.charCodeAt(at)]!;
  return sum / 4;
}

/** The most UTF-16 units that a token stands for in `tokenWeight`. */
export const longestToken = 8;
const notAscii = /[^\0-\x7f]+/g;

/** What an embedder must make of a text at least: an eighth for each unit of ASCII, half of the estimate for others. */
function leastTokens(text: string): number {
  let eighths = text.length;
  for (const run of text.match(notAscii) ?? [])
    for (let at = 0; at < run.length; at++) eighths += quarters[run.charCodeAt(at)]! - 1;
  return eighths / longestToken;
}

/**
 * The tokens of a part of a text as sizes count them: those of `count` without what it adds to every text (marks of
 * beginning and end), but not less than `leastTokens`. A model of one language takes a word of another, however long,
 * for one unknown token; chunks of such texts would be endless. Parts are counted alone and added up: tokenizers merge
 * next to nothing across sentences and lines, so that the sum stands for the whole.
 */
export function tokenWeight(count: CountTokens | undefined): CountTokens {
  if (count === undefined) return estimateTokens;
  const every = count('');
  return (text) => Math.max(count(text) - every, leastTokens(text));
}
