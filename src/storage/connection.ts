import type Database from 'better-sqlite3';
import { type DocumentRecord, type Fingerprint, SurmiseError } from '../core/index.js';
import { analyzeRecords } from './analyze-records.js';
import { closedError, whenFree } from './busy.js';
import { type Access, openDatabase } from './open.js';
import { createPutThread } from './put-thread.js';
import { writeRecords } from './write.js';

/** One open index file: work waits for other processes without holding up this one. */
export interface Connection {
  readonly path: string;
  readonly memory: boolean;
  /** @throws SurmiseError `bad_argument` when it has been closed */
  check(): void;
  /** Everything that the work reads is of one moment. */
  read<T>(work: (database: Database.Database) => T): Promise<T>;
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
  const thread = memory || access === 'read' ? undefined : createPutThread(path, waitMs);
  let closed = false;
  let writes: Promise<unknown> = Promise.resolve();
  const check = () => {
    if (closed) throw closedError(path);
  };
  const run = <T>(work: () => T) => whenFree({ path, waitMs, check }, work);
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    check();
    if (access === 'read') throw new SurmiseError('bad_argument', `The index ${path} was opened for reading only.`);
    const done = writes.then(work);
    writes = done.catch(() => undefined);
    return done;
  };
  const write = <T>(work: (database: Database.Database) => T) => inTurn(() => run(() => work(database)));
  const alone = <T>(work: () => T) =>
    inTurn(async () => {
      await thread?.end();
      return run(work);
    });
  return {
    path,
    memory,
    check,
    async read(work) {
      check();
      return run(() => database.transaction(() => work(database))());
    },
    write,
    async put(records, fingerprint) {
      check();
      const copy = thread?.accept(records, fingerprint);
      if (thread === undefined || copy === undefined) {
        // Before its turn: while a transaction lasts no other process can write.
        const analyzed = analyzeRecords(records, fingerprint);
        return write((own) => writeRecords(own, analyzed, fingerprint));
      }
      return inTurn(async () => {
        if (await thread.put(copy, fingerprint)) return;
        // Written already or not, what is put again is the same.
        const analyzed = analyzeRecords(copy, fingerprint);
        await run(() => writeRecords(database, analyzed, fingerprint));
      });
    },
    alone: (work) => alone(() => work(database)),
    replace: (work) =>
      alone(() => {
        try {
          return work(database);
        } finally {
          if (!database.open) database = openDatabase(path, access);
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
