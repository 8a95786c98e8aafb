import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { SurmiseError } from '../core/errors.js';
import { blockingWaitMs } from './busy.js';
import { openFrozen } from './open-frozen.js';
import { applicationId, countIndex, migrate, pageSize, schemaVersion } from './schema.js';
import { guarded, isBusy } from './sqlite-errors.js';

export type Access = 'read' | 'write';

/** How long opening waits for another process that makes the file or brings it up to date. */
const busyTimeoutMs = 10_000;
const busyPauseMs = 20;
/** Pages that a writer keeps in memory. */
const cacheKilobytes = 4_096;
/** The log is written back into the file when it has this size; what one large transaction made it longer is cut off then. */
const logBytes = 8 * 2 ** 20;

/**
 * Opens the file with WAL (readers see the old or the new state while one process writes). `read` needs an index to be
 * there; `write` makes it.
 *
 * @throws SurmiseError `no_index`, `index_too_new`, `index_damaged`, `index_busy`, `storage_failed`
 */
export function openDatabase(path: string, access: Access): Database.Database {
  const memory = path === ':memory:';
  if (access === 'read' && !memory && isMissing(path))
    throw new SurmiseError('no_index', `There is no index at ${path} yet. Make one with: surmise index FOLDER`);
  return guarded(path, () => {
    if (!memory && access === 'write') {
      makeFolder(path);
      makeFile(path);
    }
    try {
      return ready(connect(path, access === 'read' && !memory), path, access);
    } catch (error) {
      const frozen = access === 'read' && isUnwritable(error) ? openFrozen(path) : undefined;
      if (frozen === undefined) throw error;
      return ready(frozen, path, access);
    }
  });
}

/** The connection when it is known to be one to an index; closes it when it is not. */
function ready(database: Database.Database, path: string, access: Access): Database.Database {
  try {
    database.pragma(`busy_timeout = ${blockingWaitMs}`);
    whileBusy(() => {
      // In one transaction, so that a file which another process is just making is seen as nothing or as an index.
      database.transaction(() => checkIdentity(database, path, access))();
      if (access === 'write' || path === ':memory:') prepare(database);
    });
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Whether SQLite failed because it wanted to write beside the file. */
function isUnwritable(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(CANTOPEN|READONLY)/.test(error.code);
}

/** Only what is known not to be there is missing; a folder that may not be entered says nothing. */
function isMissing(path: string): boolean {
  try {
    statSync(path);
    return false;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code === 'ENOENT' || code === 'ENOTDIR';
  }
}

function prepare(database: Database.Database): void {
  // Takes effect in a file that is empty still.
  database.pragma(`page_size = ${pageSize}`);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  // What is deleted is overwritten; that costs nothing that could be measured.
  database.pragma('secure_delete = ON');
  database.pragma(`cache_size = -${cacheKilobytes}`);
  const pages = Math.ceil(logBytes / (database.pragma('page_size', { simple: true }) as number));
  database.pragma(`wal_autocheckpoint = ${pages}`);
  database.pragma(`journal_size_limit = ${logBytes}`);
  database.pragma('foreign_keys = ON');
  if ((database.pragma('user_version', { simple: true }) as number) < schemaVersion) migrate(database);
  database.exec(countIndex);
}

/** SQLite itself does not wait where two processes switch a new file to WAL. */
function whileBusy(work: () => void): void {
  const until = performance.now() + busyTimeoutMs;
  for (;;)
    try {
      work();
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyPauseMs);
    }
}

function connect(path: string, readonly: boolean): Database.Database {
  try {
    return new Database(path, { readonly });
  } catch (error) {
    if (error instanceof Error && /bindings|NODE_MODULE_VERSION|ERR_DLOPEN/.test(error.message))
      throw new SurmiseError(
        'storage_failed',
        'The native part of better-sqlite3 is missing or was built for another Node. Run: npm install-scripts approve better-sqlite3 && npm rebuild better-sqlite3',
        { cause: error },
      );
    throw error;
  }
}

function makeFolder(path: string): void {
  try {
    // One by one: Node's own way never ends where a file system takes no folders (/proc).
    const missing: string[] = [];
    for (let folder = dirname(path); !existsSync(folder); folder = dirname(folder)) missing.push(folder);
    for (const folder of missing.reverse()) mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (existsSync(dirname(path))) return;
    throw new SurmiseError('storage_failed', `The folder for the index ${path} can not be made.`, { cause: error });
  }
}

/**
 * An index holds the texts of its user, so nobody else may read what we make (Windows knows no such modes). SQLite gives
 * the files beside it the mode of this one. Only a new file is opened here: closing one that SQLite has open in this
 * process would end its locks.
 */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // It is there already, or SQLite says what is wrong.
  }
}

function checkIdentity(database: Database.Database, path: string, access: Access): void {
  const version = database.pragma('user_version', { simple: true }) as number;
  const application = database.pragma('application_id', { simple: true }) as number;
  const tables = database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() as number;
  if (application !== applicationId && (tables > 0 || application !== 0))
    throw new SurmiseError(
      'index_damaged',
      `${path} is a database of another program. Choose another file with --index.`,
    );
  if (version > schemaVersion)
    throw new SurmiseError(
      'index_too_new',
      `The index ${path} was written by a newer version of Surmise (format ${version}, this one knows ${schemaVersion}). Update Surmise or choose another index.`,
    );
  if (access === 'read' && version < schemaVersion)
    throw tables === 0
      ? new SurmiseError('no_index', `The index at ${path} is empty. Fill it with: surmise index FOLDER`)
      : new SurmiseError(
          'index_damaged',
          `The index ${path} has an old format. Bring it up to date with: surmise index FOLDER`,
        );
}
