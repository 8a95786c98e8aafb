import type { Reading } from './formats.js';
import { isRecord } from './json.js';
import { rowLine, rowsReading } from './rows.js';

/** One JSON value a line: an object becomes `name: value; …`. Lines that are no JSON stay as they are, which is noted. */
export function readJsonLines(text: string): Reading {
  let broken = 0;
  const lines = text.split(/\r\n|\n|\r/).map((line) => {
    if (line.trim() === '') return '';
    try {
      const value: unknown = JSON.parse(line);
      return isRecord(value) ? rowLine(Object.entries(value)) : line.trim();
    } catch {
      broken++;
      return line.trim();
    }
  });
  const reading = rowsReading(lines.filter((line) => line !== ''));
  return { ...reading, notes: broken === 0 ? [] : [`${broken} lines are no JSON and are read as text`] };
}
