import { isSurmiseError, reasonOf, SurmiseError } from './errors.js';

/** How many tokens a text makes. */
export type CountTokens = (text: string) => number;

let quarters: Uint8Array | undefined;

/** Quarters of a token for each UTF-16 unit, made when they are first asked for: that takes some milliseconds. */
const quartersByUnit = () => (quarters ??= Uint8Array.from({ length: 0x10000 }, (_, unit) => quartersOf(unit)));

function quartersOf(unit: number): number {
  if (unit < 0x80) return /[a-z\s]/i.test(String.fromCharCode(unit)) ? 1 : 2;
  if (unit < 0x370) return 4;
  // Greek and Cyrillic.
  if (unit < 0x530) return 2;
  if (unit < 0x2e80) return 4;
  // Half of a pair: a rare character, or a part of an emoji.
  return unit >= 0xd800 && unit < 0xe000 ? 6 : 5;
}

/**
 * Tokens of a text where nobody counts them: a quarter for a letter of ASCII or a blank, half for a digit or a mark of
 * ASCII and for a letter of Greek or Cyrillic, one for other characters, a quarter more for those of East Asia, three
 * for those outside of the basic plane. English comes out right within a tenth, other scripts rather too high. The sum
 * over the parts of a text is that of the text.
 */
export function estimateTokens(text: string): number {
  const weights = quartersByUnit();
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum += weights[text.charCodeAt(at)]!;
  return sum / 4;
}

/** The most UTF-16 units that a token stands for in `tokenWeight`. */
export const longestToken = 8;
const notAscii = /[^\0-\x7f]+/g;

/** What an embedder must make of a text at least: an eighth for each unit of ASCII, half of the estimate for others. */
function leastTokens(text: string): number {
  const weights = quartersByUnit();
  let eighths = text.length;
  for (const run of text.match(notAscii) ?? [])
    for (let at = 0; at < run.length; at++) eighths += weights[run.charCodeAt(at)]! - 1;
  return eighths / longestToken;
}

/** No tokenizer makes more of a text: marks and an instruction, and for each unit what a ligature is unfolded to. */
const mostMarks = 1_000;
const mostOfUnit = 100;

/**
 * A counter that is believed only where its answers can be true: sizes and limits compare them, and nothing is below,
 * above or equal to what is no number.
 *
 * @throws SurmiseError `provider_failed`, `fatal`, from the counter: it threw, or answered with no number, or with one
 *   out of range
 */
export function checkedCount(count: CountTokens): CountTokens {
  return (text) => {
    const most = mostMarks + mostOfUnit * text.length;
    const answer = answerOf(count, text);
    if (typeof answer === 'number' && answer >= 0 && answer <= most) return answer;
    // Nobody waits for it; its failure must not end the process.
    if (answer instanceof Promise) answer.catch(() => undefined);
    throw new SurmiseError(
      'provider_failed',
      `The token counter answered ${nameOf(answer)} for a text of ${text.length} characters; ` +
        `it must answer with a number from 0 to ${most}, without a promise.`,
      { fatal: true },
    );
  };
}

function nameOf(answer: unknown): string {
  if (typeof answer === 'number' || answer === undefined || answer === null) return String(answer);
  return answer instanceof Promise ? 'a promise' : `a value of type ${typeof answer}`;
}

function answerOf(count: CountTokens, text: string): unknown {
  try {
    return count(text);
  } catch (cause) {
    if (isSurmiseError(cause)) throw cause;
    const message = `The token counter failed for a text of ${text.length} characters: ${reasonOf(cause)}`;
    throw new SurmiseError('provider_failed', message, { cause, fatal: true });
  }
}

/**
 * The tokens of a part of a text as sizes count them: those of `count` without what it adds to every text (marks of
 * beginning and end), but not less than `leastTokens`. A model of one language takes a word of another, however long,
 * for one unknown token; chunks of such texts would be endless. Parts are counted alone and added up: tokenizers merge
 * next to nothing across sentences and lines, so that the sum stands for the whole.
 *
 * @throws SurmiseError as `checkedCount` says
 */
export function tokenWeight(count: CountTokens | undefined): CountTokens {
  if (count === undefined) return estimateTokens;
  const counted = checkedCount(count);
  const every = counted('');
  return (text) => Math.max(counted(text) - every, leastTokens(text));
}
