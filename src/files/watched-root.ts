import { access, constants, realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { FSWatcher } from 'chokidar';
import { formatOf } from './formats.js';
import { isRuleFile } from './ignore-rules.js';
import { isRecord } from './json.js';
import { systemCode } from './system-error.js';
import { vendoredDetail } from './vendored.js';

export interface RootEvents {
  readonly followLinks: boolean;
  /** Whatever changes from now on is told of, or nothing is at the path. */
  onReady(): void;
  /** Something under the root has changed that a walk would see, or the root itself. */
  onChange(): void;
  /** An entry can not be watched; the others are. */
  onSkip(path: string, error: unknown): void;
  /** Nothing can be watched any more. */
  onFailure(error: unknown): void;
}

/** The watch of one root, which may come and go. */
export interface WatchedRoot {
  /** Sees what is at the path: what has come in the place of what was watched, or may be read again, is watched then. */
  look(): Promise<void>;
  close(): Promise<void>;
}

/** What the system has too little of. */
const exhausted = ['ENOSPC', 'EMFILE', 'ENFILE', 'ENOMEM'];
/** So many entries that are not readable are looked at again. */
const maxDenied = 1_000;

export function watchRoot(path: string, events: RootEvents): WatchedRoot {
  let watched: { readonly identity: string; readonly watcher: FSWatcher } | undefined;
  let looks = 0;
  let closed = false;
  /** The root itself has been moved or removed, and may be back by now; what is below it may be watched no more. */
  let moved = false;
  const denied = new Set<string>();

  async function look(): Promise<void> {
    const { watch } = await import('chokidar');
    const found = await placeOf(path);
    const first = looks++ === 0;
    if (found?.identity === watched?.identity && !moved && !(await anyReadable(denied))) {
      if (first) events.onReady();
      return;
    }
    await stop();
    if (closed) return;
    if (found === undefined) events.onChange();
    else watched = { identity: found.identity, watcher: start(watch, found.real) };
  }

  function start(watch: typeof import('chokidar')['watch'], real: string): FSWatcher {
    // Where a link leads to: of a link itself, only its name would be watched.
    const watcher = watch(real, {
      ignoreInitial: true,
      followSymlinks: events.followLinks,
      ignored: (entry) => entry !== real && isLeftOut(entry),
    });
    watcher.on('all', (event, entry) => {
      if ((event === 'add' || event === 'change' || event === 'unlink') && entry !== real && !isRead(entry)) return;
      events.onChange();
    });
    watcher.on('raw', (event, name, of) => {
      if (event === 'rename' && name === basename(real) && isRecord(of) && of.watchedPath === real) moved = true;
    });
    watcher.on('ready', () => {
      // What happened while it began may have been missed.
      events.onChange();
      events.onReady();
    });
    watcher.on('error', (error) => {
      const code = systemCode(error) ?? '';
      if (exhausted.includes(code)) return events.onFailure(error);
      const at = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : real;
      events.onSkip(at, error);
      isReadable(at).then((readable) => {
        if (!readable && denied.size < maxDenied && watched?.watcher === watcher) denied.add(at);
      });
      // After some errors the watcher is never ready.
      events.onReady();
    });
    return watcher;
  }

  async function stop(): Promise<void> {
    const watcher = watched?.watcher;
    watched = undefined;
    moved = false;
    denied.clear();
    if (watcher === undefined) return;
    const closing = watcher.close();
    // What it still reads may fail yet, and an error that nobody listens to ends the process.
    watcher.on('error', () => undefined);
    await closing;
  }

  return {
    look,
    close() {
      closed = true;
      return stop();
    },
  };
}

/** What a path leads to, and what tells it from whatever may be there later; undefined when nothing that can be read is there. */
async function placeOf(path: string): Promise<{ readonly real: string; readonly identity: string } | undefined> {
  try {
    const real = await realpath(path);
    const { dev, ino } = await stat(real, { bigint: true });
    // What is not readable for a moment would be watched no more afterwards.
    if (!(await isReadable(real))) return undefined;
    return { real, identity: `${dev}:${ino} ${real}` };
  } catch {
    return undefined;
  }
}

async function anyReadable(paths: ReadonlySet<string>): Promise<boolean> {
  for (const path of paths) if (await isReadable(path)) return true;
  return false;
}

async function isReadable(path: string): Promise<boolean> {
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
}

function isLeftOut(path: string): boolean {
  const name = basename(path);
  return (name.startsWith('.') && !isRuleFile(name)) || vendoredDetail(name, []) !== undefined;
}

function isRead(path: string): boolean {
  return isRuleFile(basename(path)) || typeof formatOf(path) !== 'string';
}
