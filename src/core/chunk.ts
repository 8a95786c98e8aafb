import type { Span } from './ports.js';

/** A structural part of a text (paragraph, table, fence, heading line …) as a reader found it. */
export interface Block extends Span {
  readonly kind?: string;
}

/** Part of what identifies a chunked document; changes whenever chunks would. */
export const chunkerVersion = 1;

export interface ChunkOptions {
  /** `blocks`: pack blocks up to `size`. `whole`: the document is one chunk. */
  readonly by?: 'blocks' | 'whole';
  /** Upper limit of a chunk in UTF-16 units, 100 or more. Default 1,200. */
  readonly size?: number;
}

const defaultSize = 1_200;
/** Sections below this share of the size are packed together with what follows. */
const smallShare = 0.25;

/**
 * Cuts a text into spans of at most `size` units: whole blocks packed while they fit, a new chunk at a new section
 * unless the current one is small; a block over the size is cut between sentences, a sentence over it between words,
 * a word over it between graphemes. Spans are in order, do not overlap, are not blank, and together hold every
 * character of the blocks that is not white space. Without blocks, paragraphs (blank lines) are the blocks.
 */
export function chunkText(text: string, blocks?: readonly Block[], options: ChunkOptions = {}): Span[] {
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
  for (const { index, segment } of new Intl.Segmenter(undefined, { granularity }).segment(
    text.slice(block.start, block.end),
  )) {
    const from = block.start + index;
    const to = from + segment.length;
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

function samePath(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((title, index) => title === b[index]);
}

function commonPath(a: readonly string[], b: readonly string[]): readonly string[] {
  const length = a.findIndex((title, index) => title !== b[index]);
  return length === -1 ? a : a.slice(0, length);
}
