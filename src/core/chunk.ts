import { SurmiseError } from './errors.js';
import type { Span } from './ports.js';

/** A structural part of a text (paragraph, table, fence, heading line …) as a reader found it. */
export interface Block extends Span {
  readonly kind?: string;
}

/** Part of what identifies a chunked document; changes whenever chunks would. */
export const chunkerVersion = 2;

export interface ChunkOptions {
  /** `blocks`: pack blocks up to `size`. `whole`: the document is one chunk. */
  readonly by?: 'blocks' | 'whole';
  /** Upper limit of a chunk in UTF-16 units, 100 or more. Default 1,200. */
  readonly size?: number;
}

const defaultSize = 1_200;
const smallestSize = 100;
const largestSize = 100_000;
/** Sections below this share of the size are packed together with what follows. */
const smallShare = 0.25;

/**
 * Cuts a text into spans of at most `size` units: whole blocks packed while they fit, a new chunk at a new section
 * unless the current one is small; a block over the size is cut between sentences, a sentence over it between words,
 * a word over it between graphemes. Spans are in order, do not overlap, are not blank, and together hold every
 * character of the blocks that is not white space. Without blocks, paragraphs (blank lines) are the blocks. Time grows
 * with the length of the text.
 *
 * @throws SurmiseError `bad_argument` for an unknown option or a value out of range
 */
export function chunkText(text: string, blocks?: readonly Block[], options: ChunkOptions = {}): Span[] {
  checkChunking(options);
  const { by = 'blocks', size = defaultSize } = options;
  if (by === 'whole') return trimmed(text, { start: 0, end: text.length, heading: [] });
  const pieces = (blocks ?? paragraphs(text)).flatMap((block) => split(text, block, size));
  const chunks: Span[] = [];
  let open: Span | undefined;
  for (const piece of pieces) {
    const fits = open !== undefined && piece.end - open.start <= size;
    const sameSection = open !== undefined && samePath(open.heading ?? [], piece.heading ?? []);
    const small = open !== undefined && open.end - open.start < size * smallShare;
    if (open !== undefined && fits && (sameSection || small)) {
      open = { start: open.start, end: piece.end, heading: commonPath(open.heading ?? [], piece.heading ?? []) };
      continue;
    }
    if (open !== undefined) chunks.push(open);
    open = piece;
  }
  if (open !== undefined) chunks.push(open);
  return chunks.flatMap((chunk) => trimmed(text, chunk));
}

/** Blocks of a text that has no other structure: what blank lines separate. */
function paragraphs(text: string): Block[] {
  const blocks: Block[] = [];
  const gap = /\n[^\S\n]*\n\s*/g;
  let start = 0;
  for (let match = gap.exec(text); match !== null; match = gap.exec(text)) {
    blocks.push({ start, end: match.index });
    start = gap.lastIndex;
  }
  blocks.push({ start, end: text.length });
  return blocks.flatMap((block) => trimmed(text, block));
}

/** The span without white space at its ends; none when nothing else is in it. */
function trimmed(text: string, span: Span): Span[] {
  const slice = text.slice(span.start, span.end);
  const body = slice.trim();
  if (body === '') return [];
  const start = span.start + slice.indexOf(body[0]!);
  return [{ ...span, start, end: start + body.length }];
}

/** Segment boundaries from coarse to fine; each level is only asked for what the one above left too long. */
const levels = ['sentence', 'word', 'grapheme'] as const;

function split(text: string, block: Span, size: number, level = 0): Span[] {
  if (block.end - block.start <= size) return [block];
  const granularity = levels[level];
  // Below graphemes there is nothing to cut at: one grapheme longer than the size stays whole.
  if (granularity === undefined) return [block];
  const parts: Span[] = [];
  let start = block.start;
  let end = block.start;
  const flush = (upTo: number) => {
    if (end > start) parts.push({ ...block, start, end });
    start = upTo;
  };
  for (const [from, to] of segments(text, block, granularity)) {
    if (to - start > size) flush(from);
    if (to - from > size) {
      parts.push(...split(text, { ...block, start: from, end: to }, size, level + 1));
      start = to;
    }
    end = to;
  }
  flush(block.end);
  return parts;
}

/** Units that are segmented at once: the time for each segment grows with the length of the string that it is from. */
const windowLength = 2_048;

/** Start and end of each segment of a block, in order. The language is set, so that no machine cuts in its own way. */
function* segments(text: string, block: Span, granularity: (typeof levels)[number]): Generator<[number, number]> {
  const segmenter = new Intl.Segmenter('en', { granularity });
  let width = windowLength;
  for (let at = block.start; at < block.end; ) {
    const stop = Math.min(block.end, at + width);
    let next = stop;
    for (const { index, segment } of segmenter.segment(text.slice(at, stop))) {
      const from = at + index;
      const to = from + segment.length;
      // What touches the end of the window may go on behind it.
      if (to === stop && stop < block.end) next = from;
      else yield [from, to];
    }
    width = next === at ? width * 2 : windowLength;
    at = next;
  }
}

function samePath(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((title, index) => title === b[index]);
}

function commonPath(a: readonly string[], b: readonly string[]): readonly string[] {
  const length = a.findIndex((title, index) => title !== b[index]);
  return length === -1 ? a : a.slice(0, length);
}

/** Throws `bad_argument` for an unknown option or a value out of range. */
export function checkChunking(options: ChunkOptions): void {
  const unknown = Object.keys(options).find((name) => name !== 'by' && name !== 'size');
  if (unknown !== undefined)
    throw new SurmiseError('bad_argument', `Unknown chunking option "${unknown}". Known: by, size.`);
  const { by = 'blocks', size = defaultSize } = options;
  if (by !== 'blocks' && by !== 'whole')
    throw new SurmiseError('bad_argument', 'Chunking must be by "blocks" or "whole".');
  if (!(Number.isInteger(size) && size >= smallestSize && size <= largestSize))
    throw new SurmiseError(
      'bad_argument',
      `The chunk size must be a whole number from ${smallestSize} to ${largestSize} characters.`,
    );
}
