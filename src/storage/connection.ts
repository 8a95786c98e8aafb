import type Database from 'better-sqlite3';
import { SurmiseError } from '../core/errors.js';
import type { DocumentRecord, Fingerprint } from '../core/ports.js';
import { closedError, whenFree } from './busy.js';
import { checkRecords } from './check-records.js';
import { type Access, openDatabase } from './open.js';
import { checkSameFile, identityOf } from './open-file.js';
import { copyRecords } from './put-copy.js';
import type { PutThread } from './put-thread.js';

/** One open index file: work waits for other processes without holding up this one. */
export interface Connection {
  readonly path: string;
  readonly memory: boolean;
  /** @throws SurmiseError `bad_argument` when it has been closed, `storage_failed` when the file is another by now */
  check(): void;
  /** Everything that the work reads is of one moment; `version` changes with every write, by whatever process. */
  read<T>(work: (database: Database.Database, version: string) => T): Promise<T>;
  /** Writes come in the order in which they were asked for. */
  write<T>(work: (database: Database.Database) => T): Promise<T>;
  /** Writes records in the order of writes, many of them in a thread of their own. */
  put(records: readonly DocumentRecord[], fingerprint: Fingerprint | undefined): Promise<void>;
  /** Like `write`, with no other connection of this process to the file. */
  alone<T>(work: (database: Database.Database) => T): Promise<T>;
  /** Like `alone`, for work after which the file may be another one: it is opened again. */
  replace<T>(work: (database: Database.Database) => T): Promise<T>;
  /** Ends when all writes have been done that do not wait for another process. */
  close(): Promise<void>;
}

export function connect(path: string, access: Access, waitMs: number): Connection {
  const memory = path === ':memory:';
  let database = openDatabase(path, access);
  let opened = memory ? undefined : identityOf(path);
  let thread: PutThread | undefined;
  /** Writes of this connection, which its `data_version` does not count; failed ones as well, which may have done a part. */
  let written = 0;
  let closed = false;
  let writes: Promise<unknown> = Promise.resolve();
  const check = () => {
    if (closed) throw closedError(path);
  };
  const run = <T>(work: () => T) =>
    whenFree({ path, waitMs, check }, () => {
      checkSameFile(path, opened);
      return work();
    });
  const runWrite = <T>(work: (database: Database.Database) => T) =>
    run(() => {
      try {
        return work(database);
      } finally {
        written++;
      }
    });
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    check();
    if (access === 'read') throw new SurmiseError('bad_argument', `The index ${path} was opened for reading only.`);
    const done = writes.then(work);
    writes = done.catch(() => undefined);
    return done;
  };
  const alone = <T>(work: (database: Database.Database) => T) =>
    inTurn(async () => {
      await thread?.end();
      return runWrite(work);
    });
  return {
    path,
    memory,
    check() {
      check();
      checkSameFile(path, opened);
    },
    async read(work) {
      check();
      const versionNow = () => `${database.pragma('data_version', { simple: true })}.${written}`;
      return run(() => database.transaction(() => work(database, versionNow()))());
    },
    write: (work) => inTurn(() => runWrite(work)),
    async put(records, fingerprint) {
      check();
      checkRecords(records, fingerprint);
      // Written in its turn, as it is now.
      const copy = copyRecords(records, fingerprint);
      return inTurn(async () => {
        // Who only reads does not wait for what writes.
        const { createPutThread, withThreadFailure } = await import('./put-thread.js');
        const { putRecords } = await import('./put-records.js');
        if (!memory) thread ??= createPutThread(path, waitMs, () => opened);
        if (closed) thread?.stopWaiting();
        const unwritten = thread?.takes(copy) ? await thread.put(copy, fingerprint) : { reason: undefined };
        if (unwritten === undefined) return;
        try {
          // Written already or not, what is put again is the same.
          await putRecords(copy, fingerprint, runWrite);
        } catch (error) {
          throw withThreadFailure(error, unwritten.reason);
        }
      });
    },
    alone,
    replace: (work) =>
      alone((own) => {
        try {
          return work(own);
        } finally {
          if (!own.open) {
            database = openDatabase(path, access);
            opened = identityOf(path);
          }
        }
      }),
    async close() {
      closed = true;
      thread?.stopWaiting();
      await writes;
      await thread?.end();
      database.close();
    },
  };
}
