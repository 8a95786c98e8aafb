import type Database from 'better-sqlite3';
import { parseChunkId } from '../core/chunk-id.js';
import type { Groups } from '../kernels/best-of-groups.js';
import type { PostingsSource } from '../kernels/bm25.js';
import type { Postings } from '../kernels/postings.js';
import { readChunkRows } from './chunk-rows.js';
import { livePostings, postingsReader } from './segments.js';

/** Decoded postings that are kept between searches, in entries (8 bytes each). */
const maxCachedPostings = 4_000_000;

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
  const { size, terms, lengths, documents, documentRows, id } = readChunkRows(database);
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
    postings: { size, averageLength: size > 0 ? terms / size : 0, lengths, postings, id },
    documents: { of: documents, count: documentRows },
    rowsOf: (wanted) =>
      wanted.flatMap((chunk) => {
        const { document, ordinal } = parseChunkId(chunk);
        return (readRow.get(document, ordinal) as number | undefined) ?? [];
      }),
  };
}
