import type Database from 'better-sqlite3';
import { decodePostings, encodePostings, type Postings } from '../kernels/index.js';

/** So many segments of one tier become one of the next. */
const mergeFactor = 8;

/** The postings of one write, by term, before they are coded. */
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

/** Writes the lists as a new segment and merges what is due. Runs inside the caller's transaction. */
export function appendSegment(database: Database.Database, lists: PostingLists): void {
  if (lists.size === 0) return;
  const segment = database.prepare('INSERT INTO segments (tier) VALUES (0)').run().lastInsertRowid;
  const insert = database.prepare('INSERT INTO postings (term, segment, data) VALUES (?, ?, ?)');
  const terms = [...lists.keys()].sort();
  for (const term of terms) {
    const { rows, frequencies } = lists.get(term)!;
    insert.run(term, segment, encodePostings(Uint32Array.from(rows), Uint32Array.from(frequencies)));
  }
  for (let tier = 0; mergeTier(database, tier); tier++);
}

/** The postings of a term over all segments, in order of row; rows that are gone may be among them. */
export function joinPostings(blobs: readonly Uint8Array[]): Postings {
  const parts = blobs.map((blob) => decodePostings(blob));
  if (parts.length === 1) return parts[0]!;
  const length = parts.reduce((sum, { rows }) => sum + rows.length, 0);
  const joined = { rows: new Uint32Array(length), frequencies: new Uint32Array(length) };
  let offset = 0;
  for (const { rows, frequencies } of parts) {
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

/** Merges the segments of a tier when there are enough; they follow one another in order of row. */
function mergeTier(database: Database.Database, tier: number): boolean {
  const ids = database.prepare('SELECT id FROM segments WHERE tier = ? ORDER BY id').pluck().all(tier) as number[];
  if (ids.length < mergeFactor) return false;
  const first = ids[0]!;
  const last = ids.at(-1)!;
  const live = new Set(database.prepare('SELECT row FROM chunks').pluck().all() as number[]);
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
    const merged = livePostings(joinPostings(read.all(term, first, last) as Uint8Array[]), (row) => live.has(row));
    remove.run(term, first, last);
    if (merged.rows.length > 0) insert.run(term, first, encodePostings(merged.rows, merged.frequencies));
  }
  database.prepare('DELETE FROM segments WHERE id > ? AND id <= ?').run(first, last);
  database.prepare('UPDATE segments SET tier = ? WHERE id = ?').run(tier + 1, first);
  return true;
}
