import type { StoreInfo } from './ports.js';

/** Chunks of one language that make it that of the index. */
const mostly = 0.8;
/** ISO 639 for what was not recognised. */
const undetermined = 'und';

/**
 * The language of an index, so that hypotheses share words with its documents whatever the question's language is;
 * `undefined` where several are spoken.
 */
export function indexLanguage({ languages, chunks }: Pick<StoreInfo, 'languages' | 'chunks'>): string | undefined {
  const largest = Object.entries(languages).sort((a, b) => b[1] - a[1])[0];
  if (largest === undefined || largest[0] === undetermined) return undefined;
  return largest[1] >= mostly * chunks ? largest[0] : undefined;
}
