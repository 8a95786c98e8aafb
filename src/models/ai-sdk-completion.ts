import { maxRawLength } from '../core/generations.js';
import { unwrapJson } from '../core/hypothesis-json.js';
import type { Prompt } from '../core/ports.js';
import { type AiSdkLanguageModel, type AiSdkOutput, type AiSdkProviderOptions, loadAiSdk } from './ai-sdk-model.js';
import { field, httpStatus } from './provider-error.js';

/** What every call of a generator sends. */
export interface CompletionSettings {
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  readonly providerOptions?: AiSdkProviderOptions;
}

/** What is asked for beyond that, as long as the provider takes it. */
export interface CompletionExtras {
  readonly structured: boolean;
  readonly temperature: number;
}

export interface Completion {
  readonly text: string;
  readonly finishReason: string;
}

export type Complete = (
  prompt: Prompt,
  maxTokens: number,
  extras: CompletionExtras,
  signal: AbortSignal,
) => Promise<Completion>;

const schema = {
  type: 'object',
  properties: { passage: { type: 'string' } },
  required: ['passage'],
  additionalProperties: false,
} as const;
/** Providers that know no schema want to read the word; the others do no worse with it. */
const jsonRule = 'Answer with one JSON object of this form, and nothing else: {"passage": "…"}';
/** HTTP: the request is at fault, not the model, the credentials or the load. */
const refusals = new Set([400, 415, 422, 501]);

/**
 * One answer of a model. It is first asked for JSON with the passage as its only value, where reasoning has no place. A
 * provider that refuses such a request, or answers nothing to it, is asked once more in the plainest way, and if it
 * answers then, in no other way from then on. An answer that is not the JSON asked for comes back as it is.
 */
export function completions(model: AiSdkLanguageModel, settings: CompletionSettings): Complete {
  let plain = false;
  const { temperature, stopSequences, ...shared } = settings;

  const ask = async (prompt: Prompt, maxOutputTokens: number, abortSignal: AbortSignal, extras?: CompletionExtras) => {
    const { generateText, Output, jsonSchema, wrapLanguageModel } = await loadAiSdk();
    const output = (): AiSdkOutput => {
      const asked =
        model.supportsStructuredOutputs === false ? Output.json() : Output.object({ schema: jsonSchema(schema) });
      // Read here, so that an answer in another form is not lost.
      return { ...asked, parseCompleteOutput: async ({ text }) => text };
    };
    const structured = extras?.structured === true;
    const warmth = temperature ?? extras?.temperature;
    const { text, finishReason } = await generateText({
      model: wrapLanguageModel({ model, middleware: quiet }),
      system: structured ? `${prompt.system}\n${jsonRule}` : prompt.system,
      prompt: prompt.user,
      maxOutputTokens,
      abortSignal,
      maxRetries: 0,
      ...shared,
      ...(warmth !== undefined && { temperature: warmth }),
      ...(stopSequences !== undefined && { stopSequences: [...stopSequences] }),
      ...(structured && { output: output() }),
    });
    return { text: structured ? passageIn(text) : text, finishReason };
  };

  return async (prompt, maxTokens, extras, signal) => {
    if (!plain)
      try {
        const answer = await ask(prompt, maxTokens, signal, extras);
        if (answer.text.trim() !== '' || answer.finishReason === 'length') return answer;
      } catch (error) {
        if (!isRefused(error)) throw error;
      }
    const answer = await ask(prompt, maxTokens, signal);
    if (answer.text.trim() !== '') plain = true;
    return answer;
  };
}

/** Out of an answer that is JSON from its beginning; what stands behind reasoning is left to cleaning. */
function passageIn(text: string): string {
  const answer = text.trim();
  // What is too long for a passage is not worth the time that reading it takes.
  const unwrapped = answer.startsWith('{') && answer.length <= maxRawLength ? unwrapJson(answer) : 'cut off';
  return unwrapped === 'cut off' ? text : unwrapped.text;
}

function isRefused(error: unknown): boolean {
  const status = httpStatus(error);
  return status === undefined ? field(error, 'name') === 'AI_UnsupportedFunctionalityError' : refusals.has(status);
}

/** The SDK prints warnings of settings that a model ignores to standard output, which is not ours to write to. */
const quiet = {
  specificationVersion: 'v3',
  wrapGenerate: async ({ doGenerate }: { readonly doGenerate: () => PromiseLike<object> }) => ({
    ...(await doGenerate()),
    warnings: [],
  }),
};
