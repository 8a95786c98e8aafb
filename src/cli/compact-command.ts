import { openSqliteStore } from '../storage/index.js';
import { existingIndex } from './index-path.js';
import { megabytes } from './megabytes.js';

/** `--json` prints `{index, before, after}`, both in bytes. */
export async function compactCommand(options: { readonly index?: string; readonly json?: boolean }): Promise<void> {
  const index = existingIndex(options.index);
  const store = openSqliteStore({ path: index });
  try {
    const { before, after } = await store.compact();
    if (options.json) console.log(JSON.stringify({ index, before, after }));
    else
      console.log(
        `${megabytes(before)} before, ${megabytes(after)} now; nothing of removed documents is left in the file.`,
      );
  } finally {
    await store.close();
  }
}
