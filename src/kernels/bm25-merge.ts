import { type Segment, segmentOf } from './bm25-segment.js';
import { type DeadRows, isDead } from './dead-rows.js';
import type { Postings } from './postings.js';

/** A segment with the rows of it that are dead, and a number for each row, ascending from segment to segment. */
export interface MergeInput {
  readonly segment: Segment;
  readonly dead: DeadRows;
  readonly serials: ArrayLike<number>;
}

export interface Merged {
  readonly segment: Segment;
  readonly serials: Float64Array;
}

/** Rows that are copied between two yields. */
const rowsOfSlice = 256;
const gone = 0xffff_ffff;

/**
 * Joins neighbouring segments, without the rows that are dead when it begins. Yields the work done since the last time,
 * in rows, terms of an input and entries of postings: after every 256 rows and after every term.
 */
export function* mergeSegments(
  inputs: readonly MergeInput[],
  fields: number,
  keepsSequences: boolean,
): Generator<number, Merged> {
  const ids: string[] = [];
  const live = inputs.reduce((sum, { segment, dead }) => sum + segment.rows - dead.count, 0);
  const serials = new Float64Array(live);
  const lengths = Array.from({ length: fields }, () => new Uint32Array(live));
  const sequences: (readonly (readonly string[])[])[] = [];
  const places: Uint32Array[] = [];
  const numbers = Array.from({ length: fields }, (_, field) => field);
  for (const { segment, dead, serials: own } of inputs) {
    const place = new Uint32Array(segment.rows).fill(gone);
    places.push(place);
    for (let row = 0; row < segment.rows; row++) {
      if (row % rowsOfSlice === rowsOfSlice - 1) yield rowsOfSlice;
      if (isDead(dead, row)) continue;
      const next = ids.length;
      place[row] = next;
      ids.push(segment.id(row));
      serials[next] = own[row]!;
      for (const field of numbers) lengths[field]![next] = segment.lengths(field)[row]!;
      if (keepsSequences) sequences.push(numbers.map((field) => segment.sequence(field, row)));
    }
  }
  const postings: Map<string, Postings>[] = [];
  let entries = 0;
  for (const field of numbers) {
    const lists = new Map<string, Postings>();
    postings.push(lists);
    for (const [first, { segment }] of inputs.entries()) {
      for (const term of segment.termsFrom(field, '')) {
        if (lists.has(term)) {
          yield 1;
          continue;
        }
        const found: Postings[] = [];
        for (let at = first; at < inputs.length; at++) {
          const list = inputs[at]!.segment.postings(field, term);
          if (list !== undefined) found.push(moved(list, places[at]!));
        }
        const joined = joinedPostings(found);
        if (joined.rows.length > 0) lists.set(term, joined);
        entries += joined.rows.length;
        yield joined.rows.length + 1;
      }
    }
  }
  return { segment: segmentOf({ ids, lengths, postings, sequences, entries }), serials };
}

function moved({ rows, frequencies }: Postings, places: Uint32Array): Postings {
  const movedRows = new Uint32Array(rows.length);
  const kept = new Uint32Array(rows.length);
  let count = 0;
  for (let at = 0; at < rows.length; at++) {
    const place = places[rows[at]!]!;
    if (place === gone) continue;
    movedRows[count] = place;
    kept[count++] = frequencies[at]!;
  }
  return { rows: movedRows.subarray(0, count), frequencies: kept.subarray(0, count) };
}

/** Lists whose rows follow one another, as one that owns its memory. */
function joinedPostings(lists: readonly Postings[]): Postings {
  const count = lists.reduce((sum, { rows }) => sum + rows.length, 0);
  const rows = new Uint32Array(count);
  const frequencies = new Uint32Array(count);
  let at = 0;
  for (const list of lists) {
    rows.set(list.rows, at);
    frequencies.set(list.frequencies, at);
    at += list.rows.length;
  }
  return { rows, frequencies };
}
