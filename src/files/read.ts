import { basename, extname } from 'node:path';
import type { Block } from '../core/chunk.js';
import { messageOf } from '../core/errors.js';
import type { Document } from '../core/ports.js';
import { formatOf } from './formats.js';
import { readUpTo } from './read-up-to.js';
import type { Skip, SkipReason } from './skip.js';
import type { WalkedFile } from './walk.js';

/** How much a file may have grown between the walk and the reading, in bytes. */
const growth = 1_000_000;

export interface ReadFile {
  readonly document: Document;
  /** For `chunkText`. */
  readonly blocks: readonly Block[];
  /** What a user should know about how the file was read, such as `invalid UTF-8 replaced`. */
  readonly notes: readonly string[];
}

/**
 * A file as a document: its id is the path, its title what the file says it is, else the name without extension.
 * Whatever the file holds, nothing is thrown: a file that can not be used gives the skip that says why. At most a
 * megabyte more than the size that the walk saw is read.
 */
export async function readDocument(file: WalkedFile): Promise<ReadFile | { readonly skip: Skip }> {
  const { path, location, size } = file;
  const skipped = (reason: SkipReason, detail: string) => ({ skip: { path, reason, detail } });
  const format = formatOf(path);
  if (typeof format === 'string') return skipped('format', format);
  let bytes: Uint8Array;
  try {
    bytes = await readUpTo(location, size + growth + 1);
  } catch (error) {
    return skipped('unreadable', messageOf(error));
  }
  if (bytes.length > size + growth) return skipped('size', `it grew beyond ${size + growth} bytes while it was read`);
  const reading = await format.read(bytes);
  if ('reason' in reading) return skipped(reading.reason, reading.detail);
  const { text, title = basename(path, extname(path)), metadata = {}, blocks, notes = [] } = reading;
  return { document: { id: path, path, title, text, metadata }, blocks, notes };
}
