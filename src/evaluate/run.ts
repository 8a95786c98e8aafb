import { SurmiseError } from '../core/errors.js';
import type { Scored } from '../core/ports.js';
import { badLine, type Lines, numbered } from './lines.js';
import { ranked, type TieRule } from './ranking.js';

/** What a system answered: query → documents with scores. Measuring orders them; the order in the list is free. */
export type Run = ReadonlyMap<string, readonly Scored[]>;

/**
 * A run from the lines of a TREC run file (`query Q0 document rank score tag`). As in trec_eval the rank column is not
 * used; `ranked` gives the order. Throws `bad_data`, naming file and line, for a line of another form.
 */
export async function readRun(lines: Lines, file = 'run'): Promise<Map<string, Scored[]>> {
  const run = new Map<string, Scored[]>();
  for await (const { text, number } of numbered(lines)) {
    const [query, , id, , value, tag, ...rest] = text.trim().split(/\s+/);
    const score = Number(value);
    if (query === undefined || id === undefined || tag === undefined || rest.length > 0 || Number.isNaN(score)) {
      throw badLine(file, number, 'expected six columns: query Q0 document rank score tag.');
    }
    const list = run.get(query) ?? [];
    list.push({ id, score });
    run.set(query, list);
  }
  return run;
}

/**
 * The lines of a TREC run file, without line ends. trec_eval reads scores as 32-bit floats and orders equal ones by id
 * descending; so that it sees our order, the scores written fall strictly, in 32-bit floats, within a query.
 * Throws `bad_data` for an id with white space, which the format can not hold.
 */
export function* writeRun(run: Run, tag = 'surmise', ties: TieRule = 'id'): Generator<string> {
  for (const [query, list] of run) {
    let last = Infinity;
    for (const [i, { id, score }] of ranked(query, list, ties).entries()) {
      if (/\s/.test(query + id)) {
        throw new SurmiseError(
          'bad_data',
          `A run file can not hold '${query}' or '${id}': ids there have no white space.`,
        );
      }
      last = Math.min(Math.fround(score), floatBelow(last));
      yield `${query} Q0 ${id} ${i + 1} ${last} ${tag}`;
    }
  }
}

const float = new Float32Array(1);
const bits = new Int32Array(float.buffer);

/** The largest 32-bit float below a 32-bit float. IEEE 754 floats of one sign are ordered as their bits are. */
function floatBelow(value: number): number {
  float[0] = value === 0 ? 0 : value;
  bits[0] = value === 0 ? 0x80000001 | 0 : bits[0]! + (value > 0 ? -1 : 1);
  return float[0]!;
}
