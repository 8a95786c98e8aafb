import { resolve } from 'node:path';
import { checkCollectionName, type Json, SurmiseError } from '../core/index.js';
import { partBelow, pathKey } from '../files/index.js';
import type { SqliteStore } from '../storage/index.js';

/** Where documents come from, and which of them; of a collection this is kept in the index. */
export interface SourceSettings {
  /** Absolute paths of files and folders, or globs. */
  readonly paths: readonly string[];
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Extensions, lower case, without the dot. */
  readonly only?: readonly string[];
  readonly maxBytes?: number;
  readonly maxFiles?: number;
  readonly followLinks?: boolean;
}

export interface Source {
  /** The name of its collection; absent for paths that belong to none. */
  readonly collection?: string;
  readonly settings: SourceSettings;
}

/** Standard input as a path. */
export const standardInput = '-';

/**
 * What `surmise index` is to bring up to date: the paths that are named, else the collection that is named, else every
 * collection. Paths that are given are added to those that a collection has, options replace its own.
 *
 * @throws SurmiseError `bad_argument` when that is nothing
 */
export async function sourcesOf(
  paths: readonly string[],
  given: Omit<SourceSettings, 'paths'>,
  collection: string | undefined,
  store: SqliteStore,
): Promise<Source[]> {
  if (collection !== undefined) checkCollectionName(collection);
  if (paths.includes(standardInput) && paths.length > 1)
    throw new SurmiseError(
      'bad_argument',
      'Standard input (-) can not be indexed together with files; run surmise index twice.',
    );
  const own = paths.map((path) => (path === standardInput ? path : resolve(path)));
  const saved = await store.collections();
  if (own.length > 0) {
    if (collection === undefined) return [{ settings: { paths: own, ...given } }];
    const before = own.includes(standardInput) ? undefined : saved.find(({ name }) => name === collection);
    const { paths: others = [], ...kept } = before ? storedSettings(collection, before.settings) : {};
    return [{ collection, settings: { ...kept, ...given, paths: [...new Set([...others, ...own])] } }];
  }
  const wanted = collection === undefined ? saved : saved.filter(({ name }) => name === collection);
  const empty = wanted.find(({ name, settings }) => storedSettings(name, settings).paths.length === 0);
  if (collection !== undefined && empty !== undefined)
    throw new SurmiseError(
      'bad_argument',
      `Collection "${collection}" has no paths any more. Name some: surmise index --collection ${collection} FOLDER`,
    );
  if (wanted.length > 0)
    return wanted.map(({ name, settings }) => ({
      collection: name,
      settings: { ...storedSettings(name, settings), ...given },
    }));
  const known = saved.map(({ name }) => `"${name}"`).join(', ');
  throw new SurmiseError(
    'bad_argument',
    collection === undefined
      ? 'Name the files and folders to index, such as: surmise index ./docs'
      : `There is no collection "${collection}" yet. Name its folders: surmise index --collection ${collection} FOLDER${known && `. Known: ${known}`}`,
  );
}

/**
 * Takes paths, and those below them, out of the settings of all collections, so that the next run does not add them again;
 * returns how many.
 */
export async function forgetPaths(store: SqliteStore, gone: readonly string[]): Promise<number> {
  let count = 0;
  for (const { name, settings } of await store.collections()) {
    const { paths, ...others } = storedSettings(name, settings);
    const left = paths.filter(
      (path) => !gone.some((folder) => partBelow(pathKey(folder), pathKey(path)) !== undefined),
    );
    if (left.length === paths.length) continue;
    count += paths.length - left.length;
    await store.saveCollection(name, { ...others, paths: left });
  }
  return count;
}

/** @throws SurmiseError `index_damaged` */
function storedSettings(name: string, value: Json): SourceSettings {
  const isList = (list: unknown) => Array.isArray(list) && list.every((part) => typeof part === 'string');
  const settings = (typeof value === 'object' && value !== null ? value : {}) as Partial<SourceSettings>;
  const lists = [settings.include, settings.exclude, settings.only].filter((list) => list !== undefined);
  if (!isList(settings.paths) || !lists.every(isList))
    throw new SurmiseError(
      'index_damaged',
      `The settings of collection "${name}" can not be understood. Give its folders again: surmise index --collection ${name} FOLDER`,
    );
  return settings as SourceSettings;
}
