import type { Block } from './chunk.js';
import type { Span } from './ports.js';
import { headThatFits, lines, sentences } from './text-segments.js';
import { type CountTokens, longestToken } from './token-count.js';

/** What is packed: a block that fits, else a sentence, line or row of it, or a part of one. No white space at its ends. */
export interface Piece extends Span {
  readonly heading: readonly string[];
  readonly tokens: number;
  /** What it must stay with where there is room: a heading with what follows, a fence with its code. */
  readonly joins?: 'next' | 'previous' | undefined;
  /** Whether sentences of it may be repeated at the head of the next chunk. */
  readonly prose: boolean;
}

export interface Ruler {
  readonly weigh: CountTokens;
  /** Tokens that a chunk may hold under these headings. */
  readonly room: (heading: readonly string[]) => number;
}

/** What is said again, or must stay with something, gets no more than this of the room. */
const mostShare = 0.5;

/** A line of nothing but a fence, its language, and the marks of quotes around it. */
const fenceMark = /^[\s>]*(?:`{3,}[^`\r\n]*|~{3}.*)$/;
/** What the row below the header of a table is made of, with one dash at least. */
const ruleMarks = /^[|:\-\s]+$/;
/** What stands before a row in a quote. */
const quoteMarks = /^[\s>]+/;

/** The pieces of blocks, in order, none over the room; headings and fences are joined to what they stay with. */
export function* piecesOf(text: string, blocks: readonly Block[], ruler: Ruler): Generator<Piece> {
  let held: Piece | undefined;
  for (const block of blocks) {
    const heading = block.heading ?? [];
    const room = ruler.room(heading);
    const waiting = held?.joins === 'next' && isUnder(heading, held.heading) ? held.tokens : 0;
    for (const piece of split(text, { ...block, heading }, ruler.weigh, room - waiting)) {
      const both: Piece | undefined = held && join(text, held, piece, ruler.weigh);
      if (both !== undefined && both.tokens <= room) held = both;
      else {
        if (held !== undefined) yield held;
        held = piece;
      }
      if (held.joins === 'next' && held.tokens > room * mostShare) held = { ...held, joins: undefined };
    }
  }
  if (held !== undefined) yield held;
}

/** Two pieces as one, if they must stay together. */
function join(text: string, held: Piece, piece: Piece, weigh: CountTokens): Piece | undefined {
  const { heading } = piece;
  if (piece.joins !== 'previous' && !(held.joins === 'next' && isUnder(heading, held.heading))) return undefined;
  const tokens = held.tokens + gapTokens(text, held, piece, weigh) + piece.tokens;
  const joins = piece.joins === 'next' ? 'next' : undefined;
  return { ...held, end: piece.end, heading, tokens, joins, prose: piece.prose };
}

/** Tokens of what stands between two pieces: blank lines, marks that belong to no block. */
export function gapTokens(text: string, before: Span, after: Span, weigh: CountTokens): number {
  return after.start > before.end ? weigh(text.slice(before.end, after.start)) : 0;
}

function isUnder(heading: readonly string[], above: readonly string[]): boolean {
  return above.every((title, index) => title === heading[index]);
}

/** The span without white space at its ends; nothing when nothing else is in it. */
export function trimmed<T extends Span>(text: string, span: T): T | undefined {
  const slice = text.slice(span.start, span.end);
  const start = span.start + slice.length - slice.trimStart().length;
  const end = span.end - slice.length + slice.trimEnd().length;
  if (start === span.start && end === span.end) return end > start ? span : undefined;
  return end <= start ? undefined : { ...span, start, end };
}

const noProse: ReadonlySet<string | undefined> = new Set(['heading', 'table', 'code', 'row', 'break']);

function* split(text: string, block: Block & { heading: readonly string[] }, weigh: CountTokens, room: number) {
  const { kind, heading, header } = block;
  const span = trimmed(text, block);
  if (span === undefined) return;
  const { start, end } = span;
  const piece: Piece = {
    start,
    end,
    heading,
    tokens: weigh(text.slice(start, end)),
    joins: kind === 'heading' ? 'next' : undefined,
    prose: !noProse.has(kind),
    ...(header !== undefined && { header }),
  };
  if (piece.tokens <= room) yield piece;
  else if (kind === 'table') yield* rows(text, piece, weigh, room);
  else if (kind === 'code') yield* parts(text, piece, lines(text, span), weigh, room);
  else yield* parts(text, piece, sentences(text, span, kind === 'paragraph'), weigh, room);
}

/** A table by its rows; those that do not stand below its header carry it. */
function* rows(text: string, table: Piece, weigh: CountTokens, room: number): Generator<Piece> {
  const all = [...lines(text, table)];
  const rule = all.slice(0, 3).findIndex(([from, to]) => isTableRule(text.slice(from, to)));
  const top = Math.max(1, rule);
  const header = all
    .slice(0, top)
    .map(([from, to]) => text.slice(from, to).replace(quoteMarks, '').trim())
    .join('\n');
  const tokens = headerTokens(header, weigh);
  const repeated = tokens <= room * mostShare;
  for (const [index, [from, to]] of all.entries()) {
    const line = { ...table, start: from, end: to };
    if (repeated && index <= rule) {
      for (const piece of parts(text, line, [[from, to]], weigh, room)) yield { ...piece, joins: 'next' };
    } else if (repeated && index >= top) yield* parts(text, { ...line, header }, [[from, to]], weigh, room - tokens);
    else yield* parts(text, line, [[from, to]], weigh, room);
  }
}

/** One step at a time: a pattern for all of it takes the square of the time for rows of nothing but quote marks. */
function isTableRule(line: string): boolean {
  return line.includes('-') && ruleMarks.test(line.replace(quoteMarks, ''));
}

/** Tokens of the header that a part of a table carries, with the end of its line. */
export function headerTokens(header: string, weigh: CountTokens): number {
  return weigh(`${header}\n`);
}

/** Each of the ranges as a piece, those over the room cut; marks of fences stay with the line beside them. */
function* parts(
  text: string,
  piece: Piece,
  ranges: Iterable<readonly [number, number]>,
  weigh: CountTokens,
  room: number,
): Generator<Piece> {
  let inFence = false;
  /** For the marks of the fence, so that they fit beside each line of it. */
  let spare = 0;
  for (const [start, end] of ranges) {
    const part = trimmed(text, { ...piece, start, end });
    if (part === undefined) continue;
    const slice = text.slice(part.start, part.end);
    const tokens = weigh(slice);
    if (tokens <= room * mostShare && fenceMark.test(slice)) {
      yield { ...part, tokens, joins: inFence ? 'previous' : 'next' };
      spare = inFence ? 0 : Math.min(2 * tokens, room * mostShare);
      inFence = !inFence;
    } else if (tokens <= room - spare) yield { ...part, tokens };
    else yield* cut(text, part, weigh, room - spare);
  }
}

/** A piece by words, those over the room by graphemes, those over it by code points. */
export function* cut(text: string, piece: Piece, weigh: CountTokens, room: number): Generator<Piece> {
  for (let start = piece.start; start < piece.end; ) {
    const window = text.slice(start, Math.min(piece.end, start + Math.floor(room * longestToken) + 2));
    const tokens = weigh(window);
    const whole = tokens <= room;
    const length = whole
      ? window.length
      : headThatFits(window, Math.floor((window.length * room) / tokens), (head) => weigh(head) <= room);
    const part = trimmed(text, { ...piece, start, end: start + length });
    if (part !== undefined) yield { ...part, tokens: whole ? tokens : weigh(text.slice(part.start, part.end)) };
    start += length;
  }
}
