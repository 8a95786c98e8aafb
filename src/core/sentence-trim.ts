import { paragraphs, sentences } from './text-segments.js';
import { cosine } from './vectors.js';

/** A sentence of a passage; `document.text.slice(start, end) === text`. */
export interface PassageSentence {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface KeptSentence extends PassageSentence {
  /** Cosine to the question. */
  readonly similarity: number;
}

/** The similarity to the question that a sentence must reach. */
export const trimFloor = 0.38;

/** The line of a list, a table or a heading begins a sentence of its own, whatever the line before ended with. */
const ownLine = /^\s*(?:[-*+•|#>]|\d{1,4}[.)]\s)/;

/**
 * The sentences of a passage in order, without the white space around them. Lines of running text are joined, as they
 * end where the page ended; lines of lists and tables stand for themselves.
 *
 * @param start where the passage begins in its document, in UTF-16 units
 */
export function passageSentences(passage: string, start = 0): PassageSentence[] {
  const found: PassageSentence[] = [];
  for (const paragraph of paragraphs(passage, { start: 0, end: passage.length }))
    for (const [from, to] of runs(passage, paragraph))
      for (const [begin, end] of sentences(passage, { start: from, end: to }, true)) {
        const text = passage.slice(begin, end).trim();
        if (text === '') continue;
        const at = begin + passage.slice(begin, end).indexOf(text);
        found.push({ start: start + at, end: start + at + text.length, text });
      }
  return found;
}

/** Spans of lines that belong together. */
function* runs(passage: string, paragraph: readonly (readonly [number, number])[]): Generator<[number, number]> {
  let [from, to] = paragraph[0]!;
  for (const [start, end] of paragraph.slice(1)) {
    if (ownLine.test(passage.slice(start, end))) {
      yield [from, to];
      from = start;
    }
    to = end;
  }
  yield [from, to];
}

/**
 * The sentences whose cosine to the question reaches the floor, in their order; where none does, the nearest one (the
 * first of equals), so that a passage never ends up empty. Nothing in, nothing out.
 *
 * @throws SurmiseError `bad_argument` for vectors of different lengths or with values that are not finite
 */
export function keepSentences(
  passage: readonly PassageSentence[],
  vectors: readonly ArrayLike<number>[],
  question: ArrayLike<number>,
  floor: number = trimFloor,
): KeptSentence[] {
  const all = passage.map((sentence, at) => ({ ...sentence, similarity: cosine(vectors[at]!, question) }));
  const kept = all.filter(({ similarity }) => similarity >= floor);
  if (kept.length > 0 || all.length === 0) return kept;
  return [all.reduce((best, one) => (one.similarity > best.similarity ? one : best))];
}
