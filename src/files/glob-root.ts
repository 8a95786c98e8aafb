import path, { type PlatformPath } from 'node:path';

/** An argument as steps: the folder that it starts in, as given, and the names that follow, dots left out. */
export interface Steps {
  readonly start: string;
  readonly names: readonly string[];
}

/** Backslashes separate names on Windows alone; elsewhere they belong to names, or stand before a sign of a glob. */
export function stepsOf(given: string, platform: PlatformPath = path): Steps {
  const { root } = platform.parse(given);
  const rest = platform.sep === '\\' ? given.slice(root.length).replaceAll('\\', '/') : given.slice(root.length);
  return { start: root === '' ? '.' : root, names: rest.split('/').filter((name) => name !== '' && name !== '.') };
}

/** Where a walk for a glob begins, and the glob from there on. */
export interface GlobStart {
  readonly folder: string;
  readonly pattern: string;
}

/**
 * Cuts an argument after the last name that exists as a folder, one after the other from the start: names with brackets
 * or stars that are there are themselves. `folderAt` gives the path of such a folder as the file system spells it.
 */
export async function globStart(
  given: string,
  folderAt: (path: string) => Promise<string | undefined>,
  platform: PlatformPath = path,
): Promise<GlobStart> {
  const { start, names } = stepsOf(given, platform);
  let folder = platform.resolve(start);
  let taken = 0;
  // The last name is the glob, whatever is there.
  for (; taken < names.length - 1; taken++) {
    const next = await folderAt(platform.join(folder, names[taken]!));
    if (next === undefined) break;
    folder = next;
  }
  const end = given.endsWith('/') || given.endsWith(platform.sep) ? '/' : '';
  // The slash in front binds it to this folder; the one at the end to folders.
  return { folder, pattern: `/${names.slice(taken).join('/')}${end}` };
}
