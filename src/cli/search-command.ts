import { SurmiseError } from '../core/errors.js';
import type { SearchOptions } from '../core/options.js';
import { parseWhere } from '../core/parse-where.js';
import type { Filter, StoreInfo } from '../core/ports.js';
import type { SearchResult } from '../core/result.js';
import { createSurmise } from '../core/surmise.js';
import { feedbackGenerator } from '../models/feedback.js';
import { openSqliteStore } from '../storage/sqlite-store.js';
import { indexPath } from './index-path.js';
import type { ModelSettings } from './model-settings.js';
import { renderSearch } from './render-search.js';

/** Options that a search takes as they are. */
const passed = ['k', 'hyde', 'n', 'per', 'minScore', 'feedback', 'fusion', 'denseWeight', 'mmr', 'trim'] as const;

export interface SearchCommandOptions extends Pick<SearchOptions, (typeof passed)[number] | 'mode'> {
  readonly index?: string;
  readonly embedder?: string;
  readonly embedderSettings?: ModelSettings;
  readonly generator?: string;
  readonly generatorSettings?: ModelSettings;
  readonly rerank?: string;
  readonly deadline?: number;
  readonly where?: string;
  readonly collection?: readonly string[];
  readonly explain?: boolean;
  readonly json?: boolean;
}

const noAnswer: Readonly<Partial<Record<NonNullable<SearchResult['reason']>, string>>> = {
  'empty query': 'The question is empty. Give the words to search for.',
  'no searchable token':
    'The question has no letter, digit or symbol to search for. Use words; those behind a minus are left out.',
};

/** `--json` prints the `SearchResult`. */
export async function searchCommand(
  words: readonly string[],
  options: SearchCommandOptions,
  signal: AbortSignal,
): Promise<void> {
  const { mode } = options;
  const where = filterOf(options);
  const store = openSqliteStore({ path: indexPath(options.index), access: 'read' });
  try {
    const info = await store.info();
    checkCollections(options.collection, info);
    const { embedder, generator, reranker } = await openModels(options, info, signal);
    const surmise = createSurmise({
      store,
      ...(embedder && { embedder }),
      ...(generator && { generator }),
      ...(reranker && { reranker }),
      feedback: feedbackGenerator(),
    });
    const wanted = mode ?? (embedder === undefined ? 'lexical' : undefined);
    const result = await surmise.search(words.join(' '), {
      ...Object.fromEntries(passed.map((name) => [name, options[name]])),
      ...(wanted !== undefined && { mode: wanted }),
      ...(where !== undefined && { where }),
      ...(options.deadline !== undefined && { deadlineMs: options.deadline }),
      signal,
    });
    const refusal = result.reason && noAnswer[result.reason];
    if (refusal !== undefined) throw new SurmiseError('bad_argument', refusal);
    if (result.reason === 'nothing indexed')
      throw new SurmiseError('no_index', `The index ${info.location} is empty. Fill it with: surmise index FOLDER`);
    if (options.json) console.log(JSON.stringify(result));
    else console.log(renderSearch(result, options.explain ?? false));
  } finally {
    await store.close();
  }
}

/** Loads what opens models where one is wanted: a search of words begins in a third of the time without. */
async function openModels(options: SearchCommandOptions, info: StoreInfo, signal: AbortSignal) {
  const { mode, embedder, embedderSettings: settings = {}, generator, generatorSettings, rerank } = options;
  return {
    ...(mode !== 'lexical' && {
      embedder: await (await import('./embedder-option.js')).openEmbedder(embedder, { info, settings, signal }),
    }),
    ...(generator !== undefined && {
      generator: await (await import('./generator-option.js')).openGenerator(generator, generatorSettings),
    }),
    ...(rerank !== undefined && { reranker: await (await import('./reranker-option.js')).openReranker(rerank) }),
  };
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
function filterOf({ where, collection = [] }: SearchCommandOptions): Filter | undefined {
  const collections = collection.map((value): Filter => ({ field: 'collection', is: '=', value }));
  const parts: Filter[] = [
    ...(collections.length === 1 ? collections : collections.length > 1 ? [{ or: collections }] : []),
    ...(where === undefined ? [] : [parseWhere(where)]),
  ];
  return parts.length > 1 ? { and: parts } : parts[0];
}
