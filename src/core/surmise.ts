import type { CallBudget } from './call-budget.js';
import { checkPorts } from './check-ports.js';
import { SurmiseError } from './errors.js';
import type { IndexOptions } from './index-options.js';
import type { IndexInputs, IndexReport } from './indexing.js';
import type { SearchOptions } from './options.js';
import type { StoreInfo } from './ports.js';
import type { Reloader, ReloadOptions, ReloadParts, ReloadReport } from './reload.js';
import type { SearchResult } from './result.js';
import type { SearchPorts } from './run.js';
import { type SearchStep, search, streamSearch } from './search.js';
import { createSearchMemory, type ModelCaches } from './search-memory.js';
import type { Why } from './why.js';

/** An index with everything that searches it. */
export interface Surmise {
  /**
   * Adds and updates documents; unchanged ones are not touched. At the end, when the index has got its first fifty vectors or
   * twice as many chunks, it is measured how well each leg finds (300 texts are embedded, 20 seconds at most); the share
   * of the dense leg follows from that.
   */
  index(documents: IndexInputs, options?: IndexOptions): Promise<IndexReport>;
  /** Removes documents by id from every leg; returns how many there were. */
  remove(ids: readonly string[]): Promise<number>;
  search(question: string, options?: SearchOptions): Promise<SearchResult>;
  /** The plain hits first, then the final list. */
  stream(question: string, options?: SearchOptions): AsyncGenerator<SearchStep, void>;
  /**
   * Why a document, or a chunk of it by its id, stands where it stands in a search with these options, also when it is not
   * in the answer.
   */
  why(question: string, id: string, options?: SearchOptions): Promise<Why>;
  /**
   * Begins to write hypotheses for a question that may be asked soon, while the user types; the search with the same
   * options joins in. Only the newest prefetch goes on: call it when typing pauses. Nothing that models do is thrown.
   */
  prefetch(question: string, options?: SearchOptions): Promise<void>;
  info(): Promise<StoreInfo>;
  /**
   * Replaces models while searches go on, for servers whose configuration changes. Beside another embedder than that of the
   * index the old one goes on answering, the vectors are made anew in the background, and then the new one answers.
   */
  reload(parts: ReloadParts, options?: ReloadOptions): Promise<ReloadReport>;
  /** Ends calls to the generator and what is made in the background as well. */
  close(): Promise<void>;
}

export interface SurmiseParts extends SearchPorts {
  /** How often the generator may be asked; searches beyond that go without. Default: no bound. */
  readonly budget?: CallBudget;
  /** Where what models made is kept beyond the life of this process. Default: nowhere. */
  readonly caches?: ModelCaches;
}

/**
 * Puts ports together. Everything but the store is optional: without an embedder only words are searched.
 *
 * @throws SurmiseError `bad_argument` without a store, for an embedder that says too little of itself, or another part that is none
 */
export function createSurmise(parts: SurmiseParts): Surmise {
  const { budget, caches = {}, ...ports } = parts ?? {};
  if (typeof ports.store?.match !== 'function')
    throw new SurmiseError('bad_argument', 'createSurmise needs a "store", for example that of openSqliteStore.');
  checkPorts(ports);
  const memory = createSearchMemory({ caches, ...(budget && { budget }) });
  // Who only searches does not wait for what cuts texts, writes ahead or replaces parts.
  let reloading: Promise<Reloader> | undefined;
  let prefetching: Promise<ReturnType<typeof import('./prefetch.js').prefetchHypotheses>> | undefined;
  return {
    async index(documents, options) {
      const { indexDocuments } = await import('./indexing.js');
      const { vectors: cache } = caches;
      const report = await indexDocuments({ ...ports, ...(cache && { cache }) }, documents, options);
      if (ports.embedder === undefined || options?.dryRun === true) return report;
      const { refreshLegBalance } = await import('./leg-balance.js');
      const { signal, budget: tokens } = options ?? {};
      const bounds = { ...(signal && { signal }), ...(tokens && { tokens }) };
      return { ...report, ...(await refreshLegBalance(ports.store, ports.embedder, bounds)) };
    },
    async remove(ids) {
      if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string'))
        throw new SurmiseError('bad_argument', 'The ids to remove must be a list of strings.');
      return ports.store.delete(ids);
    },
    search: (question, options) => search(ports, memory, question, options),
    stream: (question, options) => streamSearch(ports, memory, question, options),
    async why(question, id, options) {
      const { explainWhy } = await import('./why.js');
      return explainWhy(ports, memory, question, id, options);
    },
    info: () => ports.store.info(),
    async prefetch(question, options) {
      prefetching ??= import('./prefetch.js').then(({ prefetchHypotheses }) => prefetchHypotheses(ports, memory));
      return (await prefetching)(question, options);
    },
    async reload(parts, options) {
      reloading ??= import('./reload.js').then(({ createReloader }) => createReloader(ports, caches.vectors));
      return (await reloading).reload(parts, options);
    },
    async close() {
      memory.generations.close();
      await (await reloading)?.close();
      return ports.store.close();
    },
  };
}
