import { throwIfAborted, withDeadline } from '../core/deadline.js';
import { SurmiseError } from '../core/errors.js';
import type { Embedder, Role } from '../core/ports.js';
import { norm, normalize } from '../core/vectors.js';
import { toWellFormed } from '../core/well-formed.js';
import { type AiSdkEmbeddingModel, type AiSdkProviderOptions, loadAiSdk, nameOf } from './ai-sdk-model.js';
import { checkNames, checkWhole } from './check.js';
import { checkSample, embeddingOrder, samplePlaces } from './embedding-order.js';
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
  /** Tokens of all texts in one request, 1 to 10,000,000. Default 100,000, which the usual providers take. */
  readonly callTokens?: number;
  /** UTF-8 bytes of all texts in one request, 1 to 1,000,000,000. Default 800,000, which the usual web servers take. */
  readonly callBytes?: number;
  /** Requests at a time, 1 to 16. Default 2. */
  readonly concurrency?: number;
  /** For each request, in milliseconds, 1 to 600,000. Default 60,000. */
  readonly timeoutMs?: number;
  /** What a million tokens cost, for estimates. */
  readonly price?: { readonly perMillionTokens: number; readonly currency: string };
}

const names = [
  'dimensions',
  'prefixes',
  'roleOptions',
  'batch',
  'characters',
  'callTokens',
  'callBytes',
  'concurrency',
  'timeoutMs',
  'price',
];

/** See `fromAiSdk`. */
export function aiSdkEmbedder(model: AiSdkEmbeddingModel, options: AiSdkEmbedderOptions): Embedder {
  checkNames('the AI SDK embedder', options, names);
  const dimensions = checkWhole('dimensions', options.dimensions, 1, 65_536);
  const characters = checkWhole(
    'characters',
    options.characters ?? Number.MAX_SAFE_INTEGER,
    1,
    Number.MAX_SAFE_INTEGER,
  );
  const callTokens = checkWhole('callTokens', options.callTokens ?? 100_000, 1, 10_000_000);
  const callBytes = checkWhole('callBytes', options.callBytes ?? 800_000, 1, 1_000_000_000);
  const concurrency = checkWhole('concurrency', options.concurrency ?? 2, 1, 16);
  const { prefixes, price } = options;
  if (price !== undefined) checkPrice(price);
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
    limits: {
      batch,
      callTokens,
      callBytes,
      concurrency,
      ...(options.characters === undefined ? {} : { characters }),
    },
    ...(price === undefined ? {} : { price }),
    async embed(texts, { role, signal }) {
      throwIfAborted(signal);
      const vectors: Float32Array[] = texts.map(() => new Float32Array(dimensions));
      // Providers refuse a whole batch for one blank text.
      const places = [...texts.keys()].filter((place) => texts[place]!.trim() !== '');
      const values = places.map((place) => (prefixes?.[role] ?? '') + toWellFormed(texts[place]!.slice(0, characters)));
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
      for (let from = 0; from < values.length; ) {
        const to = Math.min(values.length, from + size);
        await fill(from, to);
        from = to;
      }
      return vectors;
    },
  };
}

type VectorRequest = (
  values: string[],
  role: Role,
  signal: AbortSignal | undefined,
) => Promise<readonly (readonly number[])[]>;

/** One request: as many vectors as values, in their order, otherwise unchecked. Errors of the SDK come as they are. */
export function vectorRequest(
  model: AiSdkEmbeddingModel,
  options: Pick<AiSdkEmbedderOptions, 'roleOptions' | 'timeoutMs'>,
): VectorRequest {
  const timeoutMs = checkWhole('timeoutMs', options.timeoutMs ?? 60_000, 1, 600_000);
  const who = nameOf(model);
  // Answers of several vectors without numbers that came in order, as far as is known.
  let unnumbered = 0;

  const ask = async (values: string[], role: Role, signal: AbortSignal | undefined) => {
    const { embedMany } = await loadAiSdk();
    const providerOptions = options.roleOptions?.(role);
    const { embeddings, responses } = await withDeadline(who, timeoutMs, signal, async (abortSignal) =>
      embedMany({
        model,
        values,
        // Core tries again, since it knows of the other calls.
        maxRetries: 0,
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
    const { places, numbered } = embeddingOrder(who, bodies, values.length);
    const vectors: (readonly number[])[] = [];
    places.forEach((place, i) => {
      vectors[place] = embeddings[i]!;
    });
    return { vectors, numbered };
  };

  return async (values, role, signal) => {
    const { vectors, numbered } = await ask(values, role, signal);
    if (numbered || values.length < 2) return vectors;
    const nth = unnumbered + 1;
    // The first, second, fourth, eighth …: also a server that changes its ways is found out, at little cost.
    if (Number.isInteger(Math.log2(nth)))
      for (const at of samplePlaces(values.length)) {
        const again = await ask([values[at]!], role, signal);
        checkSample(who, vectors, at, again.vectors[0]!);
      }
    unnumbered = Math.max(unnumbered, nth);
    return vectors;
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

function checkPrice({ perMillionTokens, currency }: NonNullable<AiSdkEmbedderOptions['price']>): void {
  if (!(perMillionTokens >= 0 && perMillionTokens < Number.POSITIVE_INFINITY) || typeof currency !== 'string')
    throw new SurmiseError(
      'bad_argument',
      '"price" needs "perMillionTokens", a number of 0 or more, and "currency", such as "USD".',
    );
}
