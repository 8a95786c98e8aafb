import type { Block } from '../core/chunk.js';
import type { Reading } from './formats.js';

/** A paragraph longer than this in UTF-16 units is no prose but a log or a table: each line is a block. */
const longParagraph = 8_000;

/** Text without markup that is known here: paragraphs between blank lines. */
export function readPlainText(text: string): Omit<Reading, 'text'> {
  return { blocks: paragraphs(text, 0, text.length) };
}

/** The paragraphs of `text.slice(start, end)`, with offsets in all of the text. */
export function paragraphs(text: string, start: number, end: number, heading: readonly string[] = []): Block[] {
  const blocks: Block[] = [];
  let lines: Block[] = [];
  const flush = () => {
    const first = lines[0];
    const last = lines.at(-1);
    if (first === undefined || last === undefined) return;
    const long = last.end - first.start > longParagraph;
    for (const block of long ? lines : [{ ...first, end: last.end }]) blocks.push(block);
    lines = [];
  };
  // Single carriage returns end lines too, as on old systems.
  const lineEnd = /\r\n|\n|\r/g;
  lineEnd.lastIndex = start;
  for (let from = start; from < end; ) {
    const match = lineEnd.exec(text);
    const to = Math.min(match?.index ?? end, end);
    if (text.slice(from, to).trim() === '') flush();
    else lines.push({ start: from, end: to, heading, kind: 'paragraph' });
    from = match === null ? end : lineEnd.lastIndex;
  }
  flush();
  return blocks;
}
