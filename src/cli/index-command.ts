import { existsSync } from 'node:fs';
import { type ErrorCode, errorCodes, isSurmiseError, SurmiseError } from '../core/index.js';
import { formatOf, openRoot, type Skip, selectionOf, watchFolders } from '../files/index.js';
import { openSqliteStore, type SqliteStore } from '../storage/index.js';
import { openEmbedder } from './embedder-option.js';
import { type BudgetOptions, type Cost, costOf, indexBudget, noteSpending } from './index-budget.js';
import { indexPath } from './index-path.js';
import { describeProgress } from './index-progress.js';
import { type RunOptions, type RunProgress, type RunSummary, runSource } from './index-run.js';
import { type Source, type SourceSettings, sourcesOf, standardInput } from './index-source.js';
import { openModelCaches } from './model-caches.js';
import type { ModelSettings } from './model-settings.js';
import { oneLine } from './printable.js';
import { startProgress } from './progress.js';
import { renderIndex } from './render-index.js';
import { reportError } from './report-error.js';

export interface IndexCommandOptions extends BudgetOptions {
  readonly index?: string;
  readonly embedder?: string;
  readonly collection?: string;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly maxBytes?: number;
  readonly maxFiles?: number;
  readonly followLinks?: boolean;
  readonly embedderSettings?: ModelSettings;
  /** US dollars for a million tokens. */
  readonly price?: number;
  /** False: no vectors are taken from the cache beside the index, and none kept there. */
  readonly cache?: boolean;
  /** What is configured for all sources; their own settings come before it. */
  readonly configured?: Omit<SourceSettings, 'paths'>;
  /** Extensions, lower case, without the dot. */
  readonly only?: readonly string[];
  readonly watch?: boolean;
  readonly dryRun?: boolean;
  readonly prune?: boolean;
  readonly json?: boolean;
  readonly debug?: boolean;
}

/** What `surmise index --json` prints; with `--watch` one for each time that something has changed. */
export interface IndexSummary extends RunSummary {
  readonly index: string;
  /** Present when nothing was written. */
  readonly dryRun?: true;
  /** Of the tokens, about, where the price is known. */
  readonly cost?: Cost;
  readonly ms: number;
}

/** Failures that are about one source alone. */
const ofOneSource: ReadonlySet<ErrorCode> = new Set(['unreadable', 'bad_argument', 'bad_data']);
/** Failures after which a watch goes on, since the next run may succeed. */
const passing: ReadonlySet<ErrorCode> = new Set(['unreadable', 'index_busy', 'provider_failed', 'timeout']);

export async function indexCommand(
  paths: readonly string[],
  options: IndexCommandOptions,
  signal: AbortSignal,
): Promise<void> {
  for (const extension of options.only ?? []) {
    const format = formatOf(`only.${extension}`);
    if (typeof format === 'string') throw new SurmiseError('bad_argument', `--only ${extension}: ${format}.`);
  }
  const { dryRun = false, watch = false, configured = {} } = options;
  const followLinks = options.followLinks ?? configured.followLinks ?? false;
  if (watch && paths.includes(standardInput))
    throw new SurmiseError('bad_argument', 'Standard input (-) can not be watched.');
  if (dryRun && watch) throw new SurmiseError('bad_argument', '--dry-run and --watch can not be used together.');
  const location = indexPath(options.index);
  // Before an index is made: a misspelt folder leaves nothing behind.
  await Promise.all(
    paths.filter((path) => path !== standardInput).map((path) => openRoot(path, { followLinks, signal })),
  );
  const absent = location !== ':memory:' && !existsSync(location);
  const unwritten = dryRun || (absent && paths.length === 0);
  const store = openSqliteStore({
    path: unwritten && absent ? ':memory:' : location,
    access: unwritten && !absent ? 'read' : 'write',
  });
  const json = options.json ?? false;
  let closeCaches = () => {};
  try {
    const embedder = await openEmbedder(options.embedder, {
      info: await store.info(),
      settings: options.embedderSettings ?? {},
      ...(options.price !== undefined && { price: options.price }),
      signal,
    });
    const budget = indexBudget(options, embedder);
    const { caches, close } = await openModelCaches(location, {
      embedder,
      generates: false,
      wanted: options.cache ?? true,
    });
    closeCaches = close;
    const means = { caches, ...(embedder && { embedder }), ...(budget && { budget }) };
    const { collection } = options;
    const sources = await sourcesOf(paths, settingsFrom(options), collection, store);
    for (const { settings } of sources) {
      const { include, exclude } = { ...configured, ...settings };
      selectionOf(include, exclude);
    }
    const kept = !dryRun && collection !== undefined && !paths.includes(standardInput);
    if (kept) await keepSettings(store, sources);
    const currentSources = async () => {
      if (paths.length > 0 && !kept) return sources;
      return sourcesOf([], kept ? {} : settingsFrom(options), collection, store);
    };
    const run = async () => {
      const started = performance.now();
      // Anew for each run of a watch: another process may have changed the collections.
      const sources = await currentSources();
      const summaries: RunSummary[] = [];
      const failures: string[] = [];
      for (const source of sources)
        try {
          const settings = { ...configured, ...source.settings };
          summaries.push(await showing(store, { ...source, settings }, means, { ...options, signal }));
        } catch (error) {
          // What is wrong with one collection keeps no other from being brought up to date.
          if (sources.length === 1 || !isSurmiseError(error) || !ofOneSource.has(error.code)) throw error;
          failures.push(`Collection ${source.collection}: ${error.message}`);
        }
      const ms = Math.round(performance.now() - started);
      const { unreadable, ...sum } = sumOf(summaries);
      const dry = dryRun ? { dryRun: true as const } : {};
      const cost = costOf(sum.tokens, embedder);
      return { index: location, ...sum, unreadable: [...unreadable, ...failures], ...dry, ...(cost && { cost }), ms };
    };
    const show = (summary: IndexSummary) => console.log(json ? JSON.stringify(summary) : renderIndex(summary));
    const first = await run();
    show(first);
    if (first.left !== undefined) process.exitCode = errorCodes.over_budget.exit;
    if (first.unreadable.length > 0) process.exitCode = errorCodes.unreadable.exit;
    if (first.failed.length > 0) process.exitCode = errorCodes.provider_failed.exit;
    if (watch) await follow(sources, { ...options, followLinks }, signal, run, show);
  } finally {
    await store.close();
    closeCaches();
  }
}

/** Runs again whenever something has changed, until the user ends it. A run that fails is reported, and the next one tries again. */
async function follow(
  sources: readonly Source[],
  { json = false, debug = false, followLinks = false }: IndexCommandOptions,
  signal: AbortSignal,
  run: () => Promise<IndexSummary>,
  show: (summary: IndexSummary) => void,
): Promise<void> {
  const paths = sources.flatMap(({ settings }) => settings.paths);
  // One that is not there now is waited for.
  const locations = await Promise.all(
    paths.map((path) =>
      openRoot(path, { followLinks, signal }).then(
        ({ location }) => location,
        () => path,
      ),
    ),
  );
  if (!json) console.error('Watching for changes. Ctrl-C ends it.');
  let told = '';
  const onSkip = ({ path, detail }: Skip) => {
    if (!json) console.error(`Not watched: ${oneLine(path, 200)}: ${oneLine(detail, 200)}`);
  };
  for await (const _ of watchFolders(locations, { signal, followLinks, onSkip })) {
    try {
      const summary = await run();
      told = '';
      if (summary.added + summary.updated + summary.removed + summary.failed.length > 0) show(summary);
    } catch (error) {
      if (signal.aborted) return;
      if (!isSurmiseError(error) || !passing.has(error.code)) throw error;
      if (error.message !== told) reportError(error, { json, debug });
      told = error.message;
    }
  }
}

/** Runs one source under a progress line. */
async function showing(
  store: SqliteStore,
  source: Source,
  means: Pick<RunOptions, 'embedder' | 'caches' | 'budget'>,
  { json, dryRun = false, prune = false, signal }: IndexCommandOptions & { readonly signal: AbortSignal },
): Promise<RunSummary> {
  const progress = startProgress('Reading folders', json);
  const describe = describeProgress(performance.now(), means.embedder);
  let spent = { embedded: 0, tokens: 0 };
  const onProgress = (done: RunProgress) => {
    spent = done;
    progress.update(describe(done));
  };
  try {
    return await runSource(store, source, { dryRun, prune, signal, ...means, onProgress });
  } catch (error) {
    if (!isSurmiseError(error) || error.code !== 'aborted') throw error;
    throw new SurmiseError('aborted', 'Cancelled. What was written is kept; run the same command again to go on.', {
      cause: error,
    });
  } finally {
    progress.end();
    if (!dryRun) await noteSpending(store, means.embedder, spent);
  }
}

/** What of the options belongs to the source. */
function settingsFrom(options: IndexCommandOptions): Omit<SourceSettings, 'paths'> {
  const { include, exclude, only, maxBytes, maxFiles, followLinks } = options;
  const settings = { include, exclude, only, maxBytes, maxFiles, followLinks };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

async function keepSettings(store: SqliteStore, sources: readonly Source[]): Promise<void> {
  for (const { collection, settings } of sources)
    if (collection !== undefined) await store.saveCollection(collection, { ...settings });
}

type Counted = { [Name in keyof RunSummary]-?: RunSummary[Name] extends number ? Name : never }[keyof RunSummary];

function sumOf(summaries: readonly RunSummary[]): RunSummary {
  const left = summaries.flatMap(({ left }) => left ?? []);
  const leftOf = (name: 'documents' | 'texts' | 'tokens') => left.reduce((total, one) => total + one[name], 0);
  const notKept = summaries.map((summary) => summary.notKept).find((reason) => reason !== undefined);
  // Of the last source behind which it was measured: of the whole index.
  const legs = summaries.findLast((summary) => (summary.legBalance ?? summary.legsNotMeasured) !== undefined);
  const sum = (name: Counted) => summaries.reduce((total, summary) => total + summary[name], 0);
  return {
    added: sum('added'),
    updated: sum('updated'),
    unchanged: sum('unchanged'),
    removed: sum('removed'),
    kept: sum('kept'),
    chunks: sum('chunks'),
    embedded: sum('embedded'),
    tokens: sum('tokens'),
    reused: sum('reused'),
    failed: summaries.flatMap(({ failed }) => failed),
    skipped: summaries.flatMap(({ skipped }) => skipped),
    notes: summaries.flatMap(({ notes }) => notes),
    unreadable: summaries.flatMap(({ unreadable }) => unreadable),
    ...(left.length > 0 && {
      left: { documents: leftOf('documents'), texts: leftOf('texts'), tokens: leftOf('tokens') },
    }),
    ...(notKept !== undefined && { notKept }),
    ...(legs?.legBalance && { legBalance: legs.legBalance }),
    ...(legs?.legsNotMeasured !== undefined && { legsNotMeasured: legs.legsNotMeasured }),
  };
}
