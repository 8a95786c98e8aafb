import { coolDown, searchRetries } from './cool-down.js';
import { withDeadline } from './deadline.js';
import { isSurmiseError, messageOf, SurmiseError } from './errors.js';
import { byScore, type Fused } from './fusion.js';
import { indexText } from './index-text.js';
import type { Chunk, Reranker } from './ports.js';
import { toWellFormed } from './well-formed.js';

/** How many passages a reranker reads, whatever k is. */
export const rerankDepth = 50;
/** UTF-16 units of a passage that are sent; models read less than that. */
const maxPassage = 20_000;

export interface RerankCall {
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
}

/**
 * One score for each chunk by a reranker, which reads the question as it was asked and what is indexed of each chunk.
 * What may pass is tried again within the deadline, a few times and quickly.
 *
 * @throws SurmiseError `provider_failed` where it fails or gives anything but as many finite numbers; `timeout`,
 *   `aborted`
 */
export async function rerankScores(
  reranker: Reranker,
  question: string,
  chunks: readonly Chunk[],
  { deadlineMs, signal }: RerankCall,
): Promise<readonly number[]> {
  if (chunks.length === 0) return [];
  const who = `The reranker ${String(reranker.id)}`;
  const texts = chunks.map(({ title, heading, text, header }) =>
    toWellFormed(indexText(title, heading, text, header).slice(0, maxPassage)),
  );
  const calls = coolDown(searchRetries);
  return withDeadline(who, Math.max(1, Math.round(deadlineMs)), signal, (inner) =>
    // Foreign code may change the list that it is given.
    calls.run(async () => checked(who, await ask(who, reranker, question, [...texts], inner), chunks.length), inner),
  );
}

async function ask(who: string, reranker: Reranker, question: string, texts: readonly string[], signal: AbortSignal) {
  try {
    return await reranker.rerank(question, texts, { signal });
  } catch (error) {
    if (isSurmiseError(error)) throw error;
    throw new SurmiseError('provider_failed', `${who} failed: ${messageOf(error)}`, { cause: error });
  }
}

function checked(who: string, answer: unknown, count: number): readonly number[] {
  const unusable = (what: string) => new SurmiseError('provider_failed', `${who} answered ${what}.`);
  if (!Array.isArray(answer)) throw unusable(`no list of scores for ${count} texts`);
  if (answer.length !== count) throw unusable(`${answer.length} scores for ${count} texts`);
  // A copy without holes, which `every` would pass over.
  const scores: unknown[] = Array.from(answer);
  if (!scores.every((score): score is number => Number.isFinite(score)))
    throw unusable('a score that is not a finite number');
  return scores;
}

/**
 * The list with the reranked ones first, in the order of the reranker's scores, then of their ids. Their score is the
 * reranker's where all of those lie in 0 … 1, else 1/(1 + e^−score), as models that give logits mean it. The others
 * follow in the order they had; theirs is a share of the lowest reranked one, so that one scale holds for the list.
 */
export function applyRerank(list: readonly Fused[], scores: ReadonlyMap<string, number>): Fused[] {
  const raw = [...scores.values()];
  const isShare = raw.every((score) => score >= 0 && score <= 1);
  const shown = (score: number) => (isShare ? score : 1 / (1 + Math.exp(-score)));
  const lowest = shown(raw.reduce((min, score) => Math.min(min, score), Number.POSITIVE_INFINITY));
  const read = list.filter(({ id }) => scores.has(id));
  const unread = list.filter(({ id }) => !scores.has(id));
  return [
    ...read
      .map((hit) => ({ id: hit.id, score: scores.get(hit.id)!, hit }))
      // By the score itself: what is shown of large ones is the same.
      .sort(byScore)
      .map(({ score, hit }) => ({ ...hit, score: shown(score) })),
    ...unread.map((hit) => ({ ...hit, score: lowest * hit.score })),
  ];
}
