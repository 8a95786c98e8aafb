import type Database from 'better-sqlite3';
import { chunkId, parseChunkId } from '../core/chunk-id.js';
import type { Groups } from '../kernels/best-of-groups.js';
import type { PostingsSource } from '../kernels/bm25.js';
import type { Postings } from '../kernels/postings.js';
import { livePostings, postingsReader } from './segments.js';
import { corrupt } from './stored.js';

/** Decoded postings that are kept between searches, in entries (8 bytes each). */
const maxCachedPostings = 4_000_000;
/** Postings hold rows of 32 bits. */
const largestRow = 0xffff_ffff;

/** What searches need of the index in memory, as it stood at one moment. Parts are read when first asked for. */
export interface Snapshot {
  readonly postings: PostingsSource;
  /** The document of each row of `chunks`. */
  readonly documents: Groups;
  /** Rows of the chunks with these ids; those that are not there are left out. */
  rowsOf(ids: readonly string[]): number[];
}

/** Reads the lengths of all chunks; no text, no postings, no vectors yet. */
export function takeSnapshot(database: Database.Database): Snapshot {
  const { size, bottom, top, shortest, total } = database
    .prepare(
      `SELECT count(*) AS size, coalesce(min(row), 1) AS bottom, coalesce(max(row), 0) AS top,
              coalesce(min(length), 1) AS shortest, coalesce(sum(length), 0) AS total FROM chunks`,
    )
    .get() as { size: number; bottom: number; top: number; shortest: number; total: number };
  if (bottom < 1 || top > largestRow || shortest < 1) throw corrupt('A chunk with a row or a length out of range');
  const lengths = new Uint32Array(top + 1);
  const of = new Uint32Array(top + 1);
  const count =
    1 +
    readRows(database, (row, length, document) => {
      lengths[row] = length;
      of[row] = document;
    });

  const ids: string[] = [];
  const readId = database
    .prepare('SELECT d.id, c.ordinal FROM chunks c JOIN documents d ON d.row = c.document WHERE c.row = ?')
    .raw();
  const id = (row: number): string => {
    const known = ids[row];
    if (known !== undefined) return known;
    const found = readId.get(row) as [string, number] | undefined;
    if (found === undefined) throw corrupt('A chunk or vector without its document');
    const made = chunkId(...found);
    ids[row] = made;
    return made;
  };

  const readPostings = postingsReader(database);
  const cache = new Map<string, Postings | undefined>();
  let cached = 0;
  const postings = (term: string): Postings | undefined => {
    if (cache.has(term)) return cache.get(term);
    const all = readPostings(term);
    const live = all && livePostings(all, (row) => (lengths[row] ?? 0) > 0);
    const found = live !== undefined && live.rows.length > 0 ? live : undefined;
    cached += found?.rows.length ?? 1;
    if (cached > maxCachedPostings) {
      cache.clear();
      cached = found?.rows.length ?? 1;
    }
    cache.set(term, found);
    return found;
  };

  const readRow = database
    .prepare('SELECT c.row FROM chunks c JOIN documents d ON d.row = c.document WHERE d.id = ? AND c.ordinal = ?')
    .pluck();
  return {
    postings: { size, averageLength: size > 0 ? total / size : 0, lengths, postings, id },
    documents: { of, count },
    rowsOf: (wanted) =>
      wanted.flatMap((chunk) => {
        const { document, ordinal } = parseChunkId(chunk);
        return (readRow.get(document, ordinal) as number | undefined) ?? [];
      }),
  };
}

/** Rows that are read at once. */
const pageRows = 65_536;

/**
 * Calls for each chunk; returns the highest row of a document, 0 where there is none. Rows come as lists in JSON: to
 * step through them would take five times as long, a good part of what a first search takes.
 */
function readRows(database: Database.Database, use: (row: number, length: number, document: number) => void): number {
  const columns = ['row', 'length', 'document'].map((column) => `json_group_array(${column})`).join(', ');
  const read = database
    .prepare(
      `SELECT ${columns} FROM (SELECT row, length, document FROM chunks WHERE row > ? ORDER BY row LIMIT ${pageRows})`,
    )
    .raw();
  let highest = 0;
  for (let after = 0; ; ) {
    const lists = (read.get(after) as [string, string, string]).map((json) => JSON.parse(json) as number[]);
    const [rows, lengths, documents] = lists as [number[], number[], number[]];
    rows.forEach((row, at) => {
      use(row, lengths[at]!, documents[at]!);
      highest = Math.max(highest, documents[at]!);
    });
    if (rows.length < pageRows) break;
    after = rows.at(-1)!;
  }
  if (highest >= largestRow) throw corrupt('A document with a row out of range');
  return highest;
}
