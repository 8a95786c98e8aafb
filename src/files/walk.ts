import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { throwIfAborted } from '../core/deadline.js';
import { messageOf, SurmiseError } from '../core/errors.js';
import { type DiskPace, diskPace } from './disk-pace.js';
import type { Entry } from './entries.js';
import { formatOf } from './formats.js';
import { generatedDetail } from './generated.js';
import type { Root } from './root.js';
import { selectionOf } from './selection.js';
import type { Skip, SkipReason } from './skip.js';
import { traverse } from './traverse.js';

export interface WalkedFile {
  /** Absolute, forward slashes, NFC: the id of the document. */
  readonly path: string;
  /** Absolute, as the system spells it: for opening. */
  readonly location: string;
  /** Bytes. */
  readonly size: number;
  /** Time of the last change, milliseconds since 1970. */
  readonly modified: number;
}

export interface WalkOptions {
  readonly signal?: AbortSignal;
  /** Files above are skipped. Default 10,000,000. */
  readonly maxBytes?: number;
  /** More files than this are an error: most often a folder was given that was not meant. Default 200,000. */
  readonly maxFiles?: number;
  /** Only files with one of these extensions (lower case, without the dot). Default all that have a reader. */
  readonly formats?: readonly string[];
  /**
   * Globs of which one has to fit a file or a folder around it, and globs of what is left out; see `compileGlob`. Paths
   * are those below the root; a root that is a file counts by its name. Default and for an empty list: everything, nothing.
   */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /**
   * Follow links to files and folders, also out of the roots. Default false: each is skipped and reported. What is found
   * by way of a link has the path through the link, unless it has one without.
   */
  readonly followLinks?: boolean;
  /** Told of everything that is left out; a folder that is left out counts once. */
  readonly onSkip?: (skip: Skip) => void;
}

/**
 * The files under roots, which `openRoot` makes of files, folders or globs as a user names them. Depth first, the
 * entries of a folder in order of their names (code units), what is behind links last. A root itself is taken whatever
 * its name, and followed when it is a link; below, hidden entries, vendored and build folders, further worktrees, links,
 * what ignore files name and generated files are skipped and reported, as are files of a format that has no reader and
 * whatever can not be read. What a glob does not fit is not reported. A file that is found twice comes once.
 * Throws, before anything is walked, `bad_argument` for a glob that can not be understood; then `aborted`, and
 * `bad_argument` for more files than `maxFiles`.
 *
 * @param pace what is known of the disk
 */
export async function* walk(
  roots: readonly Root[],
  options: WalkOptions = {},
  pace: DiskPace = diskPace(),
): AsyncGenerator<WalkedFile> {
  const { signal, maxFiles = 200_000, include, exclude, followLinks = false, onSkip } = options;
  const report = (skip: Skip) => onSkip?.(skip);
  const skip = (path: string, reason: SkipReason, detail: string) => report({ path, reason, detail });
  const selection = selectionOf(include, exclude);
  let files = 0;
  for await (const run of traverse(roots, { selection, followLinks, signal, skip })) {
    for (const found of await Promise.all(run.map((entry) => sized(entry, options, pace)))) {
      if ('reason' in found) {
        report(found);
        continue;
      }
      if (++files > maxFiles) throw tooMany(roots, maxFiles);
      yield found;
      throwIfAborted(signal);
    }
  }
}

/** The file with its size, or why it is not to be read. */
async function sized(
  entry: Entry,
  { maxBytes = 10_000_000, formats }: WalkOptions,
  pace: DiskPace,
): Promise<WalkedFile | Skip> {
  const { path, location, segments } = entry;
  const skipped = (reason: SkipReason, detail: string): Skip => ({ path, reason, detail });
  const extension = extname(path).slice(1).toLowerCase();
  if (formats !== undefined && !formats.includes(extension))
    return skipped('format', `only ${formats.map((name) => `.${name}`).join(', ')} files are asked for`);
  // A root is taken whatever its name.
  const generated = segments.length === 0 ? undefined : generatedDetail(path);
  if (generated !== undefined) return skipped('generated', generated);
  // Before the size: a film is not a document that is too large.
  const format = formatOf(path);
  if (typeof format === 'string') return skipped('format', format);
  try {
    const { size, mtimeMs } = pace.quick ? pace.timed(() => statSync(location)) : await stat(location);
    const tooMuch = segments.length === 0 ? undefined : generatedDetail(path, size);
    if (tooMuch !== undefined) return skipped('generated', tooMuch);
    if (size > maxBytes) return skipped('size', `${size} bytes, the limit is ${maxBytes}`);
    return { path, location, size, modified: mtimeMs };
  } catch (error) {
    return skipped('unreadable', messageOf(error));
  }
}

function tooMany(roots: readonly Root[], maxFiles: number): SurmiseError {
  const named = roots.slice(0, 3).map(({ path }) => path);
  return new SurmiseError(
    'bad_argument',
    `There are more than ${maxFiles} files under ${named.join(', ')}${roots.length > 3 ? ' and others' : ''}. Name the ` +
      'folders that hold your documents, list what is not to be indexed in a .surmiseignore file, or raise the limit ' +
      '(--max-files, maxFiles).',
  );
}
