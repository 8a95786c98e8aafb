import { limitOf } from './chunk-limit.js';
import { tailSentences } from './chunk-overlap.js';
import { gapTokens, headerTokens, type Piece, piecesOf, type Ruler, trimmed } from './chunk-split.js';
import { SurmiseError } from './errors.js';
import type { Span } from './ports.js';
import { paragraphs } from './text-segments.js';
import { type CountTokens, tokenWeight } from './token-count.js';

/** A structural part of a text (paragraph, table, fence, heading line …) as a reader found it. */
export interface Block extends Span {
  /** `heading`, `table`, `code` and `row` are cut and packed in their own way, others are prose. */
  readonly kind?: string;
}

/** Part of what identifies a chunked document; changes whenever chunks would. */
export const chunkerVersion = 5;

export interface ChunkOptions {
  /** `blocks`: pack blocks up to `size`. `whole`: the document is one chunk, whatever its length. */
  readonly by?: 'blocks' | 'whole';
  /** Upper limit of a chunk in tokens, a table's repeated header counted, 20 to 100,000. Default 256. */
  readonly size?: number;
  /**
   * Up to this many tokens of whole sentences are repeated from the chunk before, 0 to half of `size`: with more, a text
   * of short sentences would be indexed many times over. Default 0.
   */
  readonly overlap?: number;
  /** Tokens of a text, as the embedder counts them. Default: `estimateTokens`. */
  readonly count?: CountTokens;
  /** What the embedder takes at most: tokens of a chunk with the titles that are indexed with it, 16 or more. */
  readonly limit?: number;
}

/** Measured with scripts/chunk-sizes.js: smaller ones find little more and make larger indexes. */
const defaultSize = 256;
const smallestSize = 20;
const largestSize = 100_000;
const smallestLimit = 16;
const mostOverlap = 0.5;
/** Sections below this share of the size are packed together with what follows. */
const smallShare = 0.25;

/** A chunk that is being packed. */
interface Open extends Piece {
  /** Headings of what was packed last. */
  readonly path: readonly string[];
  /** Where the prose of its last section begins that may be repeated. */
  readonly prosaic?: number | undefined;
  /** Where the text begins that is not repeated from the chunk before. */
  readonly own: number;
}

/**
 * Cuts a text into spans of at most `size` tokens: whole blocks packed while they fit, a new chunk at a new section
 * unless the current one is small, a heading with what follows it. A block over the size is cut between sentences, a
 * table between its rows (each part after the first carries the `header`), code between lines; what is over the size
 * then between words, graphemes, and last code points.
 *
 * Spans are in order, begin and end further on than the one before, are not blank, and together hold every character of
 * the blocks that is not white space. Without `overlap` they are apart. With it a chunk begins with the last sentences
 * of the one before, if both are prose of one section: as many as are within `overlap` and fit, so none where a
 * paragraph nearly fills the chunk. Without blocks, paragraphs (blank lines) are the blocks. Time grows with the length
 * of the text.
 *
 * @param title the document's, which is indexed with each chunk and counts for the `limit`; one that takes more than half
 *   of the limit does not
 * @throws SurmiseError `bad_argument` for an unknown option or a value out of range, `provider_failed` for a counter
 *   that fails or answers with what can not be true
 */
export function chunkText(text: string, blocks?: readonly Block[], options: ChunkOptions = {}, title = ''): Span[] {
  checkChunking(options);
  const { by = 'blocks', size = defaultSize, overlap = 0, count, limit } = options;
  if (by === 'whole') {
    const whole = trimmed(text, { start: 0, end: text.length, heading: [] });
    return whole === undefined ? [] : [whole];
  }
  const weigh = tokenWeight(count);
  const { room, keep } =
    limit === undefined ? { room: () => size, keep: undefined } : limitOf(text, title, limit, size, weigh, count);
  const ruler = { weigh, room };
  const chunks: Span[] = [];
  /** Returns what the next chunk may repeat: of a chunk that had to be cut, its last part. */
  const close = (open: Open): Open => {
    const chunk = spanOf(open);
    let start = open.start;
    for (const part of keep?.(chunk, open.own) ?? [chunk]) {
      chunks.push(part);
      start = part.start;
    }
    return { ...open, start, prosaic: open.prosaic === undefined ? undefined : Math.max(open.prosaic, start) };
  };
  let open: Open | undefined;
  for (const piece of piecesOf(text, blocks ?? paragraphBlocks(text), ruler)) {
    const next: Open | undefined = open && extended(text, open, piece, ruler, size);
    open = next ?? begun(text, piece, open && close(open), ruler, overlap);
  }
  if (open !== undefined) close(open);
  return chunks;
}

/** The chunk with a piece more; nothing when the piece begins another. */
function extended(text: string, open: Open, piece: Piece, { weigh, room }: Ruler, size: number): Open | undefined {
  const sameSection = samePath(open.path, piece.heading);
  if (!sameSection && open.tokens >= size * smallShare) return undefined;
  const heading = commonPath(open.heading, piece.heading);
  const tokens = open.tokens + gapTokens(text, open, piece, weigh) + piece.tokens;
  if (tokens > room(heading)) return undefined;
  const prosaic = piece.prose ? ((sameSection ? open.prosaic : undefined) ?? piece.start) : undefined;
  return { ...open, end: piece.end, heading, tokens, path: piece.heading, prosaic };
}

/** A chunk that begins with a piece, behind the sentences that it repeats of the one before. */
function begun(text: string, piece: Piece, before: Open | undefined, { weigh, room }: Ruler, overlap: number): Open {
  const header = piece.header === undefined ? 0 : headerTokens(piece.header, weigh);
  const open = { ...piece, tokens: piece.tokens + header, path: piece.heading, own: piece.start };
  if (!piece.prose) return open;
  if (overlap === 0 || before?.prosaic === undefined || !samePath(before.path, piece.heading))
    return { ...open, prosaic: piece.start };
  const most = Math.min(overlap, room(piece.heading) - piece.tokens - gapTokens(text, before, piece, weigh));
  const last = { start: before.prosaic, end: before.end };
  const tail = tailSentences(text, last, before.start, weigh, most);
  if (tail === undefined) return { ...open, prosaic: piece.start };
  const tokens = tail.tokens + gapTokens(text, before, piece, weigh) + piece.tokens;
  return { ...open, start: tail.start, tokens, prosaic: tail.start };
}

function spanOf({ start, end, heading, header }: Open): Span {
  return { start, end, heading, ...(header !== undefined && { header }) };
}

/** Blocks of a text that has no other structure. */
function paragraphBlocks(text: string): Block[] {
  return Array.from(paragraphs(text, { start: 0, end: text.length }), (lines) => ({
    start: lines[0]![0],
    end: lines.at(-1)![1],
  }));
}

function samePath(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((title, index) => title === b[index]));
}

function commonPath(a: readonly string[], b: readonly string[]): readonly string[] {
  if (a === b) return a;
  const length = a.findIndex((title, index) => title !== b[index]);
  return length === -1 ? a : a.slice(0, length);
}

const names = ['by', 'size', 'overlap', 'count', 'limit'];

/** Throws `bad_argument` for an unknown option or a value out of range. */
export function checkChunking(options: ChunkOptions, known: readonly string[] = names): void {
  const bad = (message: string) => new SurmiseError('bad_argument', message);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) throw bad(`Unknown chunking option "${unknown}". Known: ${known.join(', ')}.`);
  const { by = 'blocks', size = defaultSize, overlap = 0, count, limit = smallestLimit } = options;
  if (by !== 'blocks' && by !== 'whole') throw bad('Chunking must be by "blocks" or "whole".');
  if (!(Number.isInteger(size) && size >= smallestSize && size <= largestSize))
    throw bad(`The chunk size must be a whole number from ${smallestSize} to ${largestSize} tokens.`);
  if (!(Number.isInteger(overlap) && overlap >= 0 && overlap <= size * mostOverlap))
    throw bad(`The overlap of chunks must be a whole number from 0 to half of the size, ${size} tokens.`);
  if (count !== undefined && typeof count !== 'function') throw bad('The chunking option "count" must be a function.');
  if (!(Number.isInteger(limit) && limit >= smallestLimit))
    throw bad(`The limit of chunks must be a whole number of tokens, ${smallestLimit} or more.`);
}
