import type { Block } from '../core/chunk.js';
import type { Reading } from './formats.js';

/** The names and values of one row as a line that reads alone: `name: value; name: value`. */
export function rowLine(cells: Iterable<readonly [name: string, value: unknown]>): string {
  const parts: string[] = [];
  for (const [name, value] of cells) {
    const words = (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replace(/\s+/g, ' ').trim();
    if (words !== '' && words !== 'null') parts.push(`${name.trim()}: ${words}`);
  }
  return parts.join('; ');
}

/** Lines as a text, each a block. */
export function rowsReading(lines: readonly string[]): Pick<Reading, 'text' | 'blocks'> {
  const blocks: Block[] = [];
  let end = -1;
  for (const line of lines) {
    const start = end + 1;
    end = start + line.length;
    if (line !== '') blocks.push({ start, end, heading: [], kind: 'row' });
  }
  return { text: lines.join('\n'), blocks };
}
