import { checkEmbedder } from './check-embedder.js';
import { embedTexts } from './embed.js';
import { isSurmiseError, SurmiseError } from './errors.js';
import type { Embedder } from './ports.js';

export interface NeedleOptions {
  /** UTF-16 units of the longest text that is tried, 1,000 to 128,000. Default 8,000, some 2,000 tokens of English. */
  readonly longest?: number;
  readonly signal?: AbortSignal;
  /** For each length, in milliseconds. Default 60,000. */
  readonly deadlineMs?: number;
}

export interface NeedleReport {
  /** UTF-16 units of the longest text whose last words changed its vector; 0 where not even the shortest one's did. */
  readonly read: number;
  /** UTF-16 units of the text whose last words the embedder took no notice of; absent where there was none. */
  readonly cut?: number;
  /** The text that the embedder refused, and why. To say no is better than to cut in silence. */
  readonly refused?: { readonly characters: number; readonly reason: string };
}

const shortest = 1_000;
const mostLongest = 128_000;
/** What two texts differ in, at their ends: long enough to move the mean over thousands of tokens. */
const endings = [
  'The lighthouse was painted green in the spring. ',
  'Seven goats were sold for a bag of copper coins. ',
];
const endingUnits = 200;
const filler = 'The ferry leaves the pier at noon and comes back before the tide turns. ';
/** Servers do not always give the same vector for the same text; a text is told by more than this. */
const noiseFactor = 3;
const rounding = 1e-6;

/**
 * Finds whether an embedder reads long texts to their end. Two texts that differ in their last words only must have two
 * vectors; a server that cuts what it gets, whatever it was told, gives the same one twice. Lengths are doubled from
 * 1,000 up to the first that is cut or refused; what the embedder says of its own limits in characters is not passed.
 *
 * @throws SurmiseError `bad_argument`; what `embedTexts` throws, but for a text beyond the first that is refused
 */
export async function needleTest(embedder: Embedder, options: NeedleOptions = {}): Promise<NeedleReport> {
  checkEmbedder(embedder);
  const { signal, deadlineMs = 60_000, longest: wanted = 8_000 } = options;
  if (!(Number.isInteger(wanted) && wanted >= shortest && wanted <= mostLongest))
    throw new SurmiseError('bad_argument', `"longest" must be a whole number from ${shortest} to ${mostLongest}.`);
  const longest = Math.min(wanted, embedder.limits.characters ?? Number.POSITIVE_INFINITY);
  let read = 0;
  for (let characters = Math.min(shortest, longest); ; characters = Math.min(longest, 2 * characters)) {
    try {
      if (!(await isReadToEnd(embedder, characters, { deadlineMs, ...(signal && { signal }) })))
        return { read, cut: characters };
    } catch (error) {
      if (read === 0 || !isSurmiseError(error) || error.code !== 'provider_failed' || error.retryable) throw error;
      return { read, refused: { characters, reason: error.message } };
    }
    read = characters;
    if (characters === longest) return { read };
  }
}

async function isReadToEnd(
  embedder: Embedder,
  characters: number,
  options: { readonly deadlineMs: number; readonly signal?: AbortSignal },
): Promise<boolean> {
  const [first, second] = endings.map((ending) => textWith(ending, characters)) as [string, string];
  // The first again, last: so far do vectors of one text lie from each other.
  const [a, b, again] = (await embedTexts(embedder, [first, second, first], { ...options, role: 'document' })) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  return distance(a, b) > noiseFactor * distance(a, again) + rounding;
}

function textWith(ending: string, characters: number): string {
  const fill = (text: string, units: number) => text.repeat(Math.ceil(units / text.length)).slice(0, units);
  const end = Math.min(endingUnits, characters);
  return fill(filler, characters - end) + fill(ending, end);
}

function distance(a: Float32Array, b: Float32Array): number {
  return Math.hypot(...a.map((value, at) => value - b[at]!));
}
