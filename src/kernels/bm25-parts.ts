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

/** Parts as one list of rows; parts without rows are left out. */
export interface Parts {
  /** Rows of all parts, dead ones among them. */
  readonly rows: number;
  readonly placed: readonly Placed[];
  /** The part that a row is of. */
  partOf(row: number): Placed;
  /** Calls with each live row. */
  forEachLive(visit: (row: number, id: string) => void): void;
}

export function partsOf(given: readonly Part[]): Parts {
  let total = 0;
  const placed = given
    .filter(({ rows }) => rows > 0)
    .map((part) => {
      const base = total;
      total += part.rows;
      return { ...part, base };
    });
  return {
    rows: total,
    placed,
    // Asked for every tie of a search.
    partOf(row) {
      let at = placed.length - 1;
      while (placed[at]!.base > row) at--;
      return placed[at]!;
    },
    forEachLive(visit) {
      for (const { segment, rows, dead, base } of placed)
        for (let row = 0; row < rows; row++) if (!isDead(dead, row)) visit(base + row, segment.id(row));
    },
  };
}

/** The live rows of a term in one field; undefined where there are none. Views where no row of the part is dead. */
export function livePostings({ segment, rows: limit, dead }: Part, field: number, term: string): Postings | undefined {
  const whole = segment.postings(field, term);
  if (whole === undefined) return undefined;
  const list = before(whole, limit);
  const live = dead.count === 0 ? list : withoutDead(list, dead);
  return live.rows.length === 0 ? undefined : live;
}

function withoutDead({ rows, frequencies }: Postings, dead: DeadRows): Postings {
  const liveRows = new Uint32Array(rows.length);
  const kept = new Uint32Array(rows.length);
  let count = 0;
  for (let at = 0; at < rows.length; at++) {
    if (isDead(dead, rows[at]!)) continue;
    liveRows[count] = rows[at]!;
    kept[count++] = frequencies[at]!;
  }
  return { rows: liveRows.subarray(0, count), frequencies: kept.subarray(0, count) };
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
