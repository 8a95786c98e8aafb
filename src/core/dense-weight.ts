import { fingerprintKey } from './fingerprint.js';
import type { LegBalance, StoreInfo } from './ports.js';

/** Where nothing has been measured. */
const defaultWeight = 0.5;

/** The share of the dense leg in a hybrid list, and where it is from. */
export interface DenseWeight {
  /** 0 to 1. */
  readonly share: number;
  readonly from: 'given' | 'measured' | 'default';
}

/** What the caller says, else what was measured in this index with this embedder, else a half. */
export function denseWeight(given: number | undefined, { legBalance, fingerprint }: StoreInfo): DenseWeight {
  if (given !== undefined) return { share: given, from: 'given' };
  if (legBalance === undefined || fingerprint === undefined || legBalance.embedder !== fingerprintKey(fingerprint))
    return { share: defaultWeight, from: 'default' };
  return { share: legBalance.denseWeight, from: 'measured' };
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
