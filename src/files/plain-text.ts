import type { Block } from '../core/chunk.js';
import { paragraphs } from '../core/text-segments.js';
import type { Reading } from './formats.js';

/** A paragraph longer than this in UTF-16 units is no prose but a log or a table: each line is a block. */
const longParagraph = 8_000;

/** Text without markup that is known here: paragraphs between blank lines. */
export function readPlainText(text: string): Omit<Reading, 'text'> {
  return { blocks: paragraphBlocks(text, 0, text.length) };
}

/** The paragraphs of `text.slice(start, end)`, with offsets in all of the text. */
export function paragraphBlocks(text: string, start: number, end: number, heading: readonly string[] = []): Block[] {
  const blocks: Block[] = [];
  for (const lines of paragraphs(text, { start, end })) {
    const [first, last] = [lines[0]![0], lines.at(-1)![1]];
    for (const [from, to] of last - first > longParagraph ? lines : [[first, last] as const])
      blocks.push({ start: from, end: to, heading, kind: 'paragraph' });
  }
  return blocks;
}
