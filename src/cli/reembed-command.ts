import {
  describeFingerprint,
  errorCodes,
  isSurmiseError,
  type ReembedReport,
  reembed,
  SurmiseError,
} from '../core/index.js';
import { openSqliteStore } from '../storage/index.js';
import { openEmbedder } from './embedder-option.js';
import { type BudgetOptions, costOf, indexBudget, noteSpending } from './index-budget.js';
import { existingIndex } from './index-path.js';
import { openModelCaches } from './model-caches.js';
import type { ModelSettings } from './model-settings.js';
import { oneLine, printable } from './printable.js';
import { startProgress } from './progress.js';
import { renderUnmeasured } from './render-index.js';

export interface ReembedCommandOptions extends BudgetOptions {
  readonly index?: string;
  readonly embedder?: string;
  readonly embedderSettings?: ModelSettings;
  /** US dollars for a million tokens. */
  readonly price?: number;
  /** False takes no vectors from the cache beside the index, and keeps none there. */
  readonly cache?: boolean;
  readonly json?: boolean;
}

/** `--json` prints what `reembed` reports, with the path of the `index` and `ms`. */
export async function reembedCommand(options: ReembedCommandOptions, signal: AbortSignal): Promise<void> {
  const { json = false, embedderSettings: settings = {} } = options;
  const index = existingIndex(options.index);
  // A default would throw vectors away that somebody paid for.
  if (options.embedder === undefined)
    throw new SurmiseError(
      'bad_argument',
      'Say what makes the new vectors, with --embedder or the setting embedder.provider, such as: surmise reembed --embedder static',
    );
  const { embedder: named, price } = options;
  const embedder = await openEmbedder(named, { settings, signal, ...(price !== undefined && { price }) });
  if (embedder === undefined)
    throw new SurmiseError('bad_argument', 'Name what makes the new vectors, such as --embedder static.');
  const budget = indexBudget(options, embedder);
  const { caches, close } = await openModelCaches(index, { embedder, generates: false, wanted: options.cache ?? true });
  const store = openSqliteStore({ path: index });
  const progress = startProgress('Making vectors', json);
  const started = performance.now();
  let spent = { embedded: 0, tokens: 0 };
  try {
    const report = await reembed(
      { store, embedder, ...(caches.vectors && { cache: caches.vectors }) },
      {
        signal,
        ...(budget && { budget }),
        onProgress: ({ done, chunks, waiting, ...embedding }) => {
          spent = embedding;
          const wait = waiting === undefined ? '' : `; waiting ${Math.ceil(waiting.ms / 1000)} s: ${waiting.reason}`;
          progress.update(
            `${done.toLocaleString('en')} of ${chunks.toLocaleString('en')} chunks have new vectors${wait}`,
          );
        },
      },
    );
    progress.end();
    const ms = Math.round(performance.now() - started);
    const cost = costOf(report.tokens, embedder);
    console.log(json ? JSON.stringify({ index, ...report, ...(cost && { cost }), ms }) : render(index, report));
    if (report.failed.length > 0) process.exitCode = errorCodes.provider_failed.exit;
  } catch (error) {
    if (!isSurmiseError(error) || error.code !== 'aborted') throw error;
    throw new SurmiseError(
      'aborted',
      'Cancelled. The old vectors go on answering; run the same command again to go on with the new ones.',
      { cause: error },
    );
  } finally {
    progress.end();
    await noteSpending(store, embedder, spent);
    await store.close();
    close();
  }
}

function render(index: string, report: ReembedReport): string {
  const { from, to, swapped, resumed, embedded, failed, tooLong, legsNotMeasured } = report;
  if (!swapped) return `${printable(index)} holds vectors of ${describeFingerprint(to)} already.`;
  const before = from === undefined ? '' : `, in place of those of ${describeFingerprint(from)}`;
  const earlier = resumed === 0 ? '' : `, ${resumed.toLocaleString('en')} were there from before`;
  const lines = [
    `${printable(index)} holds vectors of ${describeFingerprint(to)} now${before}.`,
    `${embedded.toLocaleString('en')} texts were embedded${earlier}.`,
  ];
  const [first] = failed;
  if (first !== undefined)
    lines.push(
      `${failed.length} chunks were refused; only words find them. ${oneLine(`${first.id}: ${first.reason}`, 300)}`,
    );
  if (tooLong > 0)
    lines.push(`${tooLong} chunks are longer than the embedder takes; run surmise index to cut their documents anew.`);
  if (legsNotMeasured !== undefined) lines.push(renderUnmeasured(legsNotMeasured));
  return lines.join('\n');
}
