import { isSurmiseError, SurmiseError } from '../core/errors.js';
import type { SearchOptions } from '../core/options.js';
import { parseWhere } from '../core/parse-where.js';
import type { Filter, StoreInfo } from '../core/ports.js';
import { createSurmise, type Surmise } from '../core/surmise.js';
import { feedbackGenerator } from '../models/feedback.js';
import { openSqliteStore, type SqliteStore } from '../storage/sqlite-store.js';
import { indexPath } from './index-path.js';
import { openModelCaches } from './model-caches.js';
import type { ModelSettings } from './model-settings.js';
import { oneLine } from './printable.js';

/** Options that a search takes as they are. */
const passed = ['k', 'hyde', 'n', 'per', 'minScore', 'feedback', 'fusion', 'denseWeight', 'mmr', 'trim'] as const;

export interface SearchingOptions extends Pick<SearchOptions, (typeof passed)[number] | 'mode'> {
  readonly index?: string;
  readonly embedder?: string;
  readonly embedderSettings?: ModelSettings;
  readonly generator?: string;
  readonly generatorSettings?: ModelSettings;
  readonly rerank?: string;
  readonly deadline?: number;
  /** False: what models made is neither read nor kept beside the index. */
  readonly cache?: boolean;
  readonly where?: string;
  readonly collection?: readonly string[];
}

export interface OpenSearch {
  readonly store: SqliteStore;
  readonly surmise: Surmise;
  readonly info: StoreInfo;
  /** For each search. */
  readonly settings: SearchOptions;
  close(): Promise<void>;
}

/**
 * An index with the models that the options name, for one command.
 *
 * @throws SurmiseError `bad_argument`, `no_index` where the index is empty, and what opening throws
 */
export async function openSearch(options: SearchingOptions, signal: AbortSignal): Promise<OpenSearch> {
  const { mode, deadline } = options;
  const where = filterOf(options);
  const store = openSqliteStore({ path: indexPath(options.index), access: 'read' });
  try {
    const info = await store.info();
    if (info.chunks === 0)
      throw new SurmiseError('no_index', `The index ${info.location} is empty. Fill it with: surmise index FOLDER`);
    checkCollections(options.collection, info);
    const { embedder, generator, reranker } = await openModels(options, info, signal);
    const { caches, close } = await openModelCaches(info.location, {
      embedder,
      generates: generator !== undefined,
      wanted: options.cache ?? true,
    });
    const wanted = mode ?? (embedder === undefined ? 'lexical' : undefined);
    const surmise = createSurmise({
      store,
      ...(embedder && { embedder }),
      ...(generator && { generator }),
      ...(reranker && { reranker }),
      feedback: feedbackGenerator(),
      caches,
    });
    return {
      store,
      info,
      surmise,
      async close() {
        // Ends calls that nobody waits for any more, the store with them.
        await surmise.close();
        close();
      },
      settings: {
        ...Object.fromEntries(passed.map((name) => [name, options[name]])),
        ...(wanted !== undefined && { mode: wanted }),
        ...(where !== undefined && { where }),
        ...(deadline !== undefined && { deadlineMs: deadline }),
        signal,
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Loads what opens models where one is wanted: a search of words begins in a third of the time without. */
async function openModels(options: SearchingOptions, info: StoreInfo, signal: AbortSignal) {
  const { mode, generator, generatorSettings, rerank } = options;
  return {
    ...(mode !== 'lexical' && { embedder: await openSearchEmbedder(options, info, signal) }),
    ...(generator !== undefined && {
      generator: await (await import('./generator-option.js')).openGenerator(generator, generatorSettings),
    }),
    ...(rerank !== undefined && { reranker: await (await import('./reranker-option.js')).openReranker(rerank) }),
  };
}

/** One that can not be reached keeps nobody from searching words, who did not ask for more. */
async function openSearchEmbedder(options: SearchingOptions, info: StoreInfo, signal: AbortSignal) {
  const { mode, embedder, embedderSettings: settings = {} } = options;
  const { openEmbedder } = await import('./embedder-option.js');
  try {
    return await openEmbedder(embedder, { info, settings, signal });
  } catch (error) {
    const isAway = isSurmiseError(error) && (error.code === 'provider_failed' || error.code === 'timeout');
    if (!isAway || mode !== undefined) throw error;
    console.error(oneLine(`Only words are searched: ${error.message}`, 1_000));
    return undefined;
  }
}

/** A collection that is not there is more likely a slip than an answer. */
function checkCollections(wanted: readonly string[] = [], { collections, location }: StoreInfo): void {
  if (collections === undefined) return;
  const unknown = wanted.find((name) => !Object.hasOwn(collections, name));
  if (unknown === undefined) return;
  const known = Object.keys(collections);
  throw new SurmiseError(
    'bad_argument',
    `The index ${location} has no collection "${unknown}". ${known.length === 0 ? 'It has none.' : `It has: ${known.join(', ')}.`}`,
  );
}

/** One of the collections, and what `--where` says. */
function filterOf({ where, collection = [] }: SearchingOptions): Filter | undefined {
  const collections = collection.map((value): Filter => ({ field: 'collection', is: '=', value }));
  const parts: Filter[] = [
    ...(collections.length === 1 ? collections : collections.length > 1 ? [{ or: collections }] : []),
    ...(where === undefined ? [] : [parseWhere(where)]),
  ];
  return parts.length > 1 ? { and: parts } : parts[0];
}
