import { sep } from 'node:path';

/**
 * The key of an absolute path, under which the file is known whatever way its name came in: NFC; on Windows forward
 * slashes and an upper-case drive letter. Elsewhere a backslash is a character of a name and stays.
 */
export function pathKey(absolute: string, windows: boolean = sep === '\\'): string {
  const key = absolute.normalize('NFC');
  if (!windows) return key;
  return key.replaceAll('\\', '/').replace(/^[a-z](?=:)/, (drive) => drive.toUpperCase());
}
