import { throwIfAborted } from '../core/deadline.js';
import { type EntriesOptions, type Entry, entriesOf } from './entries.js';
import type { Root } from './root.js';
import { excludes, type Selection, stillOpen } from './selection.js';

export interface TraverseOptions extends EntriesOptions {
  readonly signal: AbortSignal | undefined;
}

/** How many files are handed out at once, at most. */
const maxRun = 64;

/**
 * The files under roots in runs, depth first, the entries of a folder in order of their names (code units). A file that
 * is found twice, by its real path, comes once. Links are followed when all else is walked, those with the fewest folders
 * around them first, so that a file has the path without links where there is one; below one root no folder is entered
 * again by way of a link, which ends cycles. Throws `aborted`.
 */
export async function* traverse(roots: readonly Root[], options: TraverseOptions): AsyncGenerator<Entry[]> {
  const { signal, followLinks, skip } = options;
  const files = new Set<string>();
  const entered = new Map<Root, Set<string>>();
  let round = roots.flatMap((root) => start(root, options));
  while (round.length > 0) {
    const links: Entry[] = [];
    // A stack, not recursion: folders may be nested as deep as the system allows.
    const pending = round.toReversed();
    let run: Entry[] = [];
    for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
      throwIfAborted(signal);
      if (!entry.folder) {
        if (!files.has(entry.real)) run.push(entry);
        else if (entry.link) skip(entry.path, 'link', 'its target is found already');
        files.add(entry.real);
      }
      if (run.length > 0 && (run.length === maxRun || entry.folder || pending.length === 0)) {
        yield run;
        run = [];
        throwIfAborted(signal);
      }
      if (!entry.folder || (followLinks && !enter(entry, entered, skip))) continue;
      for (const child of (await entriesOf(entry, options)).reverse()) (child.link ? links : pending).push(child);
    }
    round = links.sort(fewestFolders);
  }
}

/** What a root asks for: nothing, when it is a file that is not selected by its name. */
function start(root: Root, { selection, skip }: TraverseOptions): Entry[] {
  const { path, location, real, folder, glob } = root;
  const open = glob === undefined ? selection.requirements : [{ globs: [glob] }, ...selection.requirements];
  const why = folder ? undefined : unselected(path.slice(path.lastIndexOf('/') + 1), selection);
  if (why !== undefined) {
    skip(path, 'excluded', why);
    return [];
  }
  return [{ folder, path, location, real, root, segments: [], rules: undefined, open, link: false, linked: false }];
}

/** Why a file of this name, which is a root itself, is not selected. */
function unselected(name: string, selection: Selection): string | undefined {
  const pattern = excludes(selection, [name], false);
  if (pattern !== undefined) return `"${pattern}" excludes it`;
  const wanted = stillOpen(selection.requirements, [name], false);
  return 'missed' in wanted ? wanted.missed.detail : undefined;
}

/** False for a folder that is found again by way of a link. */
function enter(
  { root, path, real, link, linked }: Entry,
  entered: Map<Root, Set<string>>,
  skip: TraverseOptions['skip'],
): boolean {
  const folders = entered.get(root) ?? new Set();
  if (linked && folders.has(real)) {
    if (link) skip(path, 'link', 'its target is found already');
    return false;
  }
  entered.set(root, folders.add(real));
  return true;
}

function fewestFolders(a: Entry, b: Entry): number {
  return a.segments.length - b.segments.length || (a.path < b.path ? -1 : 1);
}
