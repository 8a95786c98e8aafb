import { throwIfAborted, withDeadline } from '../core/deadline.js';
import { SurmiseError } from '../core/errors.js';
import { inParallel } from '../core/in-parallel.js';
import type { Generation, Generator } from '../core/ports.js';
import { type AiSdkLanguageModel, type AiSdkProviderOptions, loadAiSdk, nameOf } from './ai-sdk-model.js';
import { checkNames, checkWhole } from './check.js';
import { providerError } from './provider-error.js';

export interface AiSdkGeneratorOptions {
  /** Identity of what is generated, for caches. Default `provider/model`; name one where other settings change it. */
  readonly id?: string;
  /** 0 to 2. Default: the provider's own. With 0 the n passages are mostly alike. */
  readonly temperature?: number;
  /** Upper limit of a passage where the caller sets none, 1 to 100,000. Default 1,024. */
  readonly maxTokens?: number;
  /** Further attempts of a call that may succeed later (HTTP 408, 409, 429, 5xx, no connection), 0 to 2. Default 2. */
  readonly maxRetries?: number;
  /** Calls at a time, 1 to 32. Default 4. */
  readonly concurrency?: number;
  /** For each call with its retries, in milliseconds, 1 to 600,000. Default 60,000. */
  readonly timeoutMs?: number;
  readonly providerOptions?: AiSdkProviderOptions;
}

const names = ['id', 'temperature', 'maxTokens', 'maxRetries', 'concurrency', 'timeoutMs', 'providerOptions'];

/** One call for each of the n passages (the AI SDK has no `n`), a few at a time; see `fromAiSdk`. */
export function aiSdkGenerator(model: AiSdkLanguageModel, options: AiSdkGeneratorOptions): Generator {
  checkNames('the AI SDK generator', options, names);
  const { temperature, providerOptions } = options;
  if (temperature !== undefined && !(temperature >= 0 && temperature <= 2))
    throw new SurmiseError('bad_argument', '"temperature" must be a number from 0 to 2.');
  const maxTokens = checkWhole('maxTokens', options.maxTokens ?? 1_024, 1, 100_000);
  const maxRetries = checkWhole('maxRetries', options.maxRetries ?? 2, 0, 2);
  const concurrency = checkWhole('concurrency', options.concurrency ?? 4, 1, 32);
  const timeoutMs = checkWhole('timeoutMs', options.timeoutMs ?? 60_000, 1, 600_000);
  const who = nameOf(model);

  return {
    id: options.id ?? who,
    async generate(prompt, { n, maxTokens: wanted, signal, onGeneration }) {
      checkWhole('n', n, 1, 32);
      throwIfAborted(signal);
      const { generateText } = await loadAiSdk();
      const call = async (abortSignal: AbortSignal): Promise<string> => {
        const { text, finishReason } = await generateText({
          model,
          system: prompt.system,
          prompt: prompt.user,
          maxOutputTokens: wanted ?? maxTokens,
          maxRetries,
          abortSignal,
          ...(temperature === undefined ? {} : { temperature }),
          ...(providerOptions === undefined ? {} : { providerOptions }),
        });
        if (text.trim() !== '') return text;
        const hint = finishReason === 'length' ? '; raise maxTokens, it was used up before the answer began' : '';
        throw new SurmiseError('provider_failed', `${who} answered without text (${finishReason})${hint}.`);
      };

      const failures: SurmiseError[] = [];
      const answers = await inParallel(n, concurrency, async (): Promise<Generation | undefined> => {
        let text: string;
        try {
          text = await withDeadline(who, timeoutMs, signal, call);
        } catch (error) {
          throwIfAborted(signal);
          failures.push(providerError(who, error));
          return undefined;
        }
        onGeneration?.({ text });
        return { text };
      });
      const generations = answers.filter((answer) => answer !== undefined);
      if (generations.length === 0) throw failures[0]!;
      return generations;
    },
  };
}
