import { takeTurns } from '../core/take-turns.js';
import { type DiskPace, diskPace } from './disk-pace.js';
import { type OpenedFile, openFile, type Skipped } from './read.js';
import type { WalkedFile } from './walk.js';

/** Enough that a slow disk is hardly waited for, and little enough to hold. */
const maxFiles = 32;
const maxBytes = 32_000_000;
/** Other tasks get their turn so often. */
const turnMs = 50;

export interface Opening {
  readonly file: WalkedFile;
  readonly opened: OpenedFile | Skipped;
}

/**
 * Opens files in the order given. As long as the disk is quick, which a local one is, each is read at once; from a slow
 * one (a network's, say) many are read side by side, ahead of when they are asked for.
 *
 * @param pace what is known of the disk
 */
export async function* openAhead(files: readonly WalkedFile[], pace: DiskPace = diskPace()): AsyncGenerator<Opening> {
  let next = 0;
  const giveTurn = takeTurns(turnMs);
  while (next < files.length && pace.quick) {
    const file = files[next++]!;
    yield { file, opened: await openFile(file, pace) };
    await giveTurn();
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
