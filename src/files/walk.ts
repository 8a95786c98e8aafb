import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { messageOf, SurmiseError } from '../core/errors.js';
import { type Entry, entriesOf } from './entries.js';
import { formatOf } from './formats.js';
import { generatedDetail } from './generated.js';
import { rootEntry } from './root.js';
import type { Skip, SkipReason } from './skip.js';

export interface WalkedFile {
  /** Absolute, forward slashes, NFC: the id of the document. */
  readonly path: string;
  /** Absolute, as the system spells it: for opening. */
  readonly location: string;
  /** Bytes. */
  readonly size: number;
  /** Time of the last change, milliseconds since 1970. */
  readonly modified: number;
  /** The root under which it was found, as a path like `path`. */
  readonly root: string;
}

export interface WalkOptions {
  readonly signal?: AbortSignal;
  /** Files above are skipped. Default 10,000,000. */
  readonly maxBytes?: number;
  /** More files than this are an error: most often a folder was given that was not meant. Default 200,000. */
  readonly maxFiles?: number;
  /** Only files with one of these extensions (lower case, without the dot). Default all that have a reader. */
  readonly formats?: readonly string[];
  /** Told of everything that is left out; a folder that is left out counts once. */
  readonly onSkip?: (skip: Skip) => void;
}

/**
 * The files under roots (files or folders), depth first, the entries of a folder in order of their names (code units).
 * A root itself is taken whatever its name, and followed when it is a link; below, hidden entries, vendored and build
 * folders, further worktrees, links, what ignore files name and generated files are skipped and reported, as are files of
 * a format that has no reader and whatever can not be read. A file under two roots comes once.
 * Throws `unreadable` for a root that does not exist or can not be read, before anything is walked; `aborted`;
 * `bad_argument` for more files than `maxFiles`.
 */
export async function* walk(roots: readonly string[], options: WalkOptions = {}): AsyncGenerator<WalkedFile> {
  const { signal, maxBytes = 10_000_000, maxFiles = 200_000, formats, onSkip } = options;
  const skip = (path: string, reason: SkipReason, detail: string) => onSkip?.({ path, reason, detail });
  const pending: Entry[] = [];
  for (const root of roots) pending.push(await rootEntry(root));
  pending.reverse();
  const seen = new Set<string>();
  let files = 0;
  // A stack, not recursion: folders may be nested as deep as the system allows.
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
    if (signal?.aborted) throw new SurmiseError('aborted', 'Reading the folders was cancelled.');
    if (entry.folder) {
      pending.push(...(await entriesOf(entry, skip)).reverse());
      continue;
    }
    if (seen.has(entry.real)) continue;
    seen.add(entry.real);
    const file = await sized(entry, maxBytes, formats, skip);
    if (file === undefined) continue;
    if (++files > maxFiles) {
      throw new SurmiseError(
        'bad_argument',
        `There are more than ${maxFiles} files under ${roots.join(', ')}. Name the folders that hold your documents, ` +
          'or list what is not to be indexed in a .surmiseignore file.',
      );
    }
    yield file;
  }
}

/** The file with its size; undefined, and reported, when it is not to be read. */
async function sized(
  { path, location, root, segments }: Entry,
  maxBytes: number,
  only: readonly string[] | undefined,
  skip: (path: string, reason: SkipReason, detail: string) => void,
): Promise<WalkedFile | undefined> {
  const extension = extname(path).slice(1).toLowerCase();
  if (only !== undefined && !only.includes(extension))
    return void skip(path, 'format', `only ${only.map((name) => `.${name}`).join(', ')} files are asked for`);
  // A root is taken whatever its name.
  const generated = segments.length === 0 ? undefined : generatedDetail(path);
  if (generated !== undefined) return void skip(path, 'generated', generated);
  // Before the size: a film is not a document that is too large.
  const format = formatOf(path);
  if (typeof format === 'string') return void skip(path, 'format', format);
  try {
    const { size, mtimeMs } = await stat(location);
    const tooMuch = segments.length === 0 ? undefined : generatedDetail(path, size);
    if (tooMuch !== undefined) return void skip(path, 'generated', tooMuch);
    if (size > maxBytes) return void skip(path, 'size', `${size} bytes, the limit is ${maxBytes}`);
    return { path, location, size, modified: mtimeMs, root };
  } catch (error) {
    return void skip(path, 'unreadable', messageOf(error));
  }
}
