import {
  createSurmise,
  type Embedder,
  type IndexInput,
  type IndexProgress,
  type IndexReport,
  type IndexSource,
  isSurmiseError,
  type ModelCaches,
  type TokenBudget,
  throwIfAborted,
} from '../core/index.js';
import {
  documentsFromLines,
  openAhead,
  openRoot,
  openStandardInput,
  pathKey,
  type Root,
  type Skip,
  type WalkedFile,
  walk,
} from '../files/index.js';
import type { SqliteStore } from '../storage/index.js';
import { goneDocuments } from './gone-documents.js';
import { type Source, standardInput } from './index-source.js';
import { optimiseLater } from './tier-up.js';

export interface RunOptions {
  readonly embedder?: Embedder;
  readonly caches?: ModelCaches;
  /** Of all runs together. */
  readonly budget?: TokenBudget;
  readonly dryRun: boolean;
  /** Removes documents even when most of a source is gone. */
  readonly prune: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: RunProgress) => void;
}

/** How far a source is. */
export interface RunProgress extends IndexProgress {
  /** What the walk found; unknown of standard input. */
  readonly total?: { readonly files: number; readonly bytes: number };
  /** Bytes of files that were read. */
  readonly bytes?: number;
}

/** What came of one source. */
export interface RunSummary extends Omit<IndexReport, 'skipped'> {
  /** Documents whose files are gone. */
  readonly removed: number;
  /** Documents whose files are gone, but so many that they were kept; `--prune` removes them. */
  readonly kept: number;
  /** Every entry that was left out; a folder counts once. */
  readonly skipped: readonly Skip[];
  /** Why folders that were named could not be looked into; the others were brought up to date. */
  readonly unreadable: readonly string[];
  /** Documents that were read with losses. */
  readonly notes: readonly { readonly path: string; readonly note: string }[];
}

/** Brings the index up to date with one source: what changed is read, embedded and written, what is gone is removed. */
export async function runSource(store: SqliteStore, source: Source, options: RunOptions): Promise<RunSummary> {
  optimiseLater();
  const { signal, dryRun, prune, onProgress } = options;
  const { collection, settings } = source;
  const { paths, only: formats, ...bounds } = settings;
  if (paths.includes(standardInput)) return runLines(store, source, options);
  const { followLinks = false } = settings;
  const skipped: Skip[] = [];
  const unreadable: string[] = [];
  const roots: Root[] = [];
  for (const path of paths)
    try {
      roots.push(await openRoot(path, { followLinks, signal }));
    } catch (error) {
      // Of several folders one may be on a drive that is not there; what is known of it stays.
      if (paths.length === 1 || !isSurmiseError(error) || error.code !== 'unreadable') throw error;
      unreadable.push(error.message);
      // One around it, which can be looked into, must not take its documents for gone.
      skipped.push({ path: pathKey(path), reason: 'unreadable', detail: error.message });
    }
  const notes: { path: string; note: string }[] = [];
  const seen = new Set<string>();
  const onSkip = (skip: Skip) => skipped.push(skip);
  const files: WalkedFile[] = [];
  for await (const file of walk(roots, { signal, onSkip, ...bounds, ...(formats && { formats }) })) files.push(file);
  const total = { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) };
  const elsewhere = await documentsElsewhere(store, collection);
  let done = 0;

  async function* documents(): AsyncGenerator<IndexSource> {
    for await (const { file, opened } of openAhead(files)) {
      done += file.size;
      const other = elsewhere.get(file.path);
      if (other !== undefined) {
        skipped.push({ path: file.path, reason: 'elsewhere', detail: other });
        continue;
      }
      if ('skip' in opened) {
        skipped.push(opened.skip);
        continue;
      }
      seen.add(file.path);
      yield {
        id: file.path,
        identity: collection === undefined ? opened.identity : `${opened.identity} ${collection}`,
        async read() {
          const read = await opened.read();
          if ('skip' in read) {
            seen.delete(file.path);
            skipped.push(read.skip);
            return undefined;
          }
          for (const note of read.notes) notes.push({ path: file.path, note });
          const document = collection === undefined ? read.document : { ...read.document, collection };
          return { document, blocks: read.blocks };
        },
      };
    }
  }

  const { surmise, limits } = prepared(store, options);
  const report = await surmise.index(documents(), {
    ...limits,
    signal,
    dryRun,
    onProgress: (progress) => onProgress({ ...progress, total, bytes: done }),
  });
  throwIfAborted(signal);
  const { gone, kept } = await goneDocuments(store, { roots, collection, seen, skipped, prune });
  const removed = dryRun ? gone.length : await surmise.remove(gone);
  return {
    ...report,
    removed,
    kept: kept.length,
    unreadable,
    skipped: [...skipped, ...withoutDocument(report)],
    notes,
  };
}

/** Documents of other sources, which one file in two of them would else take from each other at every run. */
async function documentsElsewhere(store: SqliteStore, own: string | undefined): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const { id, collection } of store.documents())
    if (collection !== own)
      found.set(id, collection === undefined ? 'it is in no collection' : `collection ${collection}`);
  return found;
}

/** The documents of standard input, one on a line. What is not among them stays: nothing says that it is gone. */
async function runLines(store: SqliteStore, { collection }: Source, options: RunOptions): Promise<RunSummary> {
  const { signal, dryRun, onProgress } = options;
  async function* documents(): AsyncGenerator<IndexInput> {
    for await (const { document } of documentsFromLines(openStandardInput(), { signal }))
      yield { document: collection === undefined ? document : { ...document, collection } };
  }
  const { surmise, limits } = prepared(store, options);
  const report = await surmise.index(documents(), { ...limits, signal, dryRun, onProgress });
  return { ...report, removed: 0, kept: 0, unreadable: [], skipped: withoutDocument(report), notes: [] };
}

function prepared(store: SqliteStore, { embedder, caches, budget }: RunOptions) {
  const surmise = createSurmise({ store, ...(embedder && { embedder }), ...(caches && { caches }) });
  return { surmise, limits: budget === undefined ? {} : { budget } };
}

function withoutDocument({ skipped }: IndexReport): Skip[] {
  return skipped.map(({ id, reason }) =>
    reason === 'empty'
      ? { path: id, reason, detail: 'there are no words in it' }
      : { path: id, reason: 'duplicate', detail: 'the first one counts' },
  );
}
