import type { Segment } from './bm25-segment.js';
import { type DeadRows, isDead } from './dead-rows.js';
import type { Postings } from './postings.js';

/** A segment as it stood at some moment: its first rows, and those of them that were dead. */
export interface Part {
  readonly segment: Segment;
  readonly rows: number;
  readonly dead: DeadRows;
}

/** A part whose first row is `base` of the whole. */
export interface Placed extends Part {
  readonly base: number;
}

/** Parts as one list of rows: parts without rows are left out. */
export interface Parts {
  /** Rows of all parts, dead ones among them. */
  readonly rows: number;
  readonly placed: readonly Placed[];
  /** Which part a row is of, and its row there. */
  locate(row: number): { part: Part; row: number };
  /** The live rows of a term in one field; undefined where there are none. A view where no row has to be moved. */
  postings(field: number, term: string): Postings | undefined;
  /** Calls with each live row. */
  forEachLive(visit: (row: number, id: string) => void): void;
}

export function partsOf(given: readonly Part[]): Parts {
  let total = 0;
  const parts = given
    .filter(({ rows }) => rows > 0)
    .map((part) => {
      const base = total;
      total += part.rows;
      return { ...part, base };
    });

  function locate(row: number) {
    const part = parts.findLast(({ base }) => base <= row)!;
    return { part, row: row - part.base };
  }

  function postings(field: number, term: string): Postings | undefined {
    const found: { part: Placed; list: Postings }[] = [];
    let entries = 0;
    for (const part of parts) {
      const { segment, rows } = part;
      const whole = segment.postings(field, term);
      const list = whole && before(whole, rows);
      if (list === undefined || list.rows.length === 0) continue;
      found.push({ part, list });
      entries += list.rows.length;
    }
    const [first] = found;
    if (first === undefined) return undefined;
    if (found.length === 1 && first.part.base === 0 && first.part.dead.count === 0) return first.list;
    const rows = new Uint32Array(entries);
    const frequencies = new Uint32Array(entries);
    let count = 0;
    for (const { part, list } of found) count = copyLive(list, part, { rows, frequencies }, count);
    return count === 0 ? undefined : { rows: rows.subarray(0, count), frequencies: frequencies.subarray(0, count) };
  }

  function forEachLive(visit: (row: number, id: string) => void): void {
    for (const { segment, rows, dead, base } of parts)
      for (let row = 0; row < rows; row++) if (!isDead(dead, row)) visit(base + row, segment.id(row));
  }

  return { rows: total, placed: parts, locate, postings, forEachLive };
}

/** Copies entries to `to` from place `start` on; returns the place behind them. */
function copyLive(list: Postings, { dead, base }: Placed, to: Postings, start: number): number {
  const { rows, frequencies } = list;
  let count = start;
  for (let at = 0; at < rows.length; at++) {
    if (dead.count > 0 && isDead(dead, rows[at]!)) continue;
    to.rows[count] = base + rows[at]!;
    to.frequencies[count++] = frequencies[at]!;
  }
  return count;
}

/** The entries of rows below a limit. */
function before({ rows, frequencies }: Postings, limit: number): Postings {
  let end = rows.length;
  if (end === 0 || rows[end - 1]! < limit) return { rows, frequencies };
  let start = 0;
  while (start < end) {
    const middle = (start + end) >> 1;
    if (rows[middle]! < limit) start = middle + 1;
    else end = middle;
  }
  return { rows: rows.subarray(0, start), frequencies: frequencies.subarray(0, start) };
}
