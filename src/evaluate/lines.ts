import { messageOf, SurmiseError } from '../core/errors.js';

/**
 * A text file, line by line, so that files larger than memory can be read. Lines are cut at `\n` only; a `\r` at the
 * end, a byte order mark at the start and blank lines are tolerated.
 */
export type Lines = Iterable<string> | AsyncIterable<string>;

export interface NumberedLine {
  readonly text: string;
  /** Counted from 1, blank lines included. */
  readonly number: number;
}

/** The lines that are not blank, with their numbers. */
export async function* numbered(lines: Lines): AsyncGenerator<NumberedLine> {
  let number = 0;
  for await (const line of lines) {
    number++;
    let text = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (number === 1 && text.startsWith('\uFEFF')) text = text.slice(1);
    if (text.trim() !== '') yield { text, number };
  }
}

/** A `bad_data` error that names the place and says what was expected there. */
export function badLine(file: string, line: number, expected: string, cause?: unknown): SurmiseError {
  return new SurmiseError('bad_data', `${file}, line ${line}: ${expected}`, { cause });
}

export type JsonObject = Record<string, unknown>;

/** The objects of a file with one JSON object a line. Throws `bad_data` naming file and line. */
export async function* jsonLines(lines: Lines, file: string): AsyncGenerator<{ value: JsonObject; line: number }> {
  for await (const { text, number } of numbered(lines)) {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      throw badLine(file, number, `expected one JSON object a line (${messageOf(error)}).`, error);
    }
    if (!isObject(value)) throw badLine(file, number, 'expected a JSON object.');
    yield { value, line: number };
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
