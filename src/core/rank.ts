import { throwIfAborted } from './deadline.js';
import { denseWeight, knownShare } from './dense-weight.js';
import { type Fused, fuse, type Leg } from './fusion.js';
import { pool } from './options.js';
import type { NearOptions, Scored, ScoredList, WeightedTerm } from './ports.js';
import { type LegName, logStage, type Stage } from './result.js';
import type { SearchRun } from './run.js';
import type { VectorPart } from './vector-parts.js';
import { norm } from './vectors.js';

/** A question in the form that each leg searches with. */
export interface RankQuery {
  readonly terms: readonly WeightedTerm[];
  /** Settles to `undefined` where it could not be made; the zero vector says nothing either, but hypotheses may join it. */
  readonly vector: Promise<Float32Array | undefined>;
  /** What the vector is the sum of, once it has settled. */
  readonly parts?: () => Promise<readonly VectorPart[]>;
}

/** The last list that was made, with what explains it. */
export interface RankedBy {
  readonly query: RankQuery;
  readonly legs: readonly Leg[];
  /** What their weights are divided by. */
  readonly total: number;
}

type Search = (options: NearOptions) => Promise<ScoredList>;

/** Runs the legs at once and fuses them to one list of chunks, and writes both into the trace. */
export async function rank(run: SearchRun, query: RankQuery, stage: Stage): Promise<Fused[]> {
  const { store, mode, settings } = run;
  const { where } = settings;
  const { prefixes, require } = run;
  const limits = { ...(where && { where }), ...(require && { require }) };
  const suffix = stage === 'plain' ? '' : '+hypothesis';
  const searches: Promise<{ name: LegName; weight: number; list: ScoredList; search: Search } | undefined>[] = [];
  const start = async (name: LegName, weight: number, search: Search, terms?: number) => {
    const from = performance.now();
    const list = await search({ k: pool, ...(settings.per === 'document' && { perDocument: true }) });
    const ms = performance.now() - from;
    run.log.legs.push({
      name,
      stage,
      candidates: list.hits.length + (list.more?.length ?? 0),
      matched: list.matched,
      ms,
      ...(terms === undefined ? {} : { terms }),
    });
    return { name, weight, list, search };
  };
  // Nothing to search with: the question has no word that the embedder knows, or its failure is in `degraded`.
  const notRun = (name: LegName) => {
    run.log.legs.push({ name, stage, candidates: 0, matched: 0, ms: 0 });
    return undefined;
  };
  const { share, known, from } = denseWeight(settings.denseWeight, run.info, knownShare(query.terms, run.terms));
  if (mode === 'hybrid') run.log.weightsFrom = from;
  const denseShare = mode === 'hybrid' ? share : 1;
  if (mode !== 'dense')
    searches.push(
      start(
        `lexical${suffix}` as LegName,
        mode === 'hybrid' ? (1 - denseShare) * known : 1,
        (options) => store.match(query.terms, { ...options, ...limits, ...(prefixes && { prefixes }) }),
        query.terms.length,
      ),
    );
  if (mode !== 'lexical')
    searches.push(
      query.vector.then((vector) =>
        vector === undefined || norm(vector) === 0
          ? notRun(`dense${suffix}` as LegName)
          : start(`dense${suffix}` as LegName, denseShare, (options) =>
              store.nearest(vector, { ...options, ...limits }),
            ),
      ),
    );
  const found = (await Promise.all(searches)).filter((leg) => leg !== undefined);
  throwIfAborted(settings.signal);
  const candidates = new Set(found.flatMap(({ list }) => [...list.hits, ...(list.more ?? [])].map(({ id }) => id)));
  for (const id of run.watched ?? []) candidates.add(id);
  // When the only leg that counts has failed, those that are left must count. One that is alone counts in full, so that
  // its scores are those of a search with it alone to the last bit.
  const silent = found.length === 1 || found.every(({ weight }) => weight === 0);
  const legs: Leg[] = await Promise.all(
    found.map(async ({ name, weight, list, search }) => ({
      name,
      weight: silent ? 1 : weight,
      found: list.hits.length,
      list: await complete(list, candidates, search),
    })),
  );
  // Where the words say little of the question, no score reaches 1: what they do not know is nobody's.
  const both = legs.length === 2 && !silent;
  const sum = legs.reduce((total, { weight }) => total + weight, 0) || 1;
  const total = both ? Math.max(1, sum) : sum;
  run.log.weights = Object.fromEntries(legs.map(({ name, weight }) => [name, weight / total]));
  run.log.rankedBy = { query, legs, total };
  const fused = fuse(legs, { method: settings.fusion, scale: settings.scale, total });
  logStage(run.log, stage, fused);
  return fused;
}

/**
 * Adds the leg's own score for candidates that only other legs brought, so that fusing pools equals fusing everything.
 * They stand after the pool and have no rank.
 */
async function complete(list: ScoredList, candidates: ReadonlySet<string>, search: Search): Promise<ScoredList> {
  const hits = [...list.hits, ...(list.more ?? [])];
  const known = new Set(hits.map(({ id }) => id));
  const missing = [...candidates].filter((id) => !known.has(id));
  if (missing.length === 0 || hits.length === list.matched) return { ...list, hits };
  const more: readonly Scored[] = (await search({ k: missing.length, ids: missing })).hits;
  return { ...list, hits: [...hits, ...more] };
}
