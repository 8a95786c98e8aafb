import type Database from 'better-sqlite3';
import { messageOf } from '../core/errors.js';
import type { CheckProgress } from './check.js';
import type { Findings } from './findings.js';
import { decodeList } from './list-bytes.js';
import { entriesOf, readSegments } from './segments.js';

/** Terms between two turns of the event loop. */
const termsPerTurn = 2_000;

/** Every list, that segments follow one another, and that the terms of each chunk are as many as its length says. */
export function* checkPostings(
  database: Database.Database,
  findings: Findings,
  progress: CheckProgress,
): Generator<CheckProgress> {
  let top = 0;
  let lengths: Map<number, number>;
  try {
    const rows = database.prepare('SELECT row, length FROM chunks').raw().all() as [number, number][];
    lengths = new Map(rows);
    for (const row of lengths.keys()) top = Math.max(top, row);
    let before = 0;
    for (const { id, first, last } of readSegments(database)) {
      if (!(first > before && last >= first)) findings.add('postings', `Segment ${id} does not follow the one before`);
      before = Math.max(before, last);
    }
    if (top > before) findings.add('postings', 'Chunks that are in no segment');
  } catch (error) {
    findings.add('file', messageOf(error));
    return;
  }
  const counted = new Map<number, number>();
  let terms = 0;
  try {
    for (const { id, first, last } of readSegments(database))
      for (const { list } of entriesOf(database, id)) {
        const { rows, frequencies } = decodeList(list);
        if (list.first < first || list.last > last)
          findings.add('postings', `Segment ${id} has a row that is not its own`);
        rows.forEach((row, at) => {
          if (lengths.has(row)) counted.set(row, (counted.get(row) ?? 0) + frequencies[at]!);
        });
        if (++terms % termsPerTurn === 0) yield progress;
      }
  } catch (error) {
    findings.add('postings', messageOf(error));
    return;
  }
  // A chunk without a term has length 1 all the same.
  for (const [row, length] of lengths)
    if ((counted.get(row) ?? 0) !== length && !(length === 1 && !counted.has(row)))
      findings.add('postings', `Chunk ${row} has ${counted.get(row) ?? 0} terms where its length says ${length}`);
}
