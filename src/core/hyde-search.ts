import { embedTexts } from './embed.js';
import { SurmiseError } from './errors.js';
import { byScore } from './fusion.js';
import { type MmrOptions, mmr } from './mmr.js';
import type { Embedder, Scored, Store } from './ports.js';
import { averageEmbeddings, cosine, isUnitNorm, norm } from './vectors.js';

/** Something to find by its vector. */
export interface VectorItem {
  readonly id: string;
  readonly vector: ArrayLike<number>;
}

export interface HydeSearchOptions {
  /** Embeds hypotheses that are texts, as documents. Not needed where all are vectors. */
  readonly embedder?: Embedder;
  /** One for each hypothesis; the sum must not be 0. Default 1 each. */
  readonly weights?: readonly number[];
  /** How many hits at most, 1 to 1,000. Default 10. The hits for k are a prefix of those for more. */
  readonly k?: number;
  /** Hits whose cosine is below are left out, −1 to 1. Default none. */
  readonly minScore?: number;
  /** Diversifies the best 100 by maximal marginal relevance; `true` stands for λ 0.5. Default false. */
  readonly mmr?: boolean | Pick<MmrOptions, 'lambda'>;
  /** For embedding with its retries, in milliseconds. Default 10,000. */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
}

export interface HydeSearchResult {
  /** Cosine to the average, best first; with `mmr` in its order. */
  readonly hits: readonly Scored[];
  /** The average of the hypotheses, length 1, or zero where they cancel out (then nothing is found). */
  readonly vector: Float32Array;
  readonly textsFused: number;
  readonly averagedVectorUnitNorm: boolean;
  readonly dimension: number;
  readonly weights: readonly number[];
  /** How long it took, in milliseconds. */
  readonly latencyMs: number;
}

/** Candidates of MMR, whatever k is. */
const diversePool = 100;
const maxHits = 1_000;
const maxHypotheses = 64;

/**
 * HyDE (Gao et al. 2022) over vectors: hypotheses are embedded and averaged, and what is nearest to the average is
 * found, exactly. To take the question along, give it as one of the hypotheses; to fuse with other lists, see
 * `reciprocalRankFusion`. Of items with one id the first counts, and an item of zeros is like nothing: cosine 0.
 *
 * @param hypotheses 1 to 64 texts, or vectors of the items' space
 * @param among items, or a store, whose vectors must be of the embedder's space
 * @throws SurmiseError `bad_argument`, and for texts `provider_failed`, `timeout`, `aborted`
 */
export async function hydeSearch(
  hypotheses: readonly (string | Float32Array | readonly number[])[],
  among: readonly VectorItem[] | Pick<Store, 'nearest' | 'get'>,
  options: HydeSearchOptions = {},
): Promise<HydeSearchResult> {
  const started = performance.now();
  const { k = 10, minScore = -1, mmr: diverse = false } = options;
  if (!Number.isInteger(k) || k < 1 || k > maxHits) throw bad(`"k" must be a whole number from 1 to ${maxHits}`);
  if (!(minScore >= -1 && minScore <= 1)) throw bad('"minScore" must be a number from -1 to 1');
  if (!Array.isArray(hypotheses) || hypotheses.length === 0 || hypotheses.length > maxHypotheses)
    throw bad(`a list of 1 to ${maxHypotheses} hypotheses is needed`);
  const isGiven = (one: unknown): boolean => typeof one === 'string' || Array.isArray(one) || ArrayBuffer.isView(one);
  if (!hypotheses.every((one) => isGiven(one))) throw bad('each hypothesis must be a text or a vector');
  const weights = [...(options.weights ?? hypotheses.map(() => 1))];
  const vector = averageEmbeddings(await embedded(hypotheses, options), { weights });
  const wanted = diverse === false ? k : Math.max(k, diversePool);
  const found = norm(vector) === 0 ? [] : await nearest(vector, among, wanted);
  const ranked = diverse === false ? found : await diversify(found, among, diverse === true ? {} : diverse);
  return {
    hits: ranked.filter(({ score }) => score >= minScore).slice(0, k),
    vector,
    textsFused: hypotheses.length,
    averagedVectorUnitNorm: isUnitNorm(vector),
    dimension: vector.length,
    weights,
    latencyMs: performance.now() - started,
  };
}

async function embedded(
  hypotheses: readonly (string | Float32Array | readonly number[])[],
  { embedder, signal, deadlineMs = 10_000 }: HydeSearchOptions,
): Promise<(Float32Array | readonly number[])[]> {
  const texts = hypotheses.filter((one) => typeof one === 'string');
  if (texts.length === 0) return hypotheses.filter((one) => typeof one !== 'string');
  if (embedder === undefined) throw bad('hypotheses that are texts need an "embedder"');
  const call = { role: 'document', deadlineMs, ...(signal && { signal }) } as const;
  const vectors = (await embedTexts(embedder, texts, call)).values();
  return hypotheses.map((one) => (typeof one === 'string' ? vectors.next().value! : one));
}

async function nearest(
  vector: Float32Array,
  among: readonly VectorItem[] | Pick<Store, 'nearest'>,
  k: number,
): Promise<readonly Scored[]> {
  if ('nearest' in among) return (await among.nearest(vector, { k })).hits;
  const scores = [...vectorsOf(among)].map(([id, other]) => ({ id, score: cosine(vector, other) }));
  return scores.sort(byScore).slice(0, k);
}

/** The head of the list by MMR, what stands behind it as it was. */
async function diversify(
  list: readonly Scored[],
  among: readonly VectorItem[] | Pick<Store, 'get'>,
  options: Pick<MmrOptions, 'lambda'>,
): Promise<Scored[]> {
  const head = list.slice(0, diversePool);
  const ids = head.map(({ id }) => id);
  const vectors =
    'get' in among
      ? new Map((await among.get(ids, { vectors: true })).map((chunk) => [chunk.id, chunk.vector]))
      : vectorsOf(among);
  const candidates = head.map((one) => {
    const vector = vectors.get(one.id);
    return vector === undefined ? one : { ...one, vector };
  });
  const picks = mmr(candidates, options).map(({ id, score }) => ({ id, score }));
  return [...picks, ...list.slice(diversePool)];
}

function vectorsOf(items: readonly VectorItem[]): Map<string, ArrayLike<number>> {
  const vectors = new Map<string, ArrayLike<number>>();
  for (const { id, vector } of items) if (!vectors.has(id)) vectors.set(id, vector);
  return vectors;
}

function bad(what: string): SurmiseError {
  return new SurmiseError('bad_argument', `Can not search by hypotheses: ${what}.`);
}
