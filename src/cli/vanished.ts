import type { Store } from '../core/index.js';
import { isUnder, type Root, type Skip } from '../files/index.js';

/**
 * Ids of the documents at or under the roots that the walk did not come upon again, or that have lost their text. What
 * could not be read may still be there, and a damaged file may only be half written, so neither counts as gone.
 *
 * @param roots what was walked; a glob answers only for what fits it
 * @param seen ids of the documents that were read
 */
export async function vanishedDocuments(
  store: Store,
  roots: readonly Root[],
  seen: ReadonlySet<string>,
  skipped: readonly Skip[],
): Promise<string[]> {
  const unreadable = skipped
    .filter(({ reason }) => reason === 'unreadable' || reason === 'damaged')
    .map(({ path }) => path);
  const gone: string[] = [];
  for await (const { id } of store.documents()) {
    if (seen.has(id) || !roots.some((root) => isUnder(root, id))) continue;
    if (unreadable.some((path) => id === path || isBelow(id, path))) continue;
    gone.push(id);
  }
  return gone;
}

function isBelow(id: string, folder: string): boolean {
  return id.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
