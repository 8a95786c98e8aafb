import type { Generator } from './ports.js';

/** How many hypotheses the paper averages (Gao et al. 2022, appendix A.2), for those who compare with it. */
export const paperHypotheses = 8;

/**
 * How many hypotheses to ask for where the caller names no number: one of a model on this machine, which writes them one
 * after the other, else three. One brings most of the gain.
 */
export function defaultHypotheses({ size = 'hosted' }: Pick<Generator, 'size'>): number {
  return size === 'local' ? 1 : 3;
}
