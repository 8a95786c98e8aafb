import { coolDown, searchRetries } from '../core/cool-down.js';
import { throwIfAborted, withDeadline } from '../core/deadline.js';
import { SurmiseError } from '../core/errors.js';
import { inParallel } from '../core/in-parallel.js';
import type { Generation, Generator } from '../core/ports.js';
import { type Completion, completions } from './ai-sdk-completion.js';
import { type AiSdkLanguageModel, type AiSdkProviderOptions, nameOf } from './ai-sdk-model.js';
import { checkNames, checkWhole } from './check.js';
import { providerError } from './provider-error.js';

export interface AiSdkGeneratorOptions {
  /** Identity of what is generated, for caches. Default `provider/model`; name one where other settings change it. */
  readonly id?: string;
  /** Where the model runs; a `local` one is asked for fewer passages by default. Default `hosted`. */
  readonly size?: 'local' | 'hosted';
  /** 0 to 2. Default 0 for one passage, else 0.7, as in Gao et al. 2022; with 0 the n passages are mostly alike. */
  readonly temperature?: number;
  /** Upper limit of a passage where the caller sets none, 1 to 100,000. Default 1,024. */
  readonly maxTokens?: number;
  /** At most 4 texts at which the model stops, such as `<|im_end|>` for a server that does not know its template. */
  readonly stopSequences?: readonly string[];
  /** Whether JSON is asked for, so that reasoning does not get into the passage. Default true. */
  readonly structured?: boolean;
  /**
   * Further attempts of a call that may succeed later (HTTP 408, 409, 429, 5xx, no connection), 0 to 2. Default 2. They
   * follow within a second, or when the provider asks for them: who waits for an answer learns soon that there is none.
   */
  readonly maxRetries?: number;
  /** Calls at a time, 1 to 32. Default 4. */
  readonly concurrency?: number;
  /** For each call with its retries, in milliseconds, 1 to 600,000. Default 60,000. */
  readonly timeoutMs?: number;
  readonly providerOptions?: AiSdkProviderOptions;
}

const names = [
  'id',
  'size',
  'temperature',
  'maxTokens',
  'stopSequences',
  'structured',
  'maxRetries',
  'concurrency',
  'timeoutMs',
  'providerOptions',
];
const diverse = 0.7;

/** One call for each of the n passages (the AI SDK has no `n`), a few at a time; see `fromAiSdk`. */
export function aiSdkGenerator(model: AiSdkLanguageModel, options: AiSdkGeneratorOptions): Generator {
  checkNames('the AI SDK generator', options, names);
  const { temperature, providerOptions, stopSequences, structured = true, size = 'hosted' } = options;
  if (temperature !== undefined && !(temperature >= 0 && temperature <= 2))
    throw new SurmiseError('bad_argument', '"temperature" must be a number from 0 to 2.');
  if (size !== 'local' && size !== 'hosted')
    throw new SurmiseError('bad_argument', '"size" must be "local" or "hosted".');
  if (typeof structured !== 'boolean') throw new SurmiseError('bad_argument', '"structured" must be true or false.');
  if (stopSequences !== undefined && !areStops(stopSequences))
    throw new SurmiseError('bad_argument', '"stopSequences" must be a list of 1 to 4 strings that are not empty.');
  const maxTokens = checkWhole('maxTokens', options.maxTokens ?? 1_024, 1, 100_000);
  const maxRetries = checkWhole('maxRetries', options.maxRetries ?? 2, 0, 2);
  const concurrency = checkWhole('concurrency', options.concurrency ?? 4, 1, 32);
  const timeoutMs = checkWhole('timeoutMs', options.timeoutMs ?? 60_000, 1, 600_000);
  const who = nameOf(model);
  const complete = completions(model, {
    ...(temperature !== undefined && { temperature }),
    ...(stopSequences !== undefined && { stopSequences }),
    ...(providerOptions !== undefined && { providerOptions }),
  });

  return {
    id: options.id ?? who,
    size,
    async generate(prompt, { n, maxTokens: wanted, signal, onGeneration }) {
      checkWhole('n', n, 1, 32);
      throwIfAborted(signal);
      const extras = { structured, temperature: n === 1 ? 0 : diverse };
      const failures: SurmiseError[] = [];
      const attempts = coolDown({ ...searchRetries, attempts: 1 + maxRetries, totalMs: timeoutMs });
      const answer = async (inner: AbortSignal) => {
        try {
          return await complete(prompt, wanted ?? maxTokens, extras, inner);
        } catch (error) {
          throw providerError(who, error);
        }
      };
      const answers = await inParallel(n, concurrency, async (): Promise<Generation | undefined> => {
        let text: string;
        try {
          const call = (inner: AbortSignal) => attempts.run(() => answer(inner), inner);
          text = answerOf(who, await withDeadline(who, timeoutMs, signal, call));
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

function answerOf(who: string, { text, finishReason }: Completion): string {
  if (text.trim() !== '') return text;
  const hint = finishReason === 'length' ? '; raise maxTokens, it was used up before the answer began' : '';
  throw new SurmiseError('provider_failed', `${who} answered without text (${finishReason})${hint}.`);
}

function areStops(stops: readonly string[]): boolean {
  return (
    Array.isArray(stops) &&
    stops.length > 0 &&
    stops.length <= 4 &&
    stops.every((stop) => typeof stop === 'string' && stop !== '')
  );
}
