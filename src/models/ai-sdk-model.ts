import { SurmiseError } from '../core/errors.js';
import type { Json } from '../core/ports.js';

/** A language model of the AI SDK (specification v2 or later), as `openai('…')` and its like return it. */
export interface AiSdkLanguageModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  /** False for a model that takes no schema; some providers say it. */
  readonly supportsStructuredOutputs?: boolean;
  doGenerate(options: never): PromiseLike<unknown>;
}

/** A text embedding model of the AI SDK, as `openai.textEmbeddingModel('…')` and its like return it. */
export interface AiSdkEmbeddingModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  readonly maxEmbeddingsPerCall: PromiseLike<number | undefined> | number | undefined;
  doEmbed(options: never): PromiseLike<unknown>;
}

/** A reranking model of the AI SDK, as `cohere.reranking('…')` and its like return it. */
export interface AiSdkRerankingModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doRerank(options: never): PromiseLike<unknown>;
}

/** Settings for one provider under its name, as the AI SDK passes them on. */
export type AiSdkProviderOptions = Readonly<Record<string, Readonly<Record<string, Json>>>>;

interface SharedSettings {
  readonly maxRetries: number;
  readonly abortSignal: AbortSignal;
  readonly providerOptions?: AiSdkProviderOptions;
}

/** The form of an answer, and how the SDK reads it. */
export interface AiSdkOutput {
  parseCompleteOutput(answer: { readonly text: string }): PromiseLike<unknown>;
}

/** What Surmise uses of the package `ai`, described here so that our types need it no more than our code does. */
interface AiSdk {
  generateText(
    settings: SharedSettings & {
      readonly model: AiSdkLanguageModel;
      readonly system: string;
      readonly prompt: string;
      readonly maxOutputTokens: number;
      readonly temperature?: number;
      readonly stopSequences?: string[];
      readonly output?: AiSdkOutput;
    },
  ): PromiseLike<{ readonly text: string; readonly finishReason: string }>;
  readonly Output: { object(settings: { readonly schema: unknown }): AiSdkOutput; json(): AiSdkOutput };
  jsonSchema(schema: Json): unknown;
  wrapLanguageModel(settings: { readonly model: AiSdkLanguageModel; readonly middleware: unknown }): AiSdkLanguageModel;
  embedMany(
    settings: SharedSettings & { readonly model: AiSdkEmbeddingModel; readonly values: string[] },
  ): PromiseLike<{
    readonly embeddings: readonly (readonly number[])[];
    readonly responses?: readonly ({ readonly body?: unknown } | undefined)[] | undefined;
  }>;
  rerank(
    settings: SharedSettings & {
      readonly model: AiSdkRerankingModel;
      readonly query: string;
      readonly documents: string[];
      readonly topN: number;
    },
  ): PromiseLike<{ readonly ranking: readonly { readonly originalIndex: number; readonly score: number }[] }>;
}

/**
 * The optional package `ai`, loaded at the first call.
 *
 * @throws SurmiseError `bad_argument` where it is not installed
 */
export async function loadAiSdk(): Promise<AiSdk> {
  try {
    return (await import('ai')) as unknown as AiSdk;
  } catch (error) {
    throw new SurmiseError('bad_argument', 'AI SDK models need the package "ai"; install it with: npm install ai@6', {
      cause: error,
    });
  }
}

/** `provider/model`, for people and for identity. */
export function nameOf(model: AiSdkLanguageModel | AiSdkEmbeddingModel | AiSdkRerankingModel): string {
  return `${model.provider}/${model.modelId}`;
}
