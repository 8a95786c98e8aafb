import { parentPort, workerData } from 'node:worker_threads';
import type Database from 'better-sqlite3';
import { closedError, whenFree } from './busy.js';
import { openDatabase } from './open.js';
import { checkSameFile } from './open-file.js';
import { type PutAnswer, type PutRequest, type PutThreadData, toFailure } from './put-message.js';
import { putRecords } from './put-records.js';

/** The program of the thread: puts, one after the other, through a connection of its own. */
function serve(port: NonNullable<typeof parentPort>, { path, waitMs, closing, opened }: PutThreadData): void {
  let database: Database.Database | undefined;
  const check = () => {
    if (Atomics.load(closing, 0) !== 0) throw closedError(path);
  };
  const put = async ({ records, fingerprint }: Extract<PutRequest, { kind: 'put' }>): Promise<PutAnswer> => {
    try {
      // Opening would make a new file where there is none any more.
      checkSameFile(path, opened);
      database ??= openDatabase(path, 'write');
      const own = database;
      await putRecords(records, fingerprint, (work) =>
        whenFree({ path, waitMs, check }, () => {
          checkSameFile(path, opened);
          work(own);
        }),
      );
      return {};
    } catch (error) {
      return { failure: toFailure(error) };
    }
  };
  port.on('message', async (request: PutRequest) => {
    if (request.kind === 'put') {
      port.postMessage(await put(request));
      return;
    }
    database?.close();
    port.close();
  });
}

if (parentPort !== null) serve(parentPort, workerData as PutThreadData);
