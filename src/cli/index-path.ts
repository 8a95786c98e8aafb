import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import envPaths from 'env-paths';

/** The index that is meant: the one named, else the nearest `.surmise/index.db` upwards, else one in the data folder. */
export function indexPath(named: string | undefined, folder: string = process.cwd()): string {
  if (named !== undefined) return named === ':memory:' ? named : resolve(folder, named);
  for (let at = resolve(folder); ; at = dirname(at)) {
    const candidate = join(at, '.surmise', 'index.db');
    if (existsSync(candidate)) return candidate;
    if (dirname(at) === at) return join(envPaths('surmise', { suffix: '' }).data, 'index.db');
  }
}

/** Where what can be made again is kept. */
export function cacheFolder(): string {
  return envPaths('surmise', { suffix: '' }).cache;
}
