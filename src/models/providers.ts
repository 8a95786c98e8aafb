import { SurmiseError } from '../core/errors.js';
import type { Embedder, Fingerprint, Generator } from '../core/ports.js';
import { type AiSdkEmbedderOptions, type AiSdkGeneratorOptions, fromAiSdk, probeAiSdk } from './ai-sdk.js';
import { checkWhole } from './check.js';
import { isLoopback } from './loopback.js';
import { modelProfile } from './model-profiles.js';
import { embeddingPrice } from './prices.js';
import type { EmbeddingSide, Provider, ProviderConnection } from './provider.js';
import { anthropic } from './provider-anthropic.js';
import { bedrock } from './provider-bedrock.js';
import { cohere } from './provider-cohere.js';
import { ollama, openaiCompatible } from './provider-compatible.js';
import { google } from './provider-google.js';
import { mistral } from './provider-mistral.js';
import { openai } from './provider-openai.js';
import { voyage } from './provider-voyage.js';

export type { AwsCredentials, ProviderConnection } from './provider.js';

const providers = {
  voyage,
  openai,
  bedrock,
  google,
  cohere,
  mistral,
  anthropic,
  ollama,
  'openai-compatible': openaiCompatible,
} as const satisfies Record<string, Provider>;

export type ProviderName = keyof typeof providers;

export const embeddingProviders = namesWith('embedding');
export const generationProviders = namesWith('generation');

export interface ProviderEmbedderSettings extends Omit<AiSdkEmbedderOptions, 'dimensions' | 'roleOptions'> {
  readonly connection?: ProviderConnection;
  /** Default: the provider's usual one, where it has one. */
  readonly model?: string;
  /** A length that the model's vectors are cut to by the provider. Default: the model's own. */
  readonly dimensions?: number;
  /** Whose vectors are there already: of the same model it says their length, which then is not asked for. */
  readonly stored?: Fingerprint;
  readonly signal?: AbortSignal;
}

export interface ProviderGeneratorSettings extends AiSdkGeneratorOptions {
  readonly connection?: ProviderConnection;
  readonly model: string;
}

/**
 * The embedder of a provider by name. Its package is loaded here; nothing is asked of it, except one short text where the
 * model's dimensions are not known.
 *
 * @param name in any case, white space around it counts not
 * @throws SurmiseError `bad_argument` for a name that is none, dimensions that the model does not have, a key, a model or a
 *   package that is missing; what `probeAiSdk` throws
 */
export async function providerEmbedder(name: string, settings: ProviderEmbedderSettings = {}): Promise<Embedder> {
  const { connection = {}, model: named, dimensions, stored, signal, ...options } = settings;
  const { provider, known } = providerOf(name, 'embedding');
  const side: EmbeddingSide = provider.embedding!;
  const model = named ?? side.defaultModel;
  if (model === undefined || model.trim() === '')
    throw new SurmiseError('bad_argument', `Name the embedding model of the provider ${known}.`);
  const native = side.dimensions[model];
  const wanted = dimensions === native ? undefined : dimensions;
  if (wanted !== undefined) checkDimensions(`${known}/${model}`, wanted, native, side.shorter?.(model));
  checkKey(known, provider, connection);
  const prefixes = options.prefixes ?? modelProfile(model)?.prefixes;
  // Whoever answers at an address of the user's own may ask another price.
  const price = options.price ?? (connection.baseUrl === undefined ? embeddingPrice(known, model) : undefined);
  const all = {
    ...side.pace?.(model),
    ...options,
    ...(price !== undefined && { price }),
    ...(prefixes !== undefined && { prefixes }),
    roleOptions: (role: 'query' | 'document') =>
      side.options?.({ model, role, ...(wanted !== undefined && { dimensions: wanted }) }),
  };
  const embeddingModel = await side.embeddingModel(connection, model);
  const isStored = stored?.provider === embeddingModel.provider && stored.model === embeddingModel.modelId;
  const length = dimensions ?? native ?? (isStored ? stored.dimensions : undefined);
  if (length !== undefined) return fromAiSdk(embeddingModel, { ...all, dimensions: length });
  return probeAiSdk(embeddingModel, { ...all, ...(signal !== undefined && { signal }) });
}

/**
 * The generator of a provider by name; nothing is asked of it yet. It is `local` where its server is on this machine.
 *
 * @throws SurmiseError `bad_argument` for a name that is none, a key, a model or a package that is missing
 */
export async function providerGenerator(name: string, settings: ProviderGeneratorSettings): Promise<Generator> {
  const { connection = {}, model, ...options } = settings;
  const { provider, known } = providerOf(name, 'generation');
  if (typeof model !== 'string' || model.trim() === '')
    throw new SurmiseError('bad_argument', `Name the language model of the provider ${known}.`);
  checkKey(known, provider, connection);
  // A server on this machine shares it with the search.
  const address = provider.address(connection);
  const size = address !== undefined && isLoopback(address) ? 'local' : 'hosted';
  return fromAiSdk(await provider.generation!.languageModel(connection, model), { size, ...options });
}

/** The address that a provider's texts go to, `undefined` where one must be given and is not. */
export function providerAddress(name: ProviderName, connection: ProviderConnection = {}): string | undefined {
  return providers[name].address(connection);
}

/** The variables that the users of a provider keep their key in, in order of precedence. */
export function providerKeyVariables(name: ProviderName): readonly string[] {
  return (providers[name] as Provider).keyVariables ?? [];
}

function namesWith(side: 'embedding' | 'generation'): ProviderName[] {
  const names = Object.keys(providers) as ProviderName[];
  return names.filter((name) => (providers[name] as Provider)[side] !== undefined);
}

function providerOf(name: string, side: 'embedding' | 'generation'): { provider: Provider; known: ProviderName } {
  const wanted = String(name).trim().toLowerCase();
  const known = namesWith(side).find((candidate) => candidate === wanted);
  if (known !== undefined) return { provider: providers[known], known };
  throw new SurmiseError(
    'bad_argument',
    `There is no provider "${name}" for ${side === 'embedding' ? 'embeddings' : 'generation'}. There are: ${namesWith(side).join(', ')}.`,
  );
}

function checkDimensions(
  who: string,
  wanted: number,
  native: number | undefined,
  shorter: readonly number[] | 'any' | undefined,
): void {
  if (shorter === 'any') {
    checkWhole('dimensions', wanted, 1, native ?? 65_536);
    return;
  }
  const allowed = [...(shorter ?? []), ...(native === undefined ? [] : [native])];
  if (allowed.includes(wanted)) return;
  throw new SurmiseError(
    'bad_argument',
    allowed.length === 0
      ? `${who} can not be asked for other dimensions than its own; leave "dimensions" out.`
      : `${who} has no vectors of ${wanted} dimensions. It has: ${[...new Set(allowed)].sort((a, b) => a - b).join(', ')}.`,
  );
}

/** A key is looked for before any call, so that what is missing is said by us and not by a refusal. */
function checkKey(name: string, { keyVariables }: Provider, { apiKey, credentials }: ProviderConnection): void {
  if (keyVariables === undefined || credentials !== undefined || (apiKey !== undefined && apiKey.trim() !== '')) return;
  throw new SurmiseError('bad_argument', `The provider ${name} needs a key. Set ${keyVariables[0]}.`);
}
