import { sep } from 'node:path';

/** Names are compared as the usual file systems of the platform do. */
export const ignoresCase = process.platform === 'win32' || process.platform === 'darwin';

/** What follows a folder in a key, `''` for the folder itself; undefined where the key lies elsewhere. */
export function partBelow(folder: string, key: string): string | undefined {
  if (key === folder) return '';
  const start = folder.endsWith('/') ? folder : `${folder}/`;
  return key.startsWith(start) ? key.slice(start.length) : undefined;
}

/**
 * The key of an absolute path, under which the file is known whatever way its name came in: NFC; on Windows forward
 * slashes, an upper-case drive letter, and without the mark of long paths (`\\?\`). Elsewhere a backslash is a character
 * of a name and stays.
 */
export function pathKey(absolute: string, windows: boolean = sep === '\\'): string {
  const key = absolute.normalize('NFC');
  if (!windows) return key;
  return key
    .replaceAll('\\', '/')
    .replace(/^\/\/\?\/UNC\//i, '//')
    .replace(/^\/\/\?\/(?=[a-z]:)/i, '')
    .replace(/^[a-z](?=:)/, (drive) => drive.toUpperCase());
}
