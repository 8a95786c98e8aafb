import type Database from 'better-sqlite3';
import { SurmiseError } from '../core/index.js';
import { whenFree } from './busy.js';
import { type Access, openDatabase } from './open.js';

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
  /** Like `write`, for work after which the file may be another one: it is opened again. */
  replace<T>(work: (database: Database.Database) => T): Promise<T>;
  close(): void;
}

export function connect(path: string, access: Access, waitMs: number): Connection {
  let database = openDatabase(path, access);
  let closed = false;
  let writes: Promise<unknown> = Promise.resolve();
  const check = () => {
    if (closed) throw new SurmiseError('bad_argument', `The index ${path} has been closed.`);
  };
  const run = <T>(work: () => T) => whenFree({ path, waitMs, check }, work);
  const inTurn = async <T>(work: () => T): Promise<T> => {
    check();
    if (access === 'read') throw new SurmiseError('bad_argument', `The index ${path} was opened for reading only.`);
    const done = writes.then(() => run(work));
    writes = done.catch(() => undefined);
    return done;
  };
  return {
    path,
    memory: path === ':memory:',
    check,
    read: (work) => run(() => database.transaction(() => work(database))()),
    write: (work) => inTurn(() => work(database)),
    replace: (work) =>
      inTurn(() => {
        try {
          return work(database);
        } finally {
          if (!database.open) database = openDatabase(path, access);
        }
      }),
    close() {
      closed = true;
      database.close();
    },
  };
}
