import { constants } from 'node:fs';
import { access, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { SurmiseError } from '../core/errors.js';
import { compileGlob, type Glob, looksLikeGlob } from './glob.js';
import { globStart } from './glob-root.js';
import { partBelow, pathKey } from './path-key.js';
import { everything } from './selection.js';
import { systemCode, systemReason } from './system-error.js';
import { traverse } from './traverse.js';

/** Where a walk starts: a file, a folder, or the folder from which a glob is looked for. */
export interface Root {
  /** The key; see `pathKey`. */
  readonly path: string;
  /** Absolute, as the system spells it. */
  readonly location: string;
  /** The location with all links resolved. */
  readonly real: string;
  readonly folder: boolean;
  /** What files, or folders around them, have to look like from the folder on. */
  readonly glob?: Glob;
}

export interface OpenRootOptions {
  /** As for `walk`; a glob is then looked for behind links as well. Default false. */
  readonly followLinks?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * What is at a path as a user gives it, links followed. What is there by this very name is taken literally, whatever
 * signs are in it; only else is it a glob (see `compileGlob`). Throws `unreadable` when nothing is there, when it can not
 * be read or is neither file nor folder, and when no file fits a glob; `bad_argument` for an empty path or a glob that
 * can not be understood; `aborted`.
 */
export async function openRoot(given: string, options: OpenRootOptions = {}): Promise<Root> {
  if (given === '') throw new SurmiseError('bad_argument', 'The path of a file or folder is empty.');
  try {
    return await rootAt(await spelling(resolve(given)));
  } catch (error) {
    const code = systemCode(error) ?? '';
    if (looksLikeGlob(given) && ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(code)) return openGlob(given, options);
    throw unreadable(given, error);
  }
}

/** Whether a file of this key is, by its path, one of those that a walk from the root may find. */
export function isUnder({ path, glob }: Root, key: string): boolean {
  const below = partBelow(path, key);
  if (below === undefined || glob === undefined) return below !== undefined;
  if (below === '') return false;
  const names = below.normalize('NFC').split('/');
  return names.some((_, at) => glob.fits(names.slice(0, at + 1), at < names.length - 1));
}

async function openGlob(given: string, { followLinks = false, signal }: OpenRootOptions): Promise<Root> {
  const { folder, pattern } = await globStart(given, existingFolder);
  const glob = compileGlob(pattern);
  let root: Root;
  try {
    root = { ...(await rootAt(folder)), glob };
  } catch (error) {
    throw unreadable(folder, error);
  }
  const found = traverse([root], { selection: everything, followLinks, signal, skip: () => undefined });
  // The first will do.
  for await (const _ of found) return root;
  throw new SurmiseError(
    'unreadable',
    `${given} matches nothing: there is no file of that name, and none in ${folder} fits the pattern. ` +
      `Hidden, vendored and ignored files${followLinks ? '' : ', and those behind links,'} do not count.`,
  );
}

async function existingFolder(path: string): Promise<string | undefined> {
  try {
    const location = await spelling(path);
    return (await stat(location)).isDirectory() ? location : undefined;
  } catch {
    // Then the name is a part of the glob, which says at the end that nothing is there.
    return undefined;
  }
}

async function rootAt(location: string): Promise<Root> {
  const kind = await stat(location);
  if (!kind.isDirectory() && !kind.isFile()) throw new Error('it is neither a file nor a folder');
  await access(location, kind.isDirectory() ? constants.R_OK | constants.X_OK : constants.R_OK);
  return { path: await keyOf(location), location, real: await realpath(location), folder: kind.isDirectory() };
}

function unreadable(path: string, error: unknown): SurmiseError {
  return new SurmiseError('unreadable', `${path} can not be read: ${systemReason(error, path)}.`, { cause: error });
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
