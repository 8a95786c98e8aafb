import { ignoresCase } from './path-key.js';
import { compileWildcard } from './wildcard.js';

/** Says of a path, with a slash at the end for a folder, whether it is left out or brought back; of others neither. */
export interface RuleMatcher {
  test(path: string): { readonly ignored: boolean; readonly unignored: boolean };
}

/** So many stars in one name, and stars over several names, a regular expression tries quickly in all ways. */
const fewStars = 2;
const fewDeepStars = 1;

/** Whether a line of an ignore file has so many stars that a regular expression may take very long for it. */
export function isWildRule(line: string): boolean {
  if (line.startsWith('#')) return false;
  let deep = 0;
  for (const part of line.split('/')) {
    const stars = part.match(/\*+/g) ?? [];
    if (stars.length > fewStars) return true;
    if (stars.some((run) => run.length > 1) && ++deep > fewDeepStars) return true;
  }
  return false;
}

/** One line of an ignore file, as git reads it. Throws an `Error` for one that is too long or can not be understood. */
export function wildRule(line: string): RuleMatcher {
  const bare = line.trimEnd();
  // White space at the end counts only after a backslash.
  const escaped = /(?<!\\)(?:\\\\)*\\$/.test(bare.slice(-1_000));
  const kept = escaped ? line.slice(0, bare.length + 1) : bare;
  const unignores = kept.startsWith('!');
  const given = unignores ? kept.slice(1) : kept;
  const folderOnly = given.endsWith('/');
  const body = given.replace(/^\/|\/$/g, '');
  const byName = !given.slice(0, folderOnly ? -1 : undefined).includes('/');
  const fits = compileWildcard(body, { braces: false, tailFitsFolder: false, ignoresCase });
  return {
    test(path) {
      const folder = path.endsWith('/');
      const names = folder ? path.slice(0, -1) : path;
      const said = (folder || !folderOnly) && fits(byName ? names.slice(names.lastIndexOf('/') + 1) : names);
      return { ignored: said && !unignores, unignored: said && unignores };
    },
  };
}
