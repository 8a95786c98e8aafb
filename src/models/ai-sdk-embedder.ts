import { throwIfAborted, withDeadline } from '../core/deadline.js';
import { SurmiseError } from '../core/errors.js';
import type { Embedder, Role } from '../core/ports.js';
import { norm, normalize } from '../core/vectors.js';
import { type AiSdkEmbeddingModel, type AiSdkProviderOptions, loadAiSdk, nameOf } from './ai-sdk-model.js';
import { checkNames, checkWhole } from './check.js';
import { embeddingOrder } from './embedding-order.js';
import { inParallel } from './in-parallel.js';
import { httpStatus, providerError } from './provider-error.js';

export interface AiSdkEmbedderOptions {
  /** Length of the model's vectors, 1 to 65,536. It asks for nothing; a model's shorter form is set by `roleOptions`. */
  readonly dimensions: number;
  /** What the model wants before a text, by role. Part of the fingerprint. */
  readonly prefixes?: { readonly query: string; readonly document: string };
  /** Settings for the provider by role, such as Cohere's `inputType`, which otherwise takes everything for a query. */
  readonly roleOptions?: (role: Role) => AiSdkProviderOptions | undefined;
  /** Texts in one request, 1 to 2,048; the model's own limit also holds. Default 96. */
  readonly batch?: number;
  /** UTF-16 units of a text that are sent; the rest is left out. Default: all, as the provider deals with it. */
  readonly characters?: number;
  /** Requests at a time, 1 to 16. Default 2. */
  readonly concurrency?: number;
  /** Further attempts of a request that may succeed later (HTTP 408, 409, 429, 5xx, no connection), 0 to 2. Default 2. */
  readonly maxRetries?: number;
  /** For each request with its retries, in milliseconds, 1 to 600,000. Default 60,000. */
  readonly timeoutMs?: number;
}

const names = [
  'dimensions',
  'prefixes',
  'roleOptions',
  'batch',
  'characters',
  'concurrency',
  'maxRetries',
  'timeoutMs',
];
const loneSurrogate = /\p{Surrogate}/gu;

/** Batches cut here (the AI SDK sends all at once, and loses all with one); see `fromAiSdk`. */
export function aiSdkEmbedder(model: AiSdkEmbeddingModel, options: AiSdkEmbedderOptions): Embedder {
  checkNames('the AI SDK embedder', options, names);
  const dimensions = checkWhole('dimensions', options.dimensions, 1, 65_536);
  const characters = checkWhole(
    'characters',
    options.characters ?? Number.MAX_SAFE_INTEGER,
    1,
    Number.MAX_SAFE_INTEGER,
  );
  const concurrency = checkWhole('concurrency', options.concurrency ?? 2, 1, 16);
  const { prefixes } = options;
  const own = model.maxEmbeddingsPerCall;
  const asked = checkWhole('batch', options.batch ?? 96, 1, 2_048);
  const batch = typeof own === 'number' ? Math.max(1, Math.min(asked, own)) : asked;
  const request = vectorRequest(model, options);
  // Falls when a server takes less than we thought, and stays there.
  let size = batch;

  return {
    fingerprint: {
      provider: model.provider,
      model: model.modelId,
      dimensions,
      normalised: true,
      ...(prefixes === undefined ? {} : { prefixes }),
    },
    limits: { batch, ...(options.characters === undefined ? {} : { characters }) },
    async embed(texts, { role, signal }) {
      throwIfAborted(signal);
      const vectors: Float32Array[] = texts.map(() => new Float32Array(dimensions));
      // Providers refuse a whole batch for one blank text.
      const places = [...texts.keys()].filter((place) => texts[place]!.trim() !== '');
      const values = places.map((place) => (prefixes?.[role] ?? '') + wellFormed(texts[place]!, characters));
      size = Math.max(1, Math.min(size, (await own) ?? size));

      const fill = async (from: number, to: number): Promise<void> => {
        try {
          const answer = await request(values.slice(from, to), role, signal);
          answer.forEach((vector, i) => {
            vectors[places[from + i]!] = checked(nameOf(model), vector, dimensions);
          });
        } catch (error) {
          throwIfAborted(signal);
          if (httpStatus(error) !== 413 || to - from === 1) throw providerError(nameOf(model), error);
          const middle = from + Math.ceil((to - from) / 2);
          size = Math.min(size, middle - from);
          await fill(from, middle);
          await fill(middle, to);
        }
      };
      const step = size;
      await inParallel(Math.ceil(values.length / step), concurrency, (index) =>
        fill(index * step, Math.min(values.length, (index + 1) * step)),
      );
      return vectors;
    },
  };
}

/** One request: as many vectors as values, in their order, otherwise unchecked. Errors of the SDK come as they are. */
export function vectorRequest(
  model: AiSdkEmbeddingModel,
  options: Pick<AiSdkEmbedderOptions, 'roleOptions' | 'maxRetries' | 'timeoutMs'>,
): (values: string[], role: Role, signal: AbortSignal | undefined) => Promise<readonly (readonly number[])[]> {
  const maxRetries = checkWhole('maxRetries', options.maxRetries ?? 2, 0, 2);
  const timeoutMs = checkWhole('timeoutMs', options.timeoutMs ?? 60_000, 1, 600_000);
  const who = nameOf(model);
  return async (values, role, signal) => {
    const { embedMany } = await loadAiSdk();
    const providerOptions = options.roleOptions?.(role);
    const { embeddings, responses } = await withDeadline(who, timeoutMs, signal, async (abortSignal) =>
      embedMany({
        model,
        values,
        maxRetries,
        abortSignal,
        ...(providerOptions === undefined ? {} : { providerOptions }),
      }),
    );
    if (embeddings.length !== values.length)
      throw new SurmiseError(
        'provider_failed',
        `${who} answered ${embeddings.length} vectors for ${values.length} texts.`,
      );
    const bodies = (responses ?? []).map((response) => response?.body);
    const ordered: (readonly number[])[] = [];
    embeddingOrder(who, bodies, values.length).forEach((place, i) => {
      ordered[place] = embeddings[i]!;
    });
    return ordered;
  };
}

/** The vector with length 1. Zeros and infinities are a provider's faults that would spoil every later search. */
function checked(who: string, vector: readonly number[], dimensions: number): Float32Array {
  if (vector.length !== dimensions)
    throw new SurmiseError(
      'provider_failed',
      `${who} answered a vector of ${vector.length} dimensions where ${dimensions} were expected; set "dimensions" to what the model gives.`,
    );
  const length = norm(vector);
  if (!Number.isFinite(length) || length === 0)
    throw new SurmiseError(
      'provider_failed',
      `${who} answered a vector that is all zeros or not finite; it was refused.`,
    );
  return normalize(vector);
}

function wellFormed(text: string, characters: number): string {
  return text.slice(0, characters).replace(loneSurrogate, '\ufffd');
}
