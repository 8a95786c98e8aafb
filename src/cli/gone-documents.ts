import type { Store } from '../core/index.js';
import { isUnder, type Root, type Skip, type SkipReason } from '../files/index.js';

export interface Scan {
  /** What was walked; a glob answers only for what fits it. */
  readonly roots: readonly Root[];
  /** Ids of the documents that were come upon. */
  readonly seen: ReadonlySet<string>;
  readonly skipped: readonly Skip[];
  readonly collection: string | undefined;
  /** Whether most of a root may go. */
  readonly prune: boolean;
}

/** So many documents may go without being asked about. */
const fewDocuments = 10;

/**
 * Documents at or under the roots that a walk did not come upon again, that are left out now, or that have lost their
 * text. What could not be read may still be there, and a damaged file may only be half written, so neither counts as
 * gone. When more than half of a root has vanished, and more than a few, it looks like a drive that is not there: they are
 * `kept` unless `prune` is set.
 */
export async function goneDocuments(
  store: Store,
  { roots, seen, skipped, collection, prune }: Scan,
): Promise<{ readonly gone: string[]; readonly kept: string[] }> {
  const reasons = new Map(skipped.map(({ path, reason }) => [path, reason]));
  const found = roots.map(() => ({ known: 0, vanished: [] as string[] }));
  const gone: string[] = [];
  for await (const { id, collection: own } of store.documents()) {
    if (own !== collection) continue;
    const of = found[roots.findIndex((root) => isUnder(root, id))];
    if (of === undefined) continue;
    of.known++;
    if (seen.has(id)) continue;
    const reason = reasonOf(id, reasons);
    if (reason === undefined) of.vanished.push(id);
    else if (reason !== 'unreadable' && reason !== 'damaged') gone.push(id);
  }
  const kept: string[] = [];
  for (const { known, vanished } of found) {
    const suspicious = vanished.length > fewDocuments && vanished.length > known / 2;
    (suspicious && !prune ? kept : gone).push(...vanished);
  }
  return { gone, kept };
}

/** Why a file, or a folder around it, was left out. */
function reasonOf(id: string, reasons: ReadonlyMap<string, SkipReason>): SkipReason | undefined {
  for (let path = id; path !== ''; path = path.slice(0, Math.max(0, path.lastIndexOf('/')))) {
    const reason = reasons.get(path);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
