import { resolve } from 'node:path';
import { SurmiseError } from '../core/index.js';
import { isUnder, openRoot, partBelow, pathKey } from '../files/index.js';
import { openSqliteStore } from '../storage/index.js';
import { existingIndex } from './index-path.js';
import { forgetPaths } from './index-source.js';

export interface RemoveCommandOptions {
  readonly index?: string;
  readonly collection?: string;
  readonly purge?: boolean;
  readonly json?: boolean;
}

/**
 * Takes documents out of the index: those at or under the paths (whether the files are still there or not) or with such
 * an id, or a collection with its settings. Collections forget paths that are removed. `--json` prints `{removed}`, with
 * `--purge` also `{before, after}` in bytes.
 */
export async function removeCommand(paths: readonly string[], options: RemoveCommandOptions): Promise<void> {
  const { collection, purge = false, json = false } = options;
  if ((paths.length === 0) === (collection === undefined))
    throw new SurmiseError(
      'bad_argument',
      'Name the files, folders or ids to remove, or else a collection with --collection.',
    );
  // Resolved, it would be the folder where the command runs, and all below it.
  if (paths.includes('')) throw new SurmiseError('bad_argument', 'The path of a file or folder is empty.');
  const location = existingIndex(options.index);
  const store = openSqliteStore({ path: location });
  try {
    const wanted = await Promise.all(
      paths.map(async (path) => {
        const key = pathKey(resolve(path));
        // A glob takes what fits it; a path may be gone.
        const glob = await openRoot(resolve(path)).catch(() => undefined);
        return (id: string) =>
          id === path || (glob?.glob === undefined ? partBelow(key, id) !== undefined : isUnder(glob, id));
      }),
    );
    const ids: string[] = [];
    for await (const document of store.documents()) {
      const { id } = document;
      const named = wanted.some((takes) => takes(id));
      if (collection === undefined ? named : document.collection === collection) ids.push(id);
    }
    const saved = (await store.collections()).some(({ name }) => name === collection);
    const forgotten = await forgetPaths(
      store,
      paths.map((path) => resolve(path)),
    );
    if (ids.length === 0 && !saved && forgotten === 0)
      throw new SurmiseError(
        'bad_argument',
        collection === undefined ? 'No document of the index is there.' : `There is no collection "${collection}".`,
      );
    const removed = await store.delete(ids);
    if (collection !== undefined) await store.dropCollection(collection);
    const compacted = purge ? await store.compact() : undefined;
    if (json) console.log(JSON.stringify({ removed, ...compacted }));
    else
      console.log(
        `${removed} documents removed${purge ? ', and no byte of them is left in the file' : '. Their room is used again; surmise compact gives it back'}.`,
      );
  } finally {
    await store.close();
  }
}
