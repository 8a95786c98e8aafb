import type { Store } from '../core/index.js';
import { isUnder, partBelow, type Root, type Skip } from '../files/index.js';

export interface Scan {
  /** What was walked; a glob answers only for what fits it. */
  readonly roots: readonly Root[];
  /** Ids of the documents that were come upon. */
  readonly seen: ReadonlySet<string>;
  readonly skipped: readonly Skip[];
  readonly collection: string | undefined;
  /** Whether most of a source may go. */
  readonly prune: boolean;
}

/** So many documents may go without being asked about. */
const fewDocuments = 10;

/**
 * Documents of a source that a walk did not come upon again, or that have lost their text: of a collection all that are
 * not found, else those at or under the roots. What could not be read may still be there, and a damaged file may only be
 * half written, so neither counts as gone. When more than half of a source is gone, and more than a few, it looks like a
 * drive that is not there: they are `kept` unless `prune` is set.
 */
export async function goneDocuments(
  store: Store,
  { roots, seen, skipped, collection, prune }: Scan,
): Promise<{ readonly gone: string[]; readonly kept: string[] }> {
  const unreadable = skipped
    .filter(({ reason }) => reason === 'unreadable' || reason === 'damaged')
    .map(({ path }) => path);
  const missing: string[] = [];
  let known = 0;
  for await (const { id, collection: own } of store.documents()) {
    if (own !== collection) continue;
    if (collection === undefined && !roots.some((root) => isUnder(root, id))) continue;
    known++;
    if (seen.has(id) || unreadable.some((path) => partBelow(path, id) !== undefined)) continue;
    missing.push(id);
  }
  const suspicious = missing.length > fewDocuments && missing.length > known / 2;
  return suspicious && !prune ? { gone: [], kept: missing } : { gone: missing, kept: [] };
}
