import type Database from 'better-sqlite3';
import { rewriteFile } from './compact.js';
import type { Connection } from './connection.js';
import { sizeOf } from './read.js';

export interface CompactReport {
  /** Bytes of the file and its log. */
  readonly before: number;
  readonly after: number;
}

export function compactFile(connection: Connection): Promise<CompactReport> {
  const { path, memory } = connection;
  const bytes = () => (memory ? 0 : sizeOf(path) + sizeOf(`${path}-wal`));
  return connection.alone((database: Database.Database) => {
    const before = bytes();
    rewriteFile(database);
    return { before, after: bytes() };
  });
}
