import { setTimeout as sleep } from 'node:timers/promises';
import { SurmiseError } from '../core/errors.js';
import { asSurmiseError, isBusy } from './sqlite-errors.js';

/** What SQLite itself waits, in milliseconds: the event loop stands still for so long at most. */
export const blockingWaitMs = 20;
/** Short enough to come in between the batches of another process, which embeds in between. */
const pauseMs = { first: 5, longest: 40 };

interface BusyOptions {
  readonly path: string;
  /** How long in all, in milliseconds. */
  readonly waitMs: number;
  /** Asked before each try but the first; throws where there is no more reason to wait. */
  readonly check: () => void;
}

/**
 * Does the work when no other process is in the way; the event loop goes on in between.
 *
 * @throws SurmiseError `index_busy` when the time is over, and whatever else the work throws, translated
 */
export async function whenFree<T>({ path, waitMs, check }: BusyOptions, work: () => T): Promise<T> {
  const until = performance.now() + waitMs;
  for (let pause = pauseMs.first; ; pause = Math.min(pause * 2, pauseMs.longest)) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw asSurmiseError(error, path);
      if (performance.now() >= until) throw busyError(path, waitMs, error);
    }
    await sleep(pause);
    check();
  }
}

export function closedError(path: string): SurmiseError {
  return new SurmiseError('bad_argument', `The index ${path} has been closed.`);
}

function busyError(path: string, waitMs: number, cause: unknown): SurmiseError {
  const seconds = Math.round(waitMs / 100) / 10;
  return new SurmiseError(
    'index_busy',
    `Another process has held the index ${path} for more than ${seconds} s. Wait until its "surmise index" or "surmise compact" is done, or end it; then try again.`,
    { cause, retryable: true },
  );
}
