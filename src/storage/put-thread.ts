import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { isSurmiseError, SurmiseError } from '../core/errors.js';
import type { DocumentRecord, Fingerprint } from '../core/ports.js';
import type { FileIdentity } from './open-file.js';
import { fromFailure, type PutAnswer, type PutRequest, type PutThreadData } from './put-message.js';

/** What it costs to start the thread, some 100 ms, pays from puts of so much. */
const largePut = { chunks: 300, characters: 500_000 };
/** Megabytes of the thread's heap that wait for the collector; what V8 takes by itself is several times that. */
const youngMegabytes = 8;

interface Unwritten {
  readonly reason: unknown;
}

export interface PutThread {
  /** Whether the thread is to write the records: they are many, or it runs already. */
  takes(records: readonly DocumentRecord[]): boolean;
  /**
   * One at a time; undefined when they are written. Where there is no thread, or none any more, whether the records were
   * written is not known.
   *
   * @throws whatever writing them threw
   */
  put(records: readonly DocumentRecord[], fingerprint: Fingerprint | undefined): Promise<Unwritten | undefined>;
  /** Puts that wait for another process give up. */
  stopWaiting(): void;
  /** Closes the thread's connection; a later put starts it again. Not while a put runs. */
  end(): Promise<void>;
}

/**
 * A second thread, with its own connection to the same file, that analyses and writes while this one reads and embeds what
 * comes next. It starts with the first large put, and keeps the process alive while it works only. It writes to the file
 * that was opened, no other of that name.
 */
export function createPutThread(path: string, waitMs: number, opened: () => FileIdentity | undefined): PutThread {
  const closing = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let usable = isBuilt() && availableParallelism() > 1;
  let running: { readonly worker: Worker; readonly ended: Promise<void> } | undefined;
  /** Why there is no thread any more. */
  let failure: unknown;
  let answered: ((answer: PutAnswer | undefined) => void) | undefined;

  function start() {
    const workerData: PutThreadData = { path, waitMs, closing, opened: opened() };
    const worker = new Worker(new URL('./put-worker.js', import.meta.url), {
      workerData,
      // Those of this process may not be allowed in a thread; none of ours is needed.
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes },
    });
    worker.unref();
    worker.on('message', (answer: PutAnswer) => answered?.(answer));
    // Whatever it died of, the same work is tried on this thread, which says what is wrong if it is wrong there too.
    worker.on('error', (error) => {
      usable = false;
      failure = error;
    });
    // Only now its connection is closed, and with it a transaction that was open.
    const ended = new Promise<void>((resolve) => {
      worker.once('exit', () => {
        running = undefined;
        answered?.(undefined);
        resolve();
      });
    });
    return { worker, ended };
  }

  return {
    takes: (records) => usable && (running !== undefined || isLarge(records)),
    async put(records, fingerprint) {
      if (!usable) return { reason: failure };
      let answer: PutAnswer | undefined;
      try {
        running ??= start();
        const { worker } = running;
        answer = await new Promise<PutAnswer | undefined>((resolve) => {
          answered = resolve;
          worker.postMessage({ kind: 'put', records, fingerprint } satisfies PutRequest);
          worker.ref();
        });
      } catch (reason) {
        // No thread can be started here, or the records hold what no message can.
        return { reason };
      } finally {
        answered = undefined;
        running?.worker.unref();
      }
      if (answer === undefined) {
        usable = false;
        failure ??= new Error('The thread that writes has ended.');
        return { reason: failure };
      }
      if (answer.failure !== undefined) throw fromFailure(answer.failure);
      return undefined;
    },
    stopWaiting() {
      Atomics.store(closing, 0, 1);
    },
    async end() {
      if (running === undefined) return;
      const { worker, ended } = running;
      worker.ref();
      worker.postMessage({ kind: 'end' } satisfies PutRequest);
      await ended;
    },
  };
}

/** What failed here as well tells of both. */
export function withThreadFailure(error: unknown, reason: unknown): unknown {
  if (reason === undefined || !isSurmiseError(error)) return error;
  const { code, message, retryable } = error;
  const cause = new AggregateError([error, reason], 'Neither a thread nor the calling one could write');
  return new SurmiseError(code, message, { cause, retryable });
}

function isLarge(records: readonly DocumentRecord[]): boolean {
  let chunks = 0;
  let characters = 0;
  for (const record of records) {
    chunks += record.chunks.length;
    characters += record.document.text.length;
  }
  return chunks >= largePut.chunks || characters >= largePut.characters;
}

/** In a bundle, and where the sources themselves are run, the thread's program is not beside this file. */
function isBuilt(): boolean {
  return import.meta.url.endsWith('/storage/put-thread.js');
}
