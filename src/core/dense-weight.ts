import { fingerprintKey } from './fingerprint.js';
import type { LegBalance, StoreInfo, TermCount, WeightedTerm } from './ports.js';

/** Where nothing has been measured. */
const defaultWeight = 0.5;

/** The share of the dense leg in a hybrid list, and where it is from. */
export interface DenseWeight {
  /** 0 to 1. */
  readonly share: number;
  /** What the lexical leg keeps of the rest, 0 to 1: what it knows of the query, see `knownShare`. */
  readonly known: number;
  readonly from: 'given' | 'measured' | 'default';
}

/**
 * What the caller says, else what was measured in this index with this embedder, else a half. Where the caller leaves it
 * open, words that are in no chunk, as in a question of another language, take their part from the lexical leg.
 */
export function denseWeight(
  given: number | undefined,
  { legBalance, fingerprint }: StoreInfo,
  known: number,
): DenseWeight {
  if (given !== undefined) return { share: given, known: 1, from: 'given' };
  const measured =
    legBalance !== undefined && fingerprint !== undefined && legBalance.embedder === fingerprintKey(fingerprint);
  return { share: measured ? legBalance.denseWeight : defaultWeight, known, from: measured ? 'measured' : 'default' };
}

/**
 * By weight, the part of a query's terms that are in the index, 0 to 1: of the question's own terms some may not be.
 *
 * @param asked the question's own, with how many chunks hold each
 */
export function knownShare(query: readonly WeightedTerm[], asked: readonly TermCount[]): number {
  const unknown = new Set(asked.filter(({ chunks }) => chunks === 0).map(({ term }) => term));
  const sum = (terms: readonly WeightedTerm[]) => terms.reduce((total, { weight }) => total + weight, 0);
  const all = sum(query);
  return all > 0 ? sum(query.filter(({ term }) => !unknown.has(term))) / all : 1;
}

/**
 * The share that follows from ratio = dense / (dense + lexical) of the legs' reciprocal ranks: .1 up to .36, .5 at .45,
 * .6 at .48, .7 from .57, straight lines between. Even a leg that finds little orders what the other leaves equal, so .1 is never
 * worse than 0. For scores scaled over all chunks; over a pool, where they are spread wider, it would be less.
 */
export function denseWeightOf(ratio: number): number {
  const at = (from: number, to: number) => Math.min(1, Math.max(0, (ratio - from) / (to - from)));
  return 0.1 + 0.4 * at(0.36, 0.45) + 0.1 * at(0.45, 0.48) + 0.1 * at(0.48, 0.57);
}

/** Whether what was measured is still of this index: same embedder, less than twice and more than half of the chunks. */
export function isCurrent(balance: LegBalance | undefined, { chunks, fingerprint }: StoreInfo): boolean {
  return (
    balance !== undefined &&
    fingerprint !== undefined &&
    balance.embedder === fingerprintKey(fingerprint) &&
    chunks < 2 * balance.chunks &&
    2 * chunks > balance.chunks
  );
}
