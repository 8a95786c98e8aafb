import { setImmediate as turn } from 'node:timers/promises';
import { type OpenedFile, openFile, type Skipped } from './read.js';
import type { WalkedFile } from './walk.js';

/** Enough that a slow disk is hardly waited for, and little enough to hold. */
const maxFiles = 32;
const maxBytes = 32_000_000;
/** Milliseconds for a file, on average, from which on a disk is slow. */
const slowMs = 1;
/** How much the last file counts in the average. */
const lastShare = 0.1;
/** Other tasks get their turn so often. */
const turnMs = 50;

export interface Opening {
  readonly file: WalkedFile;
  readonly opened: OpenedFile | Skipped;
}

/**
 * Opens files in the order given. As long as the disk is quick, which a local one is, each is read at once; from a slow
 * one (a network's, say) many are read side by side, ahead of when they are asked for.
 */
export async function* openAhead(files: readonly WalkedFile[]): AsyncGenerator<Opening> {
  let next = 0;
  let average = 0;
  let last = performance.now();
  while (next < files.length && average < slowMs) {
    const file = files[next++]!;
    const from = performance.now();
    const opened = await openFile(file, { now: true });
    const end = performance.now();
    average += (end - from - average) * lastShare;
    yield { file, opened };
    if (end - last < turnMs) continue;
    await turn();
    last = performance.now();
  }
  yield* sideBySide(files, next);
}

async function* sideBySide(files: readonly WalkedFile[], from: number): AsyncGenerator<Opening> {
  const queue: { readonly file: WalkedFile; readonly opening: Promise<OpenedFile | Skipped> }[] = [];
  let bytes = 0;
  for (let next = from; next < files.length || queue.length > 0; ) {
    const file = files[next];
    if (file !== undefined && queue.length < maxFiles && (queue.length === 0 || bytes + file.size <= maxBytes)) {
      queue.push({ file, opening: openFile(file) });
      bytes += file.size;
      next++;
      continue;
    }
    const first = queue.shift()!;
    bytes -= first.file.size;
    yield { file: first.file, opened: await first.opening };
  }
}
