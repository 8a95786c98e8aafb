import { embedTexts } from './embed.js';
import { reasonOf } from './errors.js';
import type { Fused } from './fusion.js';
import { mmr } from './mmr.js';
import type { MmrSettings, RerankSettings, TrimSettings } from './options.js';
import { embedRemembered } from './remembered-vectors.js';
import { applyRerank, rerankDepth, rerankScores } from './rerank.js';
import { type Degraded, type Hit, logStage, type Trace } from './result.js';
import { remainingMs, type SearchRun } from './run.js';
import { keepSentences, passageSentences, trimFloor } from './sentence-trim.js';
import { norm } from './vectors.js';

/** What a stage behind fusion made: the list, and what is to be said of it. A failure leaves the list as it was. */
export interface Refined<T> {
  readonly list: readonly T[];
  readonly trace?: Pick<Trace, 'rerank' | 'mmr' | 'trim'>;
  readonly degraded?: readonly Degraded[];
}

/** Candidates of MMR, whatever k is. */
const diversePool = 50;
/** Sentences of one answer that are embedded; hits behind keep all of theirs. */
const maxSentences = 2_000;

/** The list reranked and diversified, as far as that is asked for and possible. */
export async function refine(run: SearchRun, list: readonly Fused[]): Promise<Refined<Fused>> {
  for (const stage of ['rerank', 'mmr'] as const) run.log.stages.delete(stage);
  if (list.length === 0) return { list };
  const reranked = await rerankStage(run, list);
  const diverse = await mmrStage(run, reranked.list);
  return {
    list: diverse.list,
    trace: { ...reranked.trace, ...diverse.trace },
    degraded: [...(reranked.degraded ?? []), ...(diverse.degraded ?? [])],
  };
}

async function rerankStage(run: SearchRun, list: readonly Fused[]): Promise<Refined<Fused>> {
  const { reranker, settings, store, question, log } = run;
  if (settings.rerank === false) return { list };
  const failed = (reason: string) => ({ list, degraded: [{ part: 'rerank', reason } as const] });
  if (reranker === undefined) return settings.rerank === undefined ? { list } : failed('no reranker is configured');
  const { depth = rerankDepth } = fieldsOf<RerankSettings>(settings.rerank);
  const started = performance.now();
  const chunks = await store.get(list.slice(0, depth).map(({ id }) => id));
  let scores: readonly number[];
  try {
    const { signal } = settings;
    scores = await rerankScores(reranker, question, chunks, {
      deadlineMs: remainingMs(run),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (settings.signal?.aborted) throw error;
    return failed(`${reasonOf(error)} The order is that of fusion.`);
  }
  const byId = new Map(chunks.map(({ id }, at) => [id, scores[at]!]));
  const reranked = applyRerank(list, byId);
  logStage(
    log,
    'rerank',
    reranked.slice(0, byId.size).map(({ id }) => ({ id, score: byId.get(id)! })),
  );
  const rerank = { id: String(reranker.id), passages: chunks.length, ms: performance.now() - started };
  return { list: reranked, trace: { rerank } };
}

async function mmrStage(run: SearchRun, list: readonly Fused[]): Promise<Refined<Fused>> {
  const { settings, store, log } = run;
  if (settings.mmr === false) return { list };
  const { lambda = 0.5 } = fieldsOf<MmrSettings>(settings.mmr);
  const head = list.slice(0, diversePool);
  const ids = head.map(({ id }) => id);
  const vectors = new Map<string, Float32Array>();
  for (const { id, vector } of await store.get(ids, { vectors: true })) if (vector) vectors.set(id, vector);
  if (vectors.size === 0) {
    const reason = 'the hits have no vectors to tell how alike they are; the order is that of relevance';
    return { list, degraded: [{ part: 'mmr', reason }] };
  }
  const picks = mmr(
    head.map(({ id, score }) => {
      const vector = vectors.get(id);
      return { id, score, ...(vector && { vector }) };
    }),
    { lambda },
  );
  logStage(
    log,
    'mmr',
    picks.map(({ id, mmr: score }) => ({ id, score })),
  );
  const byId = new Map(head.map((hit) => [hit.id, hit]));
  const missing = head.length - vectors.size;
  return {
    list: [...picks.map(({ id }) => byId.get(id)!), ...list.slice(diversePool)],
    trace: { mmr: { lambda, candidates: head.length } },
    ...(missing > 0 && {
      degraded: [
        { part: 'mmr', reason: `${missing} of ${head.length} candidates have no vector and count as like nothing` },
      ],
    }),
  };
}

/** The hits with the sentences of each that are near to the question. */
export async function trimHits(run: SearchRun, hits: readonly Hit[]): Promise<Refined<Hit>> {
  const { settings, embedder, question } = run;
  if (settings.trim === false || hits.length === 0) return { list: hits };
  const failed = (reason: string) => ({ list: hits, degraded: [{ part: 'trim', reason } as const] });
  if (embedder === undefined) return failed('no embedder is configured that could compare sentences with the question');
  const { floor = trimFloor } = fieldsOf<TrimSettings>(settings.trim);
  const started = performance.now();
  const passages: ReturnType<typeof passageSentences>[] = [];
  let count = 0;
  for (const { text, start } of hits) {
    const sentences = passageSentences(text, start);
    count += sentences.length;
    if (count > maxSentences) break;
    passages.push(sentences);
  }
  const all = passages.flat();
  try {
    // Known already where the dense leg ran, and where it failed there is no use in asking again.
    const [asked] = await embedRemembered(run, [question], 'query');
    const call = { deadlineMs: remainingMs(run), ...(settings.signal && { signal: settings.signal }) };
    const vectors = await embedTexts(
      embedder,
      all.map(({ text }) => text),
      { role: 'document', ...call },
    );
    if (asked === undefined || norm(asked) === 0) return failed('the embedder knows no word of the question');
    let from = 0;
    const list = hits.map((hit, at) => {
      const sentences = passages[at];
      if (sentences === undefined) return hit;
      const own = vectors.slice(from, from + sentences.length);
      from += sentences.length;
      return { ...hit, sentences: keepSentences(sentences, own, asked, floor) };
    });
    const kept = list.reduce((sum, { sentences = [] }) => sum + sentences.length, 0);
    const untouched = hits.length - passages.length;
    return {
      list,
      trace: { trim: { floor, sentences: all.length, kept, ms: performance.now() - started } },
      ...(untouched > 0 && {
        degraded: [
          {
            part: 'trim',
            reason: `the last ${untouched} hits are whole: ${maxSentences} sentences are compared at most`,
          },
        ],
      }),
    };
  } catch (error) {
    if (settings.signal?.aborted) throw error;
    return failed(`${reasonOf(error)} The passages are whole.`);
  }
}

function fieldsOf<T extends object>(setting: boolean | T | undefined): Partial<T> {
  return typeof setting === 'object' ? setting : {};
}
