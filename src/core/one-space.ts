import { SurmiseError } from './errors.js';
import { fingerprintKey } from './fingerprint.js';
import type { Fingerprint } from './ports.js';
import type { SearchRun } from './run.js';

/** New vectors take the place of the old ones once in a long while; more than this in one search is no accident. */
const maxAttempts = 3;

/**
 * The steps of a search, all of them of the vectors of one embedder: when those of the index were replaced since the search
 * was begun, what was found with them is thrown away and the search is begun again.
 *
 * @throws what `start` and `steps` throw; SurmiseError `index_busy` where the vectors are replaced again and again
 */
export async function* inOneSpace<T>(
  start: () => Promise<SearchRun>,
  steps: (run: SearchRun) => AsyncIterable<T>,
): AsyncGenerator<T, void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const run = await start();
    let isOld = false;
    try {
      for await (const step of steps(run)) {
        isOld = await isReplaced(run);
        if (isOld) break;
        yield step;
      }
    } catch (error) {
      // Vectors of two lengths do not add up.
      isOld = await isReplaced(run).catch(() => false);
      if (!isOld) throw error;
    }
    if (!isOld) return;
  }
  throw new SurmiseError('index_busy', 'The vectors of the index were replaced again and again. Search again.', {
    retryable: true,
  });
}

async function isReplaced({ mode, store, info }: SearchRun): Promise<boolean> {
  if (mode === 'lexical') return false;
  return keyOf((await store.info()).fingerprint) !== keyOf(info.fingerprint);
}

function keyOf(fingerprint: Fingerprint | undefined): string {
  return fingerprint === undefined ? '' : fingerprintKey(fingerprint);
}
