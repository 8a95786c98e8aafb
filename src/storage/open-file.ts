import { statSync } from 'node:fs';
import { SurmiseError } from '../core/errors.js';

/** Which file a path led to: the same numbers as long as it leads to the same one. Can be sent to a thread. */
export interface FileIdentity {
  readonly device: bigint;
  readonly inode: bigint;
}

/** Undefined where there is no file, and where the file system does not number its files. */
export function identityOf(path: string): FileIdentity | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined || found.ino === 0n ? undefined : { device: found.dev, inode: found.ino };
}

/**
 * SQLite goes on in an open file whatever becomes of its name: what is written then is lost when it is closed. Two
 * microseconds.
 *
 * @throws SurmiseError `storage_failed` where the path leads to another file than it did, or to none
 */
export function checkSameFile(path: string, opened: FileIdentity | undefined): void {
  if (opened === undefined) return;
  const now = identityOf(path);
  if (now?.inode === opened.inode && now.device === opened.device) return;
  throw new SurmiseError(
    'storage_failed',
    `The index file ${path} was removed or replaced while it was open. Open it again.`,
  );
}
