import { chunkId, parseChunkId } from './chunk-id.js';
import { SurmiseError } from './errors.js';
import { type Explanation, explainHits } from './explain.js';
import type { SearchOptions } from './options.js';
import type { Chunk, Filter, Store } from './ports.js';
import type { SearchResult } from './result.js';
import { type SearchPorts, type SearchRun, startRun } from './run.js';
import { searchRun } from './search.js';
import type { SearchMemory } from './search-memory.js';

/** Why a document is not among the hits, or far behind. */
export type WhyNot =
  | 'not indexed'
  | 'the search is empty'
  | 'refused by the filter'
  | 'refused by an operator'
  | 'nothing in common'
  | 'below the threshold'
  | 'behind k';

/** Where a document stands in a search, and why. */
export interface Why {
  readonly query: string;
  readonly document: string;
  /** Whether a search with the same options returns it. */
  readonly found: boolean;
  /** Absent where `found`. */
  readonly reason?: WhyNot;
  /** 1-based place in the whole list, also beyond k; absent where it is in no list. */
  readonly rank?: number;
  /** Length of that list. */
  readonly of: number;
  /** Its chunk that stands there. */
  readonly chunk?: Pick<Chunk, 'id' | 'heading' | 'text' | 'start' | 'end'>;
  readonly score?: number;
  /** How the score came about. */
  readonly explanation?: Explanation;
  /** Whether a leg had it among its candidates; without that only this question brought it into the list. */
  readonly candidate: boolean;
  /** Of the same search: what stands first, what happened. */
  readonly result: SearchResult;
}

/** Chunks of one document that are looked for in the list. */
const maxChunks = 10_000;

/**
 * Why a document (or one chunk of it, by its id) stands where it stands in a search with these options, also when it is not
 * in the answer.
 *
 * @throws SurmiseError as a search does
 */
export async function explainWhy(
  ports: SearchPorts,
  memory: SearchMemory,
  query: string,
  id: string,
  options: SearchOptions = {},
): Promise<Why> {
  if (typeof id !== 'string' || id === '')
    throw new SurmiseError('bad_argument', 'Give the id of a document or of a chunk.');
  const watched = await chunksOf(ports.store, id);
  const started = await startRun(ports, memory, query, options);
  const run: SearchRun = { ...started, watched };
  const result = await searchRun(run);
  const list = run.log.list ?? [];
  const wanted = new Set(watched);
  const { minScore } = run.settings;
  // By MMR a chunk below the threshold may stand before one above it.
  const shown = list.findIndex((one) => wanted.has(one.id) && one.score >= minScore);
  const at = shown < 0 ? list.findIndex((one) => wanted.has(one.id)) : shown;
  const document = watched[0] === undefined ? id : parseChunkId(watched[0]).document;
  const known = { query: result.query, document, of: list.length, result };
  if (at < 0) return { ...known, found: false, candidate: false, reason: await reasonOfAbsence(ports, run, watched) };
  const one = list[at]!;
  const { score } = one;
  const [chunk] = await ports.store.get([one.id]);
  const explanation = (await explainHits(run, [one])).get(one.id);
  const found = result.hits.some((hit) => hit.id === one.id);
  return {
    ...known,
    found,
    ...(!found && { reason: score < minScore ? 'below the threshold' : 'behind k' }),
    rank: at + 1,
    score,
    candidate: Object.values(one.legs).some(({ rank }) => rank !== null),
    ...(chunk && {
      chunk: { id: chunk.id, heading: chunk.heading, text: chunk.text, start: chunk.start, end: chunk.end },
    }),
    ...(explanation && { explanation }),
  };
}

async function chunksOf(store: Store, id: string): Promise<string[]> {
  const found: string[] = [];
  const step = 64;
  while (found.length < maxChunks) {
    const ids = Array.from({ length: step }, (_, i) => chunkId(id, found.length + i));
    const chunks = await store.get(ids);
    found.push(...chunks.map((chunk) => chunk.id));
    if (chunks.length < step) break;
  }
  if (found.length > 0 || Number.isNaN(parseChunkId(id).ordinal)) return found;
  return (await store.get([id])).map((chunk) => chunk.id);
}

async function reasonOfAbsence({ store }: SearchPorts, run: SearchRun, watched: readonly string[]): Promise<WhyNot> {
  if (watched.length === 0) return 'not indexed';
  if (run.empty !== undefined && run.empty !== 'nothing passes the filter') return 'the search is empty';
  const { where } = run.settings;
  const { document } = parseChunkId(watched[0]!);
  const own: Filter = { field: 'id', is: '=', value: document };
  if (where !== undefined && (await store.count({ and: [where, own] })).documents === 0) return 'refused by the filter';
  // Every chunk with a vector is near by some measure, so only words can have nothing in common.
  const refused =
    run.require !== undefined &&
    (run.mode !== 'lexical' || (await store.match(run.terms, { k: 1, ids: watched })).hits.length > 0);
  return refused ? 'refused by an operator' : 'nothing in common';
}
