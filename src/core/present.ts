import { parseChunkId } from './chunk-id.js';
import type { Fused } from './fusion.js';
import { pool } from './options.js';
import type { Refined } from './refine.js';
import type { EmptyReason, Hit, SearchResult, Stage } from './result.js';
import type { SearchRun } from './run.js';
import type { SearchStep } from './search.js';

/**
 * The answer to a search: the list rolled up, in the final step also reranked and diversified; then thresholded by the
 * score that is shown, cut to k, trimmed to sentences; and its trace.
 */
export async function present(
  run: SearchRun,
  list: readonly Fused[],
  step: SearchStep['stage'],
): Promise<SearchResult> {
  const { settings, store } = run;
  const rolled = settings.per === 'document' ? bestOfEachDocument(list) : list;
  const behindFusion = step === 'final' && asksForMore(run) ? await import('./refine.js') : undefined;
  const refined: Refined<Fused> = (await behindFusion?.refine(run, rolled)) ?? { list: rolled };
  run.log.list = refined.list;
  const kept = refined.list.filter(({ score }) => score >= settings.minScore).slice(0, settings.k);
  const chunks = new Map((await store.get(kept.map(({ id }) => id))).map((chunk) => [chunk.id, chunk]));
  // A chunk may have been removed since it was found; ranks have no gaps.
  const there = kept.filter(({ id }) => chunks.has(id));
  const hits = there.map(({ id, score, legs }, index): Hit => {
    const { document, path, title, heading, header, text, start, end } = chunks.get(id)!;
    const stages = stagesOf(run, id);
    const place = { document, path, title, heading, ...(header !== undefined && { header }), text, start, end };
    return { rank: index + 1, id, ...place, score, legs, stages };
  });
  const reason =
    run.empty ?? (hits.length > 0 ? undefined : list.length > 0 ? 'below the threshold' : 'nothing matches');
  const trimmed: Refined<Hit> = (await behindFusion?.trimHits(run, hits)) ?? { list: hits };
  return answer(run, reason, refined, { ...trimmed, list: await explained(run, trimmed.list) });
}

async function explained(run: SearchRun, hits: readonly Hit[]): Promise<readonly Hit[]> {
  if (!run.settings.explain) return hits;
  const { explainHits } = await import('./explain.js');
  const explanations = await explainHits(run, hits);
  return hits.map((hit) => {
    const explanation = explanations.get(hit.id);
    return explanation === undefined ? hit : { ...hit, explanation };
  });
}

/** Without that, what reranks, diversifies and trims is not loaded. */
function asksForMore({ reranker, settings: { rerank = false, mmr, trim } }: SearchRun): boolean {
  return reranker !== undefined || rerank !== false || mmr !== false || trim !== false;
}

/** Keeps the best chunk of each document: the list is in its total order, so the first chunk of a document is its best. */
function bestOfEachDocument(list: readonly Fused[]): Fused[] {
  const seen = new Set<string>();
  return list.filter(({ id }) => {
    const { document } = parseChunkId(id);
    return !seen.has(document) && seen.add(document);
  });
}

function stagesOf(run: SearchRun, id: string): Hit['stages'] {
  const entries = [...run.log.stages].flatMap(([stage, places]) => {
    const place = places.get(id);
    return place === undefined ? [] : [[stage, place] as [Stage, { score: number; rank: number }]];
  });
  return Object.fromEntries(entries);
}

function answer(
  run: SearchRun,
  reason: EmptyReason | undefined,
  refined: Refined<Fused>,
  trimmed: Refined<Hit>,
): SearchResult {
  const { log, info, settings, mode } = run;
  return {
    query: run.asked,
    mode,
    hits: trimmed.list,
    ...(reason === undefined ? {} : { reason }),
    trace: {
      gate: log.gate,
      ...(log.generator === undefined ? {} : { generator: log.generator }),
      ...(log.standalone === undefined ? {} : { standalone: log.standalone }),
      hypotheses: [...log.hypotheses],
      legs: [...log.legs],
      fusion: {
        method: settings.fusion,
        weights: log.weights,
        ...(log.weightsFrom && { weightsFrom: log.weightsFrom }),
        pool,
      },
      ...refined.trace,
      ...trimmed.trace,
      index: { documents: info.documents, chunks: info.chunks, vectors: info.vectors },
      ...(log.operators === undefined ? {} : { operators: log.operators }),
      ...(log.filter === undefined ? {} : { filter: log.filter }),
      ms: performance.now() - run.started,
    },
    degraded: [...log.degraded, ...(refined.degraded ?? []), ...(trimmed.degraded ?? [])],
  };
}
