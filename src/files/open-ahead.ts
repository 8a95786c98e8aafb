import { type OpenedFile, openFile, type Skipped } from './read.js';
import type { WalkedFile } from './walk.js';

/** Enough that a disk is never waited for, and little enough to hold. */
const maxFiles = 32;
const maxBytes = 32_000_000;

/** Opens files in the order given, some of them ahead of when they are asked for. */
export async function* openAhead(
  files: Iterable<WalkedFile>,
): AsyncGenerator<{ readonly file: WalkedFile; readonly opened: OpenedFile | Skipped }> {
  const queue: { readonly file: WalkedFile; readonly opening: Promise<OpenedFile | Skipped> }[] = [];
  let bytes = 0;
  async function* opened(limit: number) {
    while (queue.length > limit || (queue.length > 0 && bytes > maxBytes)) {
      const { file, opening } = queue.shift()!;
      bytes -= file.size;
      yield { file, opened: await opening };
    }
  }
  for (const file of files) {
    queue.push({ file, opening: openFile(file) });
    bytes += file.size;
    yield* opened(maxFiles);
  }
  yield* opened(0);
}
