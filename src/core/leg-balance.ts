import { chunkId } from './chunk-id.js';
import { abortedBy, throwIfAborted } from './deadline.js';
import { denseWeightOf, isCurrent } from './dense-weight.js';
import { digester } from './digest.js';
import { embedTexts } from './embed.js';
import { isSurmiseError, reasonOf, SurmiseError } from './errors.js';
import { fingerprintKey } from './fingerprint.js';
import { indexText } from './index-text.js';
import type { Chunk, Embedder, LegBalance, Role, Store } from './ports.js';
import { sentences } from './text-segments.js';
import type { TokenBudget } from './token-budget.js';
import { tokenWeight } from './token-count.js';
import { cosine, norm } from './vectors.js';

/** Chunks that are asked for. */
const sampleSize = 150;
/** Fewer say too little. So many are embedded and asked for at once. */
const minSamples = 50;
/** Documents that the sample is drawn from. */
const maxDocuments = 1_000_000;
/** The chunk of a document is drawn from so many of its first. */
const maxOrdinals = 16;
/** UTF-16 units of a sentence that can be asked for, and of a chunk that is looked at. */
const minSentence = 25;
const maxSentence = 400;
const maxText = 20_000;
/** Places that are looked at; beyond them a chunk counts as not found, which takes less than 0.01 from its rank. */
const depth = 100;
const defaultBudgetMs = 20_000;
/** Where no leg finds more, sentences do not tell chunks apart (small talk, tables), and the ratio is chance. */
const leastFound = 0.1;

export interface LegBalanceOptions {
  /** When it is used up, what was measured until then counts, if it is enough. Default 20,000. */
  readonly budgetMs?: number;
  /** What measuring may embed; where it has no room for it all, nothing is measured. */
  readonly tokens?: TokenBudget;
  readonly signal?: AbortSignal;
}

/**
 * How well each leg finds in this index, without judgements and without a language model: an inverse cloze task (Lee et
 * al. 2019). A sentence of a chunk is the question, the chunk without it the answer, among all chunks. Deterministic:
 * chunks and sentences are drawn by their hashes.
 *
 * @returns nothing where the index is too small, holds no vectors, neither leg finds anything, or its store can not score texts
 * @throws what the embedder and the store throw; `aborted`
 */
export async function measureLegs(
  store: Store,
  embedder: Embedder,
  { budgetMs = defaultBudgetMs, tokens, signal }: LegBalanceOptions = {},
): Promise<LegBalance | undefined> {
  const until = performance.now() + budgetMs;
  const { chunks, vectors, fingerprint } = await store.info();
  if (store.scoreText === undefined || fingerprint === undefined || vectors < minSamples) return undefined;
  const clozes = await drawClozes(store);
  if (clozes.length < minSamples) return undefined;
  if (tokens !== undefined) spend(tokens, embedder, clozes);
  const vectorsOf = (texts: readonly string[], role: Role) => {
    const deadlineMs = Math.max(1, Math.round(until - performance.now()));
    return embedTexts(embedder, texts, { role, deadlineMs, ...(signal && { signal }) });
  };

  let samples = 0;
  let lexical = 0;
  let dense = 0;
  try {
    for (let from = 0; from < clozes.length && performance.now() < until; from += minSamples) {
      const part = clozes.slice(from, from + minSamples);
      const asked = part.map(({ question }) => question);
      const questions = await vectorsOf(asked, 'query');
      const answers = await vectorsOf(
        part.map(({ answer }) => answer),
        'document',
      );
      const terms = await store.analyze(asked);
      for (const [index, { id, answer }] of part.entries()) {
        throwIfAborted(signal);
        if (performance.now() > until) break;
        const [question, target, words] = [questions[index]!, answers[index]!, terms[index]!];
        if (words.length === 0 || norm(question) === 0 || norm(target) === 0) continue;
        const matching = await store.match(words, { k: depth });
        const near = await store.nearest(question, { k: depth });
        lexical += reciprocalRank(matching.hits, id, await store.scoreText(words, answer));
        dense += reciprocalRank(near.hits, id, cosine(question, target));
        samples++;
      }
    }
  } catch (error) {
    if (samples < minSamples || !isSurmiseError(error) || error.code !== 'timeout') throw error;
  }
  if (samples < minSamples || Math.max(lexical, dense) < leastFound * samples) return undefined;
  return {
    lexical: lexical / samples,
    dense: dense / samples,
    denseWeight: denseWeightOf(dense / (dense + lexical)),
    samples,
    chunks,
    embedder: fingerprintKey(fingerprint),
  };
}

export interface LegReport {
  readonly legBalance?: LegBalance;
  /** Why nothing was measured although it should have been. */
  readonly legsNotMeasured?: string;
}

/**
 * Measures and keeps, where nothing was kept yet or the index has changed much since. What fails is reported: an index
 * without it is as good as one with the usual weights.
 *
 * @throws `aborted`
 */
export async function refreshLegBalance(
  store: Store,
  embedder: Embedder,
  options: LegBalanceOptions = {},
): Promise<LegReport> {
  if (store.keepLegBalance === undefined) return {};
  try {
    const info = await store.info();
    if (isCurrent(info.legBalance, info)) return {};
    const legBalance = await measureLegs(store, embedder, options);
    if (legBalance === undefined) return {};
    await store.keepLegBalance(legBalance);
    return { legBalance };
  } catch (error) {
    if (options.signal?.aborted) throw abortedBy(options.signal);
    return { legsNotMeasured: reasonOf(error) };
  }
}

interface Cloze {
  readonly id: string;
  readonly question: string;
  readonly answer: string;
}

/** @throws SurmiseError `over_budget` where there is no room for all */
function spend(tokens: TokenBudget, embedder: Embedder, clozes: readonly Cloze[]): void {
  const count = tokenWeight(embedder.countTokens && ((text) => embedder.countTokens!(text)));
  const needed = clozes.reduce((sum, { question, answer }) => sum + count(question) + count(answer), 0);
  if (tokens.reserve([needed]) === 0)
    throw new SurmiseError(
      'over_budget',
      `Measuring the legs takes about ${Math.round(needed)} tokens, more than the budget has left.`,
    );
  tokens.charge(needed);
  tokens.release(needed);
}

async function drawClozes(store: Store): Promise<Cloze[]> {
  const digest = digester('leg balance ', 4);
  const numberOf = (text: string) => Number.parseInt(digest(text), 16);
  let drawn: { id: string; order: number }[] = [];
  // Some will not do; they are drawn along.
  const most = 4 * sampleSize;
  const keepFirst = () => {
    drawn = drawn.sort((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1)).slice(0, most);
  };
  let seen = 0;
  for await (const { id } of store.documents()) {
    drawn.push({ id, order: numberOf(id) });
    if (drawn.length >= 4 * most) keepFirst();
    if (++seen === maxDocuments) break;
  }
  keepFirst();
  const clozes: Cloze[] = [];
  for (const { id, order } of drawn) {
    const wanted = Array.from({ length: maxOrdinals }, (_, ordinal) => chunkId(id, ordinal));
    const chunks = await store.get(wanted, { vectors: true });
    const chunk = chunks[order % Math.max(1, chunks.length)];
    const cloze = chunk && clozeOf(chunk, order);
    if (cloze !== undefined) clozes.push(cloze);
    if (clozes.length === sampleSize) break;
  }
  return clozes;
}

function clozeOf(chunk: Chunk, order: number): Cloze | undefined {
  const { id, title, heading, header, text, vector } = chunk;
  if (vector === undefined || text.length > maxText) return undefined;
  const whole = { start: 0, end: text.length };
  const cut = [...sentences(text, whole)];
  const all = cut.length > 1 ? cut : [...stopped(text)];
  const askable = all.filter(([from, to]) => {
    const { length } = text.slice(from, to).trim();
    return length >= minSentence && length <= maxSentence;
  });
  const picked = askable[(order >>> 8) % Math.max(1, askable.length)];
  if (picked === undefined || all.length < 2) return undefined;
  const [from, to] = picked;
  const rest = `${text.slice(0, from)} ${text.slice(to)}`.trim();
  if (rest.length < minSentence) return undefined;
  return { id, question: text.slice(from, to).trim(), answer: indexText(title, heading, rest, header) };
}

/** For texts in lower case, whose sentences the segmenter does not tell. */
function* stopped(text: string): Generator<[number, number]> {
  for (const { index, 0: part } of text.matchAll(/[^.!?]+(?:[.!?]+\s*|$)/g)) yield [index, index + part.length];
}

/** One over the place that the answer would have, the chunk that it was cut from left out; 0 beyond the list. */
function reciprocalRank(hits: readonly { id: string; score: number }[], id: string, score: number): number {
  const above = hits.filter((hit) => hit.id !== id && hit.score > score).length;
  return score > 0 && above < depth - 1 ? 1 / (above + 1) : 0;
}
