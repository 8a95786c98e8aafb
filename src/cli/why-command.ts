import { resolve } from 'node:path';
import { chunkId } from '../core/chunk-id.js';
import { pathKey } from '../files/index.js';
import type { SqliteStore } from '../storage/sqlite-store.js';
import { openSearch, type SearchingOptions } from './open-search.js';
import { renderWhy } from './render-explanation.js';

export interface WhyCommandOptions extends SearchingOptions {
  readonly json?: boolean;
}

/** Says where a document stands in a search and why. `--json` prints what `Surmise.why` gives. */
export async function whyCommand(
  question: string,
  document: string,
  { json = false, ...options }: WhyCommandOptions,
  signal: AbortSignal,
): Promise<void> {
  const { surmise, store, settings, close } = await openSearch(options, signal);
  try {
    const why = await surmise.why(question, await idOf(store, document), settings);
    console.log(json ? JSON.stringify(why) : renderWhy(why));
  } finally {
    await close();
  }
}

/** The id as it is given where there is such a document or chunk, else that of the file. */
async function idOf(store: SqliteStore, named: string): Promise<string> {
  const file = pathKey(resolve(named));
  for (const id of [named, file]) if ((await store.get([chunkId(id, 0), id])).length > 0) return id;
  return named;
}
