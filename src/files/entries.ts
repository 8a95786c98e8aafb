import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../core/errors.js';
import { type IgnoreRules, isIgnored, rulesOf } from './ignore-rules.js';
import { readUpTo } from './read-up-to.js';
import type { SkipReason } from './skip.js';
import { vendoredDetail } from './vendored.js';

/** A file or folder on the way of a walk. */
export interface Entry {
  readonly folder: boolean;
  /** The key; see `pathKey`. */
  readonly path: string;
  /** Absolute, as the system spells it. */
  readonly location: string;
  /** The location with the links above the root resolved: one file has one, whatever root it is found under. */
  readonly real: string;
  /** The key of the root. */
  readonly root: string;
  /** Names from the root to here. */
  readonly segments: readonly string[];
  /** The ignore rules of the folders around it. */
  readonly rules: IgnoreRules | undefined;
}

/**
 * What a folder holds, sorted by name (code units), without what is skipped by its name or kind. Nothing here throws:
 * a folder that can not be read, or whose ignore rules can not be, is reported as a skip.
 */
export async function entriesOf(
  folder: Entry,
  skip: (path: string, reason: SkipReason, detail: string) => void,
): Promise<Entry[]> {
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
  for (const entry of listed.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const { name } = entry;
    // Two names that differ only in their Unicode form are two files: the later one keeps its spelling as key.
    const key = name.normalize('NFC');
    const ownKey = key === name || !taken.has(key);
    taken.add(key);
    const location = join(folder.location, name);
    const path = `${folder.path.replace(/\/$/, '')}/${ownKey ? key : name}`;
    const segments = [...folder.segments, name];
    const left = leftOut(entry, names, rules, segments);
    if (left !== undefined) skip(path, ...left);
    else {
      const { root } = folder;
      const real = join(folder.real, name);
      entries.push({ folder: entry.isDirectory(), path, location, real, root, segments, rules });
    }
  }
  return entries;
}

function leftOut(
  entry: Dirent,
  siblings: readonly string[],
  rules: IgnoreRules | undefined,
  segments: readonly string[],
): [SkipReason, string] | undefined {
  const { name } = entry;
  if (name.startsWith('.')) return ['hidden', name];
  const vendored = entry.isDirectory() ? vendoredDetail(name, siblings) : undefined;
  if (vendored !== undefined) return ['vendored', vendored];
  if (isIgnored(rules, segments, entry.isDirectory())) return ['ignored', 'an ignore file names it'];
  if (entry.isSymbolicLink()) return ['link', 'give its target to index it'];
  if (!entry.isDirectory() && !entry.isFile()) return ['special', 'a device, socket or pipe'];
  return undefined;
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
