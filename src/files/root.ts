import { constants } from 'node:fs';
import { access, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { messageOf, SurmiseError } from '../core/errors.js';
import type { Entry } from './entries.js';
import { pathKey } from './path-key.js';

/** A file or folder as a user named it. */
export interface Root {
  /** The key; see `pathKey`. */
  readonly path: string;
  /** Absolute, as the system spells it. */
  readonly location: string;
  readonly folder: boolean;
}

/** What is at a path; throws as `rootEntry`. */
export async function openRoot(given: string): Promise<Root> {
  const { path, location, folder } = await rootEntry(given);
  return { path, location, folder };
}

/**
 * The file or folder of a path as a user gives it, links followed: where a walk starts. Throws `unreadable` when it does
 * not exist, can not be read, or is neither, and `bad_argument` for an empty path.
 */
export async function rootEntry(given: string): Promise<Entry> {
  if (given === '') throw new SurmiseError('bad_argument', 'The path of a file or folder is empty.');
  const absolute = resolve(given);
  try {
    const location = await spelling(absolute);
    const kind = await stat(location);
    if (!kind.isDirectory() && !kind.isFile()) throw new Error('it is neither a file nor a folder');
    await access(location, kind.isDirectory() ? constants.R_OK | constants.X_OK : constants.R_OK);
    const path = await keyOf(location);
    const real = await realpath(location);
    return { folder: kind.isDirectory(), path, location, real, root: path, segments: [], rules: undefined };
  } catch (error) {
    throw new SurmiseError('unreadable', `${given} can not be read: ${reason(error)}.`, { cause: error });
  }
}

/**
 * The path as the file system spells it. Accents may be typed composed while the name on the disk is decomposed, or the
 * reverse; most systems take those for two names.
 */
async function spelling(path: string): Promise<string> {
  try {
    await stat(path);
    return path;
  } catch (error) {
    const parent = dirname(path);
    const name = basename(path).normalize('NFC');
    // Only ASCII has one form alone.
    if (parent === path || /^[\0-\x7f]*$/.test(path)) throw error;
    const folder = await spelling(parent);
    const found = (await readdir(folder)).find((entry) => entry.normalize('NFC') === name);
    if (found === undefined) throw error;
    return join(folder, found);
  }
}

/**
 * The key of an existing path. As in a walk, a name that is not NFC keeps its own spelling where its NFC form is another
 * file, so that neither hides the other.
 */
async function keyOf(path: string): Promise<string> {
  const name = basename(path);
  const parent = dirname(path);
  if (parent === path) return pathKey(path);
  const folder = path.normalize('NFC') === path ? pathKey(parent) : await keyOf(parent);
  const inFolder = (last: string) => (folder.endsWith('/') ? `${folder}${last}` : `${folder}/${last}`);
  if (name.normalize('NFC') === name || (await isSame(path, join(parent, name.normalize('NFC')))))
    return inFolder(name.normalize('NFC'));
  return inFolder(name);
}

/** True also where the other does not exist. */
async function isSame(path: string, other: string): Promise<boolean> {
  const found = await stat(other).catch(() => undefined);
  if (found === undefined) return true;
  const { dev, ino } = await stat(path);
  return found.dev === dev && found.ino === ino;
}

function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such file or folder; check the spelling';
  if (code === 'EACCES' || code === 'EPERM') return 'you have no permission to read it';
  if (code === 'ELOOP') return 'it is a link that leads back to itself';
  return messageOf(error);
}
