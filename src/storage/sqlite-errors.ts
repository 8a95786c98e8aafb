import Database from 'better-sqlite3';
import { isSurmiseError, SurmiseError } from '../core/errors.js';

const sentences = {
  index_damaged:
    'is damaged or not a Surmise index. Try surmise check --repair; where that does not help, move it away and index again, or restore a copy',
  index_busy: 'is held by another process. Try again when it is done',
  storage_failed: 'can not be read or written. Check that the disk has room and that you may write there',
} as const;

const busy = /^SQLITE_(BUSY|LOCKED)/;

/** Whether another connection is in the way. */
export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && busy.test(error.code);
}

/** What an SQLite result code means to a user. */
function codeOf(sqliteCode: string): keyof typeof sentences | undefined {
  // Our statements are always the same: one that SQLite does not take says that the tables are not ours.
  // And a row that seems to take more memory than there is comes of a damaged page.
  if (/^SQLITE_(ERROR|NOTADB|CORRUPT|SCHEMA|FORMAT|MISMATCH|NOMEM)/.test(sqliteCode)) return 'index_damaged';
  if (busy.test(sqliteCode)) return 'index_busy';
  if (/^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|PERM|NOLFS|TOOBIG)/.test(sqliteCode)) return 'storage_failed';
  return undefined;
}

/** Any failure of the database as an error that says what to do; others pass as they are. */
export function asSurmiseError(error: unknown, path: string): unknown {
  if (isSurmiseError(error) || !(error instanceof Error)) return error;
  const sqliteCode = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const code = codeOf(sqliteCode);
  if (code !== undefined)
    return new SurmiseError(code, `The index ${path} ${sentences[code]}.`, {
      cause: error,
      retryable: code === 'index_busy',
    });
  return sqliteCode.startsWith('SQLITE_')
    ? new SurmiseError('internal', `The index ${path} could not answer.`, { cause: error })
    : error;
}

/** Runs database work with its failures translated. */
export function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asSurmiseError(error, path);
  }
}
