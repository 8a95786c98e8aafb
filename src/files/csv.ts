import type { Reading } from './formats.js';
import { rowLine, rowsReading } from './rows.js';

/** In UTF-16 units; a quote that is never closed would make one record of all that follows. */
const maxRecord = 200_000;
/** What the separator is told by: UTF-16 units and lines. */
const sample = 20_000;
const sampleLines = 5;

/**
 * A table, separated by commas, semicolons, tabs or bars, whichever the first lines have most of. Each row is a line and
 * a block that reads alone, `name: value; …`; names are those of the first row, or numbers when it has numbers itself.
 */
export function readCsv(text: string): Promise<Reading> {
  return readTable(text, delimiterOf(text));
}

/** A table separated by tabs, as `readCsv` otherwise. */
export function readTsv(text: string): Promise<Reading> {
  return readTable(text, '\t');
}

async function readTable(text: string, delimiter: string): Promise<Reading> {
  const { parse } = await import('csv-parse/sync');
  const records = parse(text, {
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: maxRecord,
  });
  const [first = [], ...rest] = records;
  const headed = rest.length > 0 && !first.some((cell) => /^\s*[-+]?\d[\d.,]*\s*$/.test(cell));
  const name = (column: number) => (headed && first[column]?.trim()) || `column ${column + 1}`;
  const rows = headed ? rest : records;
  return rowsReading(
    rows.map((row) => rowLine(row.map((cell, column) => [name(column), cell] as const))).filter((line) => line !== ''),
  );
}

/** The one that every one of the first lines has most of; commas may be part of numbers, all may be in quotes. */
function delimiterOf(text: string): string {
  const lines = text
    .trimStart()
    .slice(0, sample)
    .replace(/"[^"]*"/g, '')
    .split(/[\r\n]+/, sampleLines);
  const counted = [',', ';', '\t', '|'].map((delimiter) => ({
    delimiter,
    count: Math.min(...lines.filter((line) => line !== '').map((line) => line.split(delimiter).length)),
  }));
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).delimiter;
}
