import { throwIfAborted } from './deadline.js';
import { enrich, feedbackWeights, hypothesisWeights, plainQuery } from './enrich.js';
import type { Fused } from './fusion.js';
import { decideGate } from './gate.js';
import { inOneSpace } from './one-space.js';
import { nothingRanked, presentRanked, type Ranked, rankNow } from './one-state.js';
import type { SearchOptions } from './options.js';
import type { SearchResult } from './result.js';
import { type SearchPorts, type SearchRun, startRun } from './run.js';
import type { SearchMemory } from './search-memory.js';

/**
 * One step of a streamed search. `plain` comes first and waits for no hypothesis; `final` is the answer, and the only one
 * that is reranked, diversified and trimmed.
 */
export interface SearchStep {
  readonly stage: 'plain' | 'final';
  readonly result: SearchResult;
}

/**
 * The search path. Hypotheses are written while the plain legs run; each enriched form of the question *replaces* the
 * one before it (two legs, not four); the last list is the answer.
 */
async function* searchPath(run: SearchRun): AsyncGenerator<{ stage: SearchStep['stage']; ranked: Ranked }, void> {
  const { signal, hyde } = run.settings;
  throwIfAborted(signal);
  if (run.empty !== undefined) {
    yield { stage: 'final', ranked: nothingRanked };
    return;
  }

  // Ends the generation when the caller leaves the stream early.
  const left = new AbortController();
  try {
    run.log.gate = decideGate(run.asked, hyde);
    const expansion = mayExpand(run) ? import('./hypotheses.js') : undefined;
    const gather = async (list: readonly Fused[]) => {
      const both = signal ? AbortSignal.any([signal, left.signal]) : left.signal;
      return (await expansion)?.gatherHypotheses(run, both, list);
    };
    // A model that is to see the passages of the plain list waits for it; no other does.
    const steered = run.settings.prompt?.mode === 'steered';
    const generating = steered ? undefined : gather([]);

    let query = plainQuery(run);
    let ranked = await rankNow(run, query, 'plain');
    yield { stage: 'plain', ranked };

    const hypotheses = (await (generating ?? gather(ranked.list))) ?? [];
    throwIfAborted(signal);
    if (hypotheses.length > 0) {
      query = await enrich(run, query, hypotheses, hypothesisWeights(run));
      ranked = await rankNow(run, query, 'hypotheses');
    }

    const passages = (await (await expansion)?.feedbackHypotheses(run, ranked.list)) ?? [];
    if (passages.length > 0) {
      query = await enrich(run, query, passages, feedbackWeights);
      ranked = await rankNow(run, query, 'feedback');
    }

    throwIfAborted(signal);
    yield { stage: 'final', ranked };
  } finally {
    left.abort();
  }
}

/** Without that, what writes, reads and cleans hypotheses is not loaded. */
function mayExpand({ settings, generator, feedback, log }: SearchRun): boolean {
  if (settings.hyde === 'off') return false;
  return settings.hypotheses !== undefined || (log.gate.open && (generator ?? feedback) !== undefined);
}

/**
 * The plain hits first, then the answer.
 *
 * @throws SurmiseError `bad_argument`, `embedder_mismatch`, `aborted`, and what the store throws. A failing generator,
 *   hypothesis or dense leg is reported in `degraded` instead.
 */
export async function* streamSearch(
  ports: SearchPorts,
  memory: SearchMemory,
  question: string,
  options: SearchOptions = {},
): AsyncGenerator<SearchStep, void> {
  const start = () => startRun(ports, memory, question, options);
  yield* inOneSpace(start, async function* (run) {
    for await (const { stage, ranked } of searchPath(run))
      yield { stage, result: await presentRanked(run, ranked, stage) };
  });
}

/** The answer alone; throws as `streamSearch`. */
export async function search(
  ports: SearchPorts,
  memory: SearchMemory,
  question: string,
  options: SearchOptions = {},
): Promise<SearchResult> {
  const start = () => startRun(ports, memory, question, options);
  const results = inOneSpace(start, async function* (run) {
    yield await searchRun(run);
  });
  const { value } = await results.next();
  return value as SearchResult;
}

/** The answer of a search that was started. */
export async function searchRun(run: SearchRun): Promise<SearchResult> {
  let last = nothingRanked;
  for await (const { ranked } of searchPath(run)) last = ranked;
  return presentRanked(run, last, 'final');
}
