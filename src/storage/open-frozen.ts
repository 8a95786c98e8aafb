import { readFileSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';

/** Bytes of a file that are read into memory at most. */
const maxBytes = 2 ** 31 - 1;
/** Bytes of the header that say how the file is written and read; 2 is with a log, 1 without. */
const journalBytes = [18, 19];

/**
 * The index of a place where nothing can be written, such as a read-only disk: SQLite needs a file beside one with a log
 * even to read it, so the file is read into memory. Undefined where that would not show its last state, since a log lies
 * beside it, and where the file can not be read either.
 */
export function openFrozen(path: string): Database.Database | undefined {
  if (sizeOf(`${path}-wal`) > 0 || sizeOf(path) > maxBytes) return undefined;
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    return undefined;
  }
  for (const at of journalBytes) if (bytes[at] === 2) bytes[at] = 1;
  return new Database(bytes, { readonly: true });
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}
