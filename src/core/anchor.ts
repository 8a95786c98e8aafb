import type { Hypothesis } from './hypothesis.js';
import { averageEmbeddings, norm } from './vectors.js';

/**
 * How hypotheses join the question in the dense leg.
 *
 * `mix`: normalise(a · q + (1 − a) · normalise(mean(h))), a being the option `mix`.
 * `parity`: the plain mean of q and every h, as Gao et al. 2022 have it.
 * `concat`: the question, a blank line and the passage embedded as one text, the mean of these.
 * `hypothesis`: the mean of h without the question.
 */
export type Anchor = 'mix' | 'parity' | 'concat' | 'hypothesis';

export const anchors: readonly Anchor[] = ['mix', 'parity', 'concat', 'hypothesis'];

/** Of a hypothesis, what is embedded. */
export function anchoredText(anchor: Anchor, question: string, text: string): string {
  return anchor === 'concat' ? `${question}\n\n${text}` : text;
}

export interface CountedVector {
  readonly vector: Float32Array;
  /** What it counts beside the others, more than 0. */
  readonly count: number;
}

/**
 * What normalise(mean(h)) weighs beside the question's vector with weight 1; infinite where the question is left out.
 * The plain mean is such a sum, too: the mean of N vectors of length 1 is as long as they agree.
 *
 * @throws SurmiseError `bad_argument` for vectors of different lengths or with values that are not finite
 */
export function anchorWeight(anchor: Anchor, mix: number, vectors: readonly CountedVector[]): number {
  if (anchor === 'concat' || anchor === 'hypothesis') return Number.POSITIVE_INFINITY;
  if (anchor === 'mix') return (1 - mix) / mix;
  return vectors.length * norm(meanOf(vectors));
}

/** The weighted mean of the vectors, each brought to length 1 first; shorter than 1 where they differ. */
export function meanOf(vectors: readonly CountedVector[]): Float32Array {
  const weights = vectors.map(({ count }) => count);
  return averageEmbeddings(
    vectors.map(({ vector }) => vector),
    { weights, normalizeOutput: false },
  );
}

/** What a hypothesis counts: 1 where nothing better is said. Within bounds, so that sums and quotients stay numbers. */
export function countOf({ weight = 1 }: Hypothesis): number {
  return Number.isFinite(weight) && weight > 0 ? Math.min(1e100, Math.max(1e-100, weight)) : 1;
}
