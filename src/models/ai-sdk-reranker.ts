import { throwIfAborted, withDeadline } from '../core/deadline.js';
import { SurmiseError } from '../core/errors.js';
import type { Reranker } from '../core/ports.js';
import { type AiSdkProviderOptions, type AiSdkRerankingModel, loadAiSdk, nameOf } from './ai-sdk-model.js';
import { checkNames, checkWhole } from './check.js';
import { providerError } from './provider-error.js';

export interface AiSdkRerankerOptions {
  /** Identity of the scores, for people and caches. Default `provider/model`; name one where other settings change it. */
  readonly id?: string;
  /** For each call, in milliseconds, 1 to 600,000. Default 60,000; a search waits no longer than its own deadline. */
  readonly timeoutMs?: number;
  readonly providerOptions?: AiSdkProviderOptions;
}

/** One request for each call, which is not tried again here: core does that. See `fromAiSdk`. */
export function aiSdkReranker(model: AiSdkRerankingModel, options: AiSdkRerankerOptions): Reranker {
  checkNames('the AI SDK reranker', options, ['id', 'timeoutMs', 'providerOptions']);
  const { providerOptions } = options;
  const timeoutMs = checkWhole('timeoutMs', options.timeoutMs ?? 60_000, 1, 600_000);
  const who = nameOf(model);

  return {
    id: options.id ?? who,
    async rerank(query, texts, { signal }) {
      throwIfAborted(signal);
      if (texts.length === 0) return [];
      const { rerank } = await loadAiSdk();
      const call = async (abortSignal: AbortSignal) =>
        rerank({
          model,
          query,
          documents: [...texts],
          // Some servers give the best few only where nothing is said.
          topN: texts.length,
          maxRetries: 0,
          abortSignal,
          ...(providerOptions === undefined ? {} : { providerOptions }),
        });
      try {
        const { ranking } = await withDeadline(who, timeoutMs, signal, call);
        return scoresOf(who, ranking, texts.length);
      } catch (error) {
        throwIfAborted(signal);
        throw providerError(who, error);
      }
    },
  };
}

/** The scores in the order of the texts, of a ranking that names each once. */
function scoresOf(
  who: string,
  ranking: readonly { readonly originalIndex: number; readonly score: number }[],
  count: number,
): number[] {
  const scores = new Map(ranking.map(({ originalIndex, score }) => [originalIndex, score]));
  const all = Array.from({ length: count }, (_, index) => scores.get(index));
  if (ranking.length === count && all.every((score) => score !== undefined)) return all;
  throw new SurmiseError(
    'provider_failed',
    `${who} answered ${ranking.length} scores, of ${scores.size} different texts, for ${count} texts.`,
  );
}
