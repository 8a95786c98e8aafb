import type { Fused } from './fusion.js';
import { present } from './present.js';
import { type RankQuery, rank } from './rank.js';
import type { SearchResult, Stage } from './result.js';
import type { SearchRun } from './run.js';
import type { SearchStep } from './search.js';

/** A list, and what it takes to make it again. */
export interface Ranked {
  readonly list: readonly Fused[];
  readonly again?: { readonly query: RankQuery; readonly stage: Stage; readonly version: string };
}

export const nothingRanked: Ranked = { list: [] };

/** How often a list is made before one that is of two states of the index is taken. */
const maxAttempts = 3;

/** The list of a stage, with the state of the index that it was begun in. */
export async function rankNow(run: SearchRun, query: RankQuery, stage: Stage): Promise<Ranked> {
  const { version } = await run.store.info();
  return { list: await rank(run, query, stage), again: { query, stage, version } };
}

/**
 * The answer out of one state of the index: when others have written since the list was begun, an id may mean another
 * text by now, so the list is made again. The stages behind fusion are for the `final` one.
 */
export async function presentRanked(run: SearchRun, ranked: Ranked, step: SearchStep['stage']): Promise<SearchResult> {
  let { list, again } = ranked;
  for (let attempt = 1; ; attempt++) {
    const result = await present(run, list, step);
    if (again === undefined || (await run.store.info()).version === again.version) return result;
    if (attempt === maxAttempts) {
      const reason =
        'the index changed while it was searched, several times; a hit may hold a newer text than was found';
      return { ...result, degraded: [...result.degraded, { part: 'index', reason }] };
    }
    const { query, stage } = again;
    run.log.legs = run.log.legs.filter((leg) => leg.stage !== stage);
    ({ list, again } = await rankNow(run, query, stage));
  }
}
