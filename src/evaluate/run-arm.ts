import { isSurmiseError, messageOf, SurmiseError } from '../core/errors.js';
import type { Scored } from '../core/ports.js';
import type { Query } from './beir.js';

export interface RunArmOptions {
  /**
   * Queries that are documents themselves (`ownDocuments`); each one's own document is removed from its answer, so ask
   * for one more than is measured.
   */
  readonly own: ReadonlySet<string>;
  /** Questions at once, 1 or more. Default 4. */
  readonly concurrency?: number;
  /** No question is asked after it aborts; hand it to `ask` too, so that running ones end. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

/**
 * Asks every query and collects the answers, in the order of the queries whatever the order of the answers. A query
 * that fails ends the run with an error that names it: a run with holes would be measured as if it were complete.
 * Throws `aborted`; `bad_data` for two queries of one id; `bad_argument` for a bad concurrency; else what `ask` threw.
 */
export async function runArm(
  ask: (query: string, text: string) => Promise<readonly Scored[]>,
  queries: readonly Query[],
  options: RunArmOptions,
): Promise<Map<string, Scored[]>> {
  const { own, concurrency = 4, signal, onProgress } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new SurmiseError('bad_argument', `concurrency is ${concurrency}; give a whole number from 1.`);
  }
  const run = new Map<string, Scored[]>(queries.map(({ id }) => [id, []]));
  if (run.size < queries.length) throw new SurmiseError('bad_data', 'Two queries have the same id. Ids are unique.');
  let next = 0;
  let done = 0;
  let failed = false;
  const work = async () => {
    while (next < queries.length && !failed) {
      const { id, text } = queries[next++]!;
      try {
        if (signal?.aborted) throw cancelled();
        const answer = await ask(id, text);
        run.set(id, own.has(id) ? answer.filter((hit) => hit.id !== id) : [...answer]);
      } catch (error) {
        failed = true;
        throw signal?.aborted ? cancelled(error) : named(id, error);
      }
      onProgress?.({ done: ++done, total: queries.length });
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, queries.length) }, work));
  return run;
}

function cancelled(cause?: unknown): SurmiseError {
  return new SurmiseError('aborted', 'The evaluation was cancelled.', { cause });
}

function named(query: string, error: unknown): SurmiseError {
  const code = isSurmiseError(error) ? error.code : 'internal';
  return new SurmiseError(code, `Query '${query}': ${messageOf(error)}`, { cause: error });
}
