import type Database from 'better-sqlite3';
import { encodePostings, type Postings } from '../kernels/index.js';
import { corrupt, storedPostings } from './stored.js';

/** So many segments of one tier become one of the next. */
const mergeFactor = 8;

/** The postings of one write, by term, before they are coded. Rows count the chunks of the write from 0. */
export type PostingLists = Map<string, { rows: number[]; frequencies: number[] }>;

/** Counts the terms of a chunk into the lists; chunks come in order of row. */
export function countTerms(lists: PostingLists, row: number, terms: readonly string[]): void {
  for (const term of terms) {
    const list = lists.get(term);
    if (list === undefined) lists.set(term, { rows: [row], frequencies: [1] });
    else if (list.rows.at(-1) === row) list.frequencies[list.frequencies.length - 1]!++;
    else {
      list.rows.push(row);
      list.frequencies.push(1);
    }
  }
}

/** Writes the lists as a new segment whose chunks begin at a row, and merges what is due. Runs inside the caller's transaction. */
export function appendSegment(database: Database.Database, lists: PostingLists, firstRow: number): void {
  if (lists.size === 0) return;
  const segment = database.prepare('INSERT INTO segments (tier) VALUES (0)').run().lastInsertRowid;
  const insert = database.prepare('INSERT INTO postings (term, segment, data) VALUES (?, ?, ?)');
  const terms = [...lists.keys()].sort();
  for (const term of terms) {
    const { rows, frequencies } = lists.get(term)!;
    const placed = Uint32Array.from(rows, (row) => firstRow + row);
    insert.run(term, segment, encodePostings(placed, Uint32Array.from(frequencies)));
  }
  for (let tier = 0; mergeTier(database, tier); tier++);
}

/** The postings of a term over all segments, in order of row; rows that are gone may be among them. */
export function joinPostings(blobs: readonly unknown[]): Postings {
  const parts = blobs.map(storedPostings);
  if (parts.length === 1) return parts[0]!;
  const length = parts.reduce((sum, { rows }) => sum + rows.length, 0);
  const joined = { rows: new Uint32Array(length), frequencies: new Uint32Array(length) };
  let offset = 0;
  for (const { rows, frequencies } of parts) {
    if (offset > 0 && rows.length > 0 && rows[0]! <= joined.rows[offset - 1]!)
      throw corrupt('Segments that do not follow one another');
    joined.rows.set(rows, offset);
    joined.frequencies.set(frequencies, offset);
    offset += rows.length;
  }
  return joined;
}

/** Keeps the postings whose row `alive` accepts. */
export function livePostings(postings: Postings, alive: (row: number) => boolean): Postings {
  let count = 0;
  for (const row of postings.rows) if (alive(row)) count++;
  if (count === postings.rows.length) return postings;
  const kept = { rows: new Uint32Array(count), frequencies: new Uint32Array(count) };
  let next = 0;
  postings.rows.forEach((row, index) => {
    if (!alive(row)) return;
    kept.rows[next] = row;
    kept.frequencies[next++] = postings.frequencies[index]!;
  });
  return kept;
}

/** Makes one segment of all; `placeOf` gives the new place of a row, in the same order, undefined for a row that is gone. */
export function mergeSegments(database: Database.Database, placeOf: (row: number) => number | undefined): void {
  const { first, last, tier } = database
    .prepare('SELECT min(id) AS first, max(id) AS last, max(tier) AS tier FROM segments')
    .get() as { first: number | null; last: number | null; tier: number };
  if (first !== null && last !== null) mergeRange(database, { first, last, tier }, placeOf);
}

/** Merges the segments of a tier when there are enough; they follow one another in order of row. */
function mergeTier(database: Database.Database, tier: number): boolean {
  const ids = database.prepare('SELECT id FROM segments WHERE tier = ? ORDER BY id').pluck().all(tier) as number[];
  if (ids.length < mergeFactor) return false;
  const live = new Set(database.prepare('SELECT row FROM chunks').pluck().all() as number[]);
  const range = { first: ids[0]!, last: ids.at(-1)!, tier: tier + 1 };
  mergeRange(database, range, (row) => (live.has(row) ? row : undefined));
  return true;
}

interface MergeRange {
  /** Ids of segments, both included. */
  readonly first: number;
  readonly last: number;
  /** Of the segment that comes of it. */
  readonly tier: number;
}

function mergeRange(
  database: Database.Database,
  { first, last, tier }: MergeRange,
  placeOf: (row: number) => number | undefined,
): void {
  const read = database
    .prepare('SELECT data FROM postings WHERE term = ? AND segment BETWEEN ? AND ? ORDER BY segment')
    .pluck();
  const remove = database.prepare('DELETE FROM postings WHERE term = ? AND segment BETWEEN ? AND ?');
  const insert = database.prepare('INSERT INTO postings (term, segment, data) VALUES (?, ?, ?)');
  const terms = database
    .prepare('SELECT DISTINCT term FROM postings WHERE segment BETWEEN ? AND ?')
    .pluck()
    .all(first, last) as string[];
  for (const term of terms) {
    const joined = joinPostings(read.all(term, first, last));
    const { rows, frequencies } = livePostings(joined, (row) => placeOf(row) !== undefined);
    remove.run(term, first, last);
    const placed = rows.map((row) => placeOf(row)!);
    if (placed.length > 0) insert.run(term, first, encodePostings(placed, frequencies));
  }
  database.prepare('DELETE FROM segments WHERE id > ? AND id <= ?').run(first, last);
  database.prepare('UPDATE segments SET tier = ? WHERE id = ?').run(tier, first);
}
