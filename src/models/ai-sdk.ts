import { coolDown, searchRetries } from '../core/cool-down.js';
import { throwIfAborted } from '../core/deadline.js';
import { SurmiseError } from '../core/errors.js';
import type { Embedder, Generator, Reranker } from '../core/ports.js';
import { type AiSdkEmbedderOptions, aiSdkEmbedder, vectorRequest } from './ai-sdk-embedder.js';
import { type AiSdkGeneratorOptions, aiSdkGenerator } from './ai-sdk-generator.js';
import { type AiSdkEmbeddingModel, type AiSdkLanguageModel, type AiSdkRerankingModel, nameOf } from './ai-sdk-model.js';
import { type AiSdkRerankerOptions, aiSdkReranker } from './ai-sdk-reranker.js';
import { providerError } from './provider-error.js';

export type { AiSdkProviderOptions } from './ai-sdk-model.js';
export type {
  AiSdkEmbedderOptions,
  AiSdkEmbeddingModel,
  AiSdkGeneratorOptions,
  AiSdkLanguageModel,
  AiSdkRerankerOptions,
  AiSdkRerankingModel,
};

/**
 * Any model of the AI SDK as one of Surmise's ports; the optional package `ai` (version 6) is loaded at the first call.
 *
 * A language model gives a `Generator`: n calls, a few at a time, each passage reported when it is there; what fails is
 * left out, and only when nothing is left the first failure is thrown. The model is asked for JSON, so that reasoning
 * gets into no passage; a provider that refuses that is asked in plain text from then on.
 *
 * An embedding model gives an `Embedder` of unit vectors. Its `dimensions` must be known here, since they belong to the
 * fingerprint; `probeAiSdk` asks the model for them. Blank texts are not sent and get the zero vector, lone surrogates
 * are sent as U+FFFD, a batch that the server finds too large (HTTP 413) is halved. A call is one request otherwise;
 * trying again, and several calls at a time, are up to those who embed: indexing and searching do both.
 *
 * Where the vectors of an answer bear no numbers (`index`), their order is taken on trust and tested: of the 1st, 2nd,
 * 4th, 8th … such answer with two vectors or more, one vector at an end and one between, chosen at random, are asked for
 * again, each alone. That is two requests each, about twenty for the first thousand answers. A server that changes the
 * order of all is found at once, one that changes little of it may not be: `batch: 1` is safe with every server.
 *
 * A reranking model gives a `Reranker`: one request for all texts; an answer that leaves one out is refused.
 *
 * @throws SurmiseError `bad_argument`; the calls: `provider_failed` (with the provider's error as `cause`; `retryable`
 *   where trying again may help), `timeout`, `aborted`, and `bad_argument` where `ai` is not installed
 */
export function fromAiSdk(model: AiSdkLanguageModel, options?: AiSdkGeneratorOptions): Generator;
export function fromAiSdk(model: AiSdkEmbeddingModel, options: AiSdkEmbedderOptions): Embedder;
export function fromAiSdk(model: AiSdkRerankingModel, options?: AiSdkRerankerOptions): Reranker;
export function fromAiSdk(
  model: AiSdkLanguageModel | AiSdkEmbeddingModel | AiSdkRerankingModel,
  options: AiSdkGeneratorOptions | AiSdkEmbedderOptions | AiSdkRerankerOptions = {},
): Generator | Embedder | Reranker {
  if (typeof model === 'object' && model !== null) {
    if ('doGenerate' in model) return aiSdkGenerator(model, options as AiSdkGeneratorOptions);
    if ('doEmbed' in model) return aiSdkEmbedder(model, options as AiSdkEmbedderOptions);
    if ('doRerank' in model) return aiSdkReranker(model, options as AiSdkRerankerOptions);
  }
  throw new SurmiseError(
    'bad_argument',
    'Pass a language, text embedding or reranking model object of the AI SDK, such as openai("…"), not a name.',
  );
}

/**
 * The embedder of a model whose dimensions are not known: one short text is embedded to learn them.
 *
 * @throws SurmiseError as `fromAiSdk` and its calls
 */
export async function probeAiSdk(
  model: AiSdkEmbeddingModel,
  options: Omit<AiSdkEmbedderOptions, 'dimensions'> & { readonly signal?: AbortSignal } = {},
): Promise<Embedder> {
  const { signal, ...rest } = options;
  const request = vectorRequest(model, rest);
  const ask = () =>
    request(['dimensions'], 'document', signal).catch((error: unknown) => {
      throwIfAborted(signal);
      throw providerError(nameOf(model), error);
    });
  const [vector] = await coolDown(searchRetries).run(ask, signal);
  if (vector === undefined || vector.length === 0)
    throw new SurmiseError('provider_failed', `${nameOf(model)} answered an empty vector.`);
  return fromAiSdk(model, { ...rest, dimensions: vector.length });
}
