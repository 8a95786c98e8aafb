import { basename, resolve } from 'node:path';
import { messageOf, SurmiseError } from '../core/errors.js';
import { formatOf } from './formats.js';
import { isRuleFile } from './ignore-rules.js';
import { systemCode } from './system-error.js';
import { vendoredDetail } from './vendored.js';

export interface WatchOptions {
  /** Ends the watch. */
  readonly signal: AbortSignal;
  readonly followLinks?: boolean;
}

/** Editors write a file in several steps, and tools many files at once: so long it must be quiet, in milliseconds. */
const quietMs = 300;
/** Under changes that never pause it is told so often. */
const patienceMs = 3_000;

/**
 * Yields when changes are seen from now on, and then whenever something under the roots has changed that a walk of them
 * would see, after a moment of quiet; what changes while the consumer works makes it yield again. Ends when the signal
 * aborts.
 *
 * @throws SurmiseError `unreadable` when the system can watch no more folders
 */
export async function* watchFolders(roots: readonly string[], options: WatchOptions): AsyncGenerator<void> {
  const { signal, followLinks = false } = options;
  const { watch: watchPaths } = await import('chokidar');
  let wake: () => void = () => {};
  let failure: unknown;
  let first: number | undefined;
  let last = 0;
  const given = new Set(roots.map((root) => resolve(root)));
  const watcher = watchPaths([...given], {
    ignoreInitial: true,
    followSymlinks: followLinks,
    ignored: (path) => !given.has(path) && isLeftOut(path),
  });
  watcher.on('all', (event, path) => {
    if ((event === 'add' || event === 'change' || event === 'unlink') && !given.has(path) && !isRead(path)) return;
    last = performance.now();
    first ??= last;
    wake();
  });
  watcher.on('error', (error) => {
    failure = error;
    wake();
  });
  watcher.on('ready', () => {
    first ??= last;
    wake();
  });
  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      if (signal.aborted) return;
      if (failure !== undefined) throw asError(failure);
      const now = performance.now();
      const due = first === undefined ? undefined : Math.min(last + quietMs, first + patienceMs);
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
    await watcher.close();
  }
}

function isLeftOut(path: string): boolean {
  const name = basename(path);
  return (name.startsWith('.') && !isRuleFile(name)) || vendoredDetail(name, []) !== undefined;
}

function isRead(path: string): boolean {
  return isRuleFile(basename(path)) || typeof formatOf(path) !== 'string';
}

function asError(error: unknown): SurmiseError {
  const code = systemCode(error);
  const advice =
    code === 'ENOSPC' || code === 'EMFILE'
      ? 'there are more folders than the system lets one user watch; name fewer, or raise its limit (on Linux fs.inotify.max_user_watches)'
      : messageOf(error);
  return new SurmiseError('unreadable', `The folders can not be watched: ${advice}.`, { cause: error });
}
