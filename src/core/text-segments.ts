import type { Span } from './ports.js';

type Granularity = 'sentence' | 'word' | 'grapheme';

const segmenters = new Map<Granularity, Intl.Segmenter>();

/** The language is set, so that no machine cuts in its own way. Made when it is needed: each takes some milliseconds. */
function segmenterOf(granularity: Granularity): Intl.Segmenter {
  const known = segmenters.get(granularity);
  if (known !== undefined) return known;
  const made = new Intl.Segmenter('en', { granularity });
  segmenters.set(granularity, made);
  return made;
}

/** Units that are segmented at once: the time for each segment grows with the length of the string that it is from. */
const windowLength = 2_048;

/**
 * Start and end of each sentence of a span, in order; together they are the span. With `wrapped`, the end of a line is
 * no end of a sentence.
 */
export function* sentences(text: string, { start, end }: Span, wrapped = false): Generator<[number, number]> {
  let width = windowLength;
  for (let at = start; at < end; ) {
    const stop = Math.min(end, at + width);
    const slice = text.slice(at, stop);
    let next = stop;
    for (const { index, segment } of segmenterOf('sentence').segment(wrapped ? slice.replace(/[\r\n]/g, ' ') : slice)) {
      const from = at + index;
      const to = from + segment.length;
      // What touches the end of the window may go on behind it.
      if (to === stop && stop < end) next = from;
      else yield [from, to];
    }
    width = next === at ? width * 2 : windowLength;
    at = next;
  }
}

/** Start and end of each line of a span, in order. With what ends them they are the span together. */
export function* lines(text: string, { start, end }: Span, withEnd = true): Generator<[number, number]> {
  // Single carriage returns end lines too, as on old systems.
  for (const { index, 0: line, 1: words = '' } of text.slice(start, end).matchAll(/([^\r\n]*)(?:\r\n|\n|\r|$)/g))
    if (line !== '') yield [start + index, start + index + (withEnd ? line : words).length];
}

/** Start and end of the lines of each paragraph of a span, without what ends them; blank lines stand between paragraphs. */
export function* paragraphs(text: string, span: Span): Generator<[number, number][]> {
  let paragraph: [number, number][] = [];
  for (const line of lines(text, span, false)) {
    if (text.slice(...line).trim() !== '') paragraph.push(line);
    else if (paragraph.length > 0) {
      yield paragraph;
      paragraph = [];
    }
  }
  if (paragraph.length > 0) yield paragraph;
}

/** The last boundary at or before `at`, 0 where there is none behind the start. */
function boundary(text: string, at: number, granularity: Granularity): number {
  return at >= text.length ? text.length : (segmenterOf(granularity).segment(text).containing(at)?.index ?? 0);
}

/**
 * How much of the head of a text passes `fits`: up to the end of a word, else of a grapheme, else of a code point, and
 * never nothing. Finds what is near the most that passes, not always the most.
 *
 * @param guess where to look first
 */
export function headThatFits(text: string, guess: number, fits: (head: string) => boolean): number {
  for (let width = Math.min(guess, text.length); width > 0; width = Math.floor(width * 0.8)) {
    const at = boundary(text, width, 'word') || boundary(text, width, 'grapheme');
    if (at === 0) break;
    if (fits(text.slice(0, at))) return at;
  }
  const first = segmenterOf('grapheme').segment(text).containing(0)?.segment ?? text;
  if (fits(first)) return first.length;
  for (let width = first.length - 1; width > 1; width = Math.floor(width * 0.8)) {
    const inPair = first.codePointAt(width - 1)! > 0xffff;
    const at = inPair ? width - 1 : width;
    if (at > 0 && fits(first.slice(0, at))) return at;
  }
  return String.fromCodePoint(first.codePointAt(0)!).length;
}
