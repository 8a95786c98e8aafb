import Database from 'better-sqlite3';
import { pageSize } from './schema.js';
import { mergeAll } from './segments.js';
import { isBusy } from './sqlite-errors.js';

/** Fewer dead rows than this cost too little to be worth a rewrite. */
const spareRows = 10_000;

/** Compacts when more than half of all rows ever given out are dead. Runs inside the caller's transaction. */
export function compactWhenDue(database: Database.Database): void {
  const given = lastRow(database);
  if (given <= spareRows) return;
  const live = database.prepare('SELECT count(*) FROM chunks').pluck().get() as number;
  if (given > 2 * live + spareRows) compact(database);
}

/**
 * Numbers the rows of chunks from 1 without gaps, in the order that they have, and makes one segment of all, without the
 * postings of chunks that are gone. All of it or nothing; searches find what they found before. The room in the file is
 * used again, not given back.
 */
export function compact(database: Database.Database): void {
  const work = database.transaction(() => {
    const places = renumber(database);
    mergeAll(database, (row) => places.get(row), places.size);
  });
  work.immediate();
}

/** The new place of each row of a chunk. Runs inside the caller's transaction; postings still have the old ones. */
export function renumber(database: Database.Database): Map<number, number> {
  // Until the end of the transaction a vector may point at a row that has moved.
  database.pragma('defer_foreign_keys = ON');
  const rows = database.prepare('SELECT row FROM chunks ORDER BY row').pluck().all() as number[];
  const moveChunk = database.prepare('UPDATE chunks SET row = ? WHERE row = ?');
  const moveVector = database.prepare('UPDATE vectors SET chunk = ? WHERE chunk = ?');
  const places = new Map<number, number>();
  rows.forEach((row, index) => {
    const place = index + 1;
    places.set(row, place);
    // Never above the old one, so the place is free: rows move in order.
    if (place === row) return;
    moveChunk.run(place, row);
    moveVector.run(place, row);
  });
  database.prepare("UPDATE sqlite_sequence SET seq = ? WHERE name = 'chunks'").run(rows.length);
  return places;
}

/** The highest row that was ever given to a chunk; 0 before the first. */
export function lastRow(database: Database.Database): number {
  const rows = "SELECT seq AS row FROM sqlite_sequence WHERE name = 'chunks' UNION ALL SELECT max(row) FROM chunks";
  return database.prepare(`SELECT coalesce(max(row), 0) FROM (${rows})`).pluck().get() as number;
}

/**
 * Writes the whole file anew, so that it is as small as can be and holds no byte of what was removed; the log is emptied.
 * A file whose pages have the size of an older version gets that of this one, if no other process has it open. Whatever
 * fails on the way leaves the index as it was.
 */
export function rewriteFile(database: Database.Database): void {
  compact(database);
  const resize = (database.pragma('page_size', { simple: true }) as number) !== pageSize && leaveLog(database);
  try {
    if (resize) database.pragma(`page_size = ${pageSize}`);
    database.exec('VACUUM');
  } finally {
    if (resize) database.pragma('journal_mode = WAL');
  }
  emptyLog(database);
}

/** The size of pages changes without a log only, and to be without one takes being alone. */
function leaveLog(database: Database.Database): boolean {
  try {
    return database.pragma('journal_mode = DELETE', { simple: true }) === 'delete';
  } catch (error) {
    if (!isBusy(error)) throw error;
    return false;
  }
}

/** Throws SQLITE_BUSY while another process reads what is in the log. */
export function emptyLog(database: Database.Database): void {
  const [result] = database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
  if (result !== undefined && result.busy !== 0) throw new Database.SqliteError('The log is being read', 'SQLITE_BUSY');
}
