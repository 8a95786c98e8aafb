import { resolve } from 'node:path';
import { pause } from '../core/deadline.js';
import { messageOf, SurmiseError } from '../core/errors.js';
import { pathKey } from './path-key.js';
import type { Skip } from './skip.js';
import { systemCode, systemReason } from './system-error.js';
import { watchRoot } from './watched-root.js';

export interface WatchOptions {
  /** Ends the watch. */
  readonly signal: AbortSignal;
  readonly followLinks?: boolean;
  /** Told once of each entry that can not be watched, of 1,000 at most; changes in it may go unseen. */
  readonly onSkip?: (skip: Skip) => void;
}

/** Editors write a file in several steps, and tools many files at once: so long it must be quiet, in milliseconds. */
const quietMs = 300;
/** Under changes that never pause it is told so often. */
const patienceMs = 3_000;
/** So often it is looked whether the roots are there, and for at most this part of the time. */
const lookMs = 1_000;
const lookShare = 0.05;
const maxSkips = 1_000;

/**
 * Yields when changes are seen from now on, and then whenever something under the roots has changed that a walk of them
 * would see, after a moment of quiet; what changes while the consumer works makes it yield again. A root that goes away,
 * comes back, or is a link that leads elsewhere now, is such a change; what is there then is watched. An entry that can
 * not be watched is passed over. Ends when the signal aborts, and keeps the process alive until then.
 *
 * @throws SurmiseError `unreadable` when the system can watch no more folders
 */
export async function* watchFolders(roots: readonly string[], options: WatchOptions): AsyncGenerator<void> {
  const { signal, followLinks = false, onSkip } = options;
  let wake: () => void = () => {};
  let failure: unknown;
  let first: number | undefined;
  let last = 0;
  const skipped = new Set<string>();
  const given = [...new Set(roots.map((root) => resolve(root)))];
  const notReady = new Set(given);
  const onFailure = (error: unknown) => {
    failure ??= error;
    wake();
  };
  const watched = given.map((root) =>
    watchRoot(root, {
      followLinks,
      onFailure,
      onReady() {
        notReady.delete(root);
        wake();
      },
      onChange() {
        last = performance.now();
        first ??= last;
        wake();
      },
      onSkip(path, error) {
        if (skipped.has(path) || skipped.size >= maxSkips) return;
        skipped.add(path);
        onSkip?.({ path: pathKey(path), reason: 'unreadable', detail: systemReason(error) });
      },
    }),
  );
  const keepLooking = async () => {
    while (!signal.aborted) {
      const from = performance.now();
      await Promise.all(watched.map((root) => root.look()));
      const spent = performance.now() - from;
      await pause(Math.max(lookMs, spent / lookShare), ended);
    }
  };
  const end = new AbortController();
  const ended = AbortSignal.any([signal, end.signal]);
  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort, { once: true });
  keepLooking().catch((error: unknown) => {
    if (!ended.aborted) onFailure(error);
  });
  let begun = false;
  try {
    for (;;) {
      if (signal.aborted) return;
      if (failure !== undefined) throw asError(failure);
      const now = performance.now();
      if (!begun && notReady.size === 0) {
        begun = true;
        first = undefined;
        yield;
        continue;
      }
      const due = first === undefined || !begun ? undefined : Math.min(last + quietMs, first + patienceMs);
      if (due !== undefined && now >= due) {
        first = undefined;
        yield;
        continue;
      }
      await new Promise<void>((done) => {
        const timer = due === undefined ? undefined : setTimeout(done, due - now);
        wake = () => {
          clearTimeout(timer);
          done();
        };
      });
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    end.abort();
    await Promise.all(watched.map((root) => root.close()));
  }
}

function asError(error: unknown): SurmiseError {
  const code = systemCode(error);
  const advice =
    code === 'ENOSPC' || code === 'EMFILE'
      ? 'there are more folders than the system lets one user watch; name fewer, or raise its limit (on Linux fs.inotify.max_user_watches)'
      : messageOf(error);
  return new SurmiseError('unreadable', `The folders can not be watched: ${advice}.`, { cause: error });
}
