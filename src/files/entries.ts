import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../core/errors.js';
import { type IgnoreRules, isIgnored, rulesOf } from './ignore-rules.js';
import { readUpTo } from './read-up-to.js';
import type { Root } from './root.js';
import { excludes, type Requirement, type Selection, stillOpen } from './selection.js';
import type { SkipReason } from './skip.js';
import { notUtf8, systemCode, systemReason } from './system-error.js';
import { vendoredDetail } from './vendored.js';

/** A file or folder on the way of a walk. */
export interface Entry {
  readonly folder: boolean;
  /** The key; see `pathKey`. */
  readonly path: string;
  /** Absolute, as the system spells it. */
  readonly location: string;
  /** The location with all links resolved: one file has one, whatever way it is found. */
  readonly real: string;
  readonly root: Root;
  /** Names from the root to here, NFC. */
  readonly segments: readonly string[];
  /** The ignore rules of the folders around it. */
  readonly rules: IgnoreRules | undefined;
  /** What files in it have to fulfil yet. */
  readonly open: readonly Requirement[];
  /** It is a link that is to be followed. */
  readonly link: boolean;
  /** It, or a folder around it below the root, is such a link. */
  readonly linked: boolean;
}

export interface EntriesOptions {
  readonly selection: Selection;
  readonly followLinks: boolean;
  readonly skip: (path: string, reason: SkipReason, detail: string) => void;
}

/**
 * What a folder holds, sorted by name (code units), without what is skipped by its name or kind. Nothing here throws:
 * a folder that can not be read, or whose ignore rules can not be, is reported as a skip.
 */
export async function entriesOf(folder: Entry, options: EntriesOptions): Promise<Entry[]> {
  const { skip } = options;
  let listed: Dirent[];
  try {
    listed = await readdir(folder.location, { withFileTypes: true });
  } catch (error) {
    skip(folder.path, 'unreadable', messageOf(error));
    return [];
  }
  const names = listed.map(({ name }) => name);
  if (folder.segments.length > 0 && names.includes('.git') && (await isWorktree(folder.location))) {
    skip(folder.path, 'worktree', 'its .git points into another repository; give the folder itself to index it');
    return [];
  }
  let rules: IgnoreRules | undefined;
  try {
    rules = await rulesOf(folder.location, new Set(names), folder.segments.length, folder.rules);
  } catch (error) {
    skip(folder.path, 'unreadable', messageOf(error));
    return [];
  }
  const taken = new Set(names.filter((name) => name === name.normalize('NFC')));
  const entries: Entry[] = [];
  let before: string | undefined;
  for (const entry of listed.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const { name } = entry;
    const again = name === before;
    before = name;
    // Two names that differ only in their Unicode form are two files: the later one keeps its spelling as key.
    const key = name.normalize('NFC');
    const ownKey = key === name || !taken.has(key);
    taken.add(key);
    const location = join(folder.location, name);
    const path = `${folder.path.replace(/\/$/, '')}/${ownKey ? key : name}`;
    const segments = [...folder.segments, key];
    let target: Target = { kind: kindOf(entry), real: join(folder.real, name) };
    let wanted = stillOpen(folder.open, segments, target.kind !== 'file');
    if (isSilent(wanted)) continue;
    if (name.startsWith('.')) {
      skip(path, 'hidden', name);
      continue;
    }
    const link = target.kind === 'link';
    if (link && options.followLinks) {
      target = await targetOf(location);
      wanted = stillOpen(folder.open, segments, target.kind !== 'file');
      if (isSilent(wanted)) continue;
    }
    const left =
      leftOut(target, wanted, { segments, siblings: names, rules, selection: options.selection }) ??
      (again || (await isLossy(name, location)) ? (['unreadable', notUtf8] as const) : undefined);
    if (left !== undefined) skip(path, ...left);
    else {
      const { root, linked } = folder;
      const { kind, real } = target;
      const open = 'open' in wanted ? wanted.open : [];
      const isFolder = kind === 'folder';
      entries.push({
        folder: isFolder,
        path,
        location,
        real,
        root,
        segments,
        rules,
        open,
        link,
        linked: link || linked,
      });
    }
  }
  return entries;
}

/** What an entry is; of a link that is followed, what is at its end. */
interface Target {
  readonly kind: 'file' | 'folder' | 'link' | 'special';
  readonly real: string;
  /** Why nothing is at the end of a link. */
  readonly broken?: string;
}

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }): Target['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'special';
}

async function targetOf(link: string): Promise<Target> {
  try {
    const real = await realpath(link);
    return { kind: kindOf(await stat(real)), real };
  } catch (error) {
    const missing = ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '');
    return { kind: 'link', real: link, broken: missing ? 'the link leads to nothing' : systemReason(error) };
  }
}

function isSilent(wanted: ReturnType<typeof stillOpen>): boolean {
  return 'missed' in wanted && wanted.missed.detail === undefined;
}

function leftOut(
  { kind, broken }: Target,
  wanted: ReturnType<typeof stillOpen>,
  at: {
    readonly segments: readonly string[];
    readonly siblings: readonly string[];
    readonly rules: IgnoreRules | undefined;
    readonly selection: Selection;
  },
): [SkipReason, string] | undefined {
  const { segments, siblings, rules, selection } = at;
  const folder = kind === 'folder';
  const vendored = folder ? vendoredDetail(segments.at(-1)!, siblings) : undefined;
  if (vendored !== undefined) return ['vendored', vendored];
  const pattern = excludes(selection, segments, folder);
  if (pattern !== undefined) return ['excluded', `"${pattern}" excludes it`];
  if ('missed' in wanted) return ['excluded', wanted.missed.detail ?? ''];
  if (isIgnored(rules, segments, folder)) return ['ignored', 'an ignore file names it'];
  if (broken !== undefined) return ['unreadable', broken];
  if (kind === 'link') return ['link', 'give its target to index it, or follow links'];
  if (kind === 'special') return ['special', 'a device, socket or pipe'];
  return undefined;
}

/** Whether the bytes of a name are no text, so that there is nothing under the name that was made of them. */
async function isLossy(name: string, location: string): Promise<boolean> {
  if (!name.includes('\ufffd')) return false;
  return lstat(location).then(
    () => false,
    (error: unknown) => systemCode(error) === 'ENOENT',
  );
}

/** A worktree's `.git` is a file that points into `worktrees` of the repository; one of a submodule points elsewhere. */
async function isWorktree(folder: string): Promise<boolean> {
  try {
    const text = new TextDecoder().decode(await readUpTo(join(folder, '.git'), 10_000));
    return /^gitdir:.*[\\/]worktrees[\\/]/.test(text);
  } catch {
    // A folder, as in every ordinary repository.
    return false;
  }
}
