import { createHash } from 'node:crypto';
import { basename, extname } from 'node:path';
import type { Block } from '../core/chunk.js';
import { messageOf } from '../core/errors.js';
import type { Document } from '../core/ports.js';
import type { DiskPace } from './disk-pace.js';
import { formatOf } from './formats.js';
import { readUpTo, readUpToNow } from './read-up-to.js';
import type { Skip, SkipReason } from './skip.js';
import type { WalkedFile } from './walk.js';

/** Part of what identifies a file that was read: changes whenever a reader makes something else of the same bytes. */
const readersVersion = 3;

/** How much a file may have grown between the walk and the reading, in bytes. */
const growth = 1_000_000;

export interface ReadFile {
  readonly document: Document;
  /** For `chunkText`. */
  readonly blocks: readonly Block[];
  /** What a user should know about how the file was read, such as `invalid UTF-8 replaced`. */
  readonly notes: readonly string[];
}

/** The bytes of a file, not yet understood. */
export interface OpenedFile {
  /** Stands for the bytes, the path and the readers: equal identity, equal document. */
  readonly identity: string;
  /** Whatever the file holds, nothing is thrown: a file that can not be used gives the skip that says why. */
  read(): Promise<ReadFile | Skipped>;
}

export interface Skipped {
  readonly skip: Skip;
}

/**
 * Reads the bytes of a file, so that what is unchanged need not be parsed. At most a megabyte more than the size that the
 * walk saw is read. Never throws: a file that can not be used gives the skip that says why.
 *
 * @param pace reads at once, and takes the time
 */
export async function openFile(file: WalkedFile, pace?: DiskPace): Promise<OpenedFile | Skipped> {
  const { path, location, size, modified } = file;
  const skipped = (reason: SkipReason, detail: string): Skipped => ({ skip: { path, reason, detail } });
  const format = formatOf(path);
  if (typeof format === 'string') return skipped('format', format);
  let bytes: Uint8Array;
  try {
    const limit = size + growth + 1;
    bytes = pace ? pace.timed(() => readUpToNow(location, limit)) : await readUpTo(location, limit);
  } catch (error) {
    return skipped('unreadable', messageOf(error));
  }
  if (bytes.length > size + growth) return skipped('size', `it grew beyond ${size + growth} bytes while it was read`);
  const content = createHash('sha256').update(bytes).digest('hex');
  const variant = format.variant && (await format.variant());
  const reader = [readersVersion, format.name, variant].join(' ');
  return {
    identity: `${reader} ${content}`,
    async read() {
      const reading = await format.read(bytes);
      if ('reason' in reading) return skipped(reading.reason, reading.detail);
      const { text, title = basename(path, extname(path)), blocks, notes = [] } = reading;
      const metadata = { modified: new Date(modified).toISOString(), ...reading.metadata };
      return { document: { id: path, path, title, text, metadata }, blocks, notes };
    },
  };
}

/**
 * A file as a document: its id is the path, its title what the file says it is, else the name without extension; the
 * metadata holds `modified`, the time of the last change when it was read, unless the file itself says another.
 */
export async function readDocument(file: WalkedFile): Promise<ReadFile | Skipped> {
  const opened = await openFile(file);
  return 'skip' in opened ? opened : opened.read();
}
