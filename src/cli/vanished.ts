import type { Store } from '../core/index.js';
import type { Skip } from '../files/index.js';

/**
 * Ids of the documents under the folders that the walk did not come upon again. What could not be read may still be
 * there, so nothing at or below an unreadable entry counts as gone.
 *
 * @param folders keys of the folders that were walked
 * @param seen ids of the documents that were read
 */
export async function vanishedDocuments(
  store: Store,
  folders: readonly string[],
  seen: ReadonlySet<string>,
  skipped: readonly Skip[],
): Promise<string[]> {
  const unreadable = skipped.filter(({ reason }) => reason === 'unreadable').map(({ path }) => path);
  const gone: string[] = [];
  for await (const { id } of store.documents()) {
    if (seen.has(id) || !folders.some((folder) => isBelow(id, folder))) continue;
    if (unreadable.some((path) => id === path || isBelow(id, path))) continue;
    gone.push(id);
  }
  return gone;
}

function isBelow(id: string, folder: string): boolean {
  return id.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
