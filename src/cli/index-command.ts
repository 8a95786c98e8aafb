import pc from 'picocolors';
import { createSurmise, type IndexInput, type IndexReport, SurmiseError, throwIfAborted } from '../core/index.js';
import { formatOf, openRoot, readDocument, type Skip, type SkipReason, skipReasons, walk } from '../files/index.js';
import { openSqliteStore } from '../storage/index.js';
import { openEmbedder } from './embedder-option.js';
import { indexPath } from './index-path.js';
import { oneLine, printable } from './printable.js';
import { startProgress } from './progress.js';
import { vanishedDocuments } from './vanished.js';

export interface IndexCommandOptions {
  readonly index?: string;
  readonly embedder?: string;
  readonly maxBytes?: number;
  /** Extensions, lower case, without the dot. */
  readonly only?: readonly string[];
  readonly json?: boolean;
}

/** What `surmise index --json` prints. */
export interface IndexSummary {
  readonly index: string;
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Documents whose files are gone. */
  readonly removed: number;
  /** Chunks written. */
  readonly chunks: number;
  /** Of these, those that were embedded, and those whose vector the index held already. */
  readonly embedded: number;
  readonly reused: number;
  /** Every entry that was left out; a folder counts once. */
  readonly skipped: readonly Skip[];
  /** Documents that were read with losses. */
  readonly notes: readonly { readonly path: string; readonly note: string }[];
  readonly ms: number;
}

export async function indexCommand(
  paths: readonly string[],
  options: IndexCommandOptions,
  signal: AbortSignal,
): Promise<void> {
  const started = performance.now();
  const location = indexPath(options.index);
  for (const extension of options.only ?? []) {
    const format = formatOf(`only.${extension}`);
    if (typeof format === 'string') throw new SurmiseError('bad_argument', `--only ${extension}: ${format}.`);
  }
  // Before an index is made: a misspelt folder leaves nothing behind.
  const roots = await Promise.all(paths.map((path) => openRoot(path, { signal })));
  const skipped: Skip[] = [];
  const notes: { path: string; note: string }[] = [];
  const seen = new Set<string>();

  async function* documents(): AsyncGenerator<IndexInput> {
    const onSkip = (skip: Skip) => skipped.push(skip);
    const { maxBytes, only: formats } = options;
    const bounds = { ...(maxBytes !== undefined && { maxBytes }), ...(formats && { formats }) };
    for await (const file of walk(roots, { signal, onSkip, ...bounds })) {
      const read = await readDocument(file);
      if ('skip' in read) {
        skipped.push(read.skip);
        continue;
      }
      for (const note of read.notes) notes.push({ path: file.path, note });
      seen.add(file.path);
      yield { document: read.document, blocks: read.blocks };
    }
  }

  const store = openSqliteStore({ path: location, access: 'write' });
  const progress = startProgress('Reading files', options.json);
  try {
    const embedder = await openEmbedder(options.embedder, await store.info());
    const surmise = createSurmise({ store, ...(embedder && { embedder }) });
    const report = await surmise.index(documents(), {
      signal,
      onProgress: (done) =>
        progress.update(`${done.seen} files read, ${done.written} documents written, ${done.chunks} chunks`),
    });
    throwIfAborted(signal);
    const gone = await vanishedDocuments(store, roots, seen, skipped);
    const removed = await surmise.remove(gone);
    progress.end();
    const { added, updated, unchanged, chunks, embedded, reused } = report;
    const ms = Math.round(performance.now() - started);
    const summary = {
      index: location,
      added,
      updated,
      unchanged,
      removed,
      chunks,
      embedded,
      reused,
      skipped: allSkips(skipped, report),
      notes,
      ms,
    };
    console.log(options.json ? JSON.stringify(summary) : renderSummary(summary));
  } finally {
    progress.end();
    await store.close();
  }
}

function allSkips(skipped: readonly Skip[], report: IndexReport): Skip[] {
  const empty = report.skipped.map(({ id, reason }): Skip => ({ path: id, reason: 'empty', detail: reason }));
  return [...skipped, ...empty];
}

/** How many paths are named for each reason before the rest is only counted. */
const namedPaths = 3;

function renderSummary(summary: IndexSummary): string {
  const { added, updated, unchanged, removed, chunks, skipped, notes, ms, index } = summary;
  const lines = [
    `${pc.bold(`${added} added, ${updated} updated, ${unchanged} unchanged, ${removed} removed`)}; ${chunks} chunks written, ${summary.embedded} embedded, in ${(ms / 1000).toFixed(1)} s`,
    pc.dim(`Index: ${printable(index)}`),
  ];
  if (skipped.length > 0) lines.push(`${skipped.length} left out:`);
  for (const reason of Object.keys(skipReasons) as SkipReason[])
    lines.push(
      ...reasonLines(
        reason,
        skipped.filter((skip) => skip.reason === reason),
      ),
    );
  for (const { path, note } of notes.slice(0, 10))
    lines.push(pc.yellow(`Note: ${oneLine(path, 200)}: ${oneLine(note, 300)}`));
  if (notes.length > 10) lines.push(pc.yellow(`and ${notes.length - 10} more notes (see --json)`));
  if (added + updated + unchanged === 0)
    lines.push(
      'No documents were found. Give a folder with files that `surmise index` reads: text, Markdown, HTML, PDF and others.',
    );
  return lines.join('\n');
}

function reasonLines(reason: SkipReason, skips: readonly Skip[]): string[] {
  if (skips.length === 0) return [];
  const named = skips
    .slice(0, namedPaths)
    .map(({ path, detail }) => pc.dim(`      ${oneLine(path, 160)}: ${oneLine(detail, 160)}`));
  const more = skips.length > namedPaths ? [pc.dim(`      and ${skips.length - namedPaths} more (see --json)`)] : [];
  return [`  ${String(skips.length).padStart(5)} ${reason}: ${skipReasons[reason]}`, ...named, ...more];
}
