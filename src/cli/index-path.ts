import { existsSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import envPaths from 'env-paths';
import { SurmiseError } from '../core/errors.js';

/**
 * The index that is meant: the one named, else the nearest `.surmise/index.db` upwards, else one in the data folder.
 *
 * @throws SurmiseError `bad_argument` when a folder or nothing is named
 */
export function indexPath(named: string | undefined, folder: string = process.cwd()): string {
  if (named === '') throw new SurmiseError('bad_argument', 'The name of the index file is empty.');
  if (named === ':memory:') return named;
  if (named !== undefined) {
    const path = resolve(folder, named);
    if (found(path)?.isDirectory())
      throw new SurmiseError(
        'bad_argument',
        `${path} is a folder. Name the index file, such as ${join(path, 'index.db')}.`,
      );
    return path;
  }
  for (let at = resolve(folder); ; at = dirname(at)) {
    const candidate = join(at, '.surmise', 'index.db');
    if (existsSync(candidate)) return candidate;
    if (dirname(at) === at) return join(envPaths('surmise', { suffix: '' }).data, 'index.db');
  }
}

/**
 * The same for commands that change an index but do not make one.
 *
 * @throws SurmiseError `bad_argument`, `no_index`
 */
export function existingIndex(named: string | undefined): string {
  const path = indexPath(named);
  if (!found(path)?.size)
    throw new SurmiseError('no_index', `There is no index at ${path} yet. Make one with: surmise index FOLDER`);
  return path;
}

/** Nothing also where a part of the path is no folder; whoever opens it says what is wrong. */
function found(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Where what can be made again is kept. */
export function cacheFolder(): string {
  return envPaths('surmise', { suffix: '' }).cache;
}
