/** Milliseconds for one look at a file, on average, from which on a disk is slow: a network's, say. */
const slowMs = 1;
/** How much the last look counts in the average. */
const lastShare = 0.03;

/**
 * Whether a disk is worth waiting for: as long as it is quick, files are best looked at one after another, without giving
 * others their turn; from a slow one many are better asked for side by side.
 */
export interface DiskPace {
  readonly quick: boolean;
  /** Does the work and takes its time into account. */
  timed<T>(work: () => T): T;
}

export function diskPace(): DiskPace {
  let average = 0;
  return {
    get quick() {
      return average < slowMs;
    },
    timed(work) {
      const from = performance.now();
      try {
        return work();
      } finally {
        average += (performance.now() - from - average) * lastShare;
      }
    },
  };
}
