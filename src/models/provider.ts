import { SurmiseError } from '../core/errors.js';
import type { Role } from '../core/ports.js';
import type { AiSdkEmbeddingModel, AiSdkLanguageModel, AiSdkProviderOptions } from './ai-sdk-model.js';
import { providerFetch } from './provider-fetch.js';

/** How a provider is reached. */
export interface ProviderConnection {
  readonly apiKey?: string;
  /** The address of the service, without the path of a call. */
  readonly baseUrl?: string;
  /** Of AWS. Default `us-east-1`. */
  readonly region?: string;
  /** Of AWS, asked for before each call. */
  readonly credentials?: () => Promise<AwsCredentials>;
}

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** What one provider needs and can do: one file for each, and one line in `providers.ts`. */
export interface Provider {
  /** The npm package with its version, as it is installed. */
  readonly install: string;
  /** The variables that its users keep their key in, in order of precedence; absent where none is needed. */
  readonly keyVariables?: readonly string[];
  /** Where texts go. */
  readonly address: (connection: ProviderConnection) => string | undefined;
  readonly embedding?: EmbeddingSide;
  readonly generation?: { languageModel(connection: ProviderConnection, model: string): Promise<AiSdkLanguageModel> };
}

export interface EmbeddingSide {
  /** Absent where the user must name one. */
  readonly defaultModel?: string;
  /** Native dimensions of the models that are known. */
  readonly dimensions: Readonly<Record<string, number>>;
  /** What else a model's vectors may be cut to: a list, or any number up to the native one; absent where nothing. */
  readonly shorter?: (model: string) => readonly number[] | 'any' | undefined;
  /** What the provider is told, by role; `dimensions` where they differ from the native ones. */
  readonly options?: (call: {
    readonly model: string;
    readonly role: Role;
    readonly dimensions?: number;
  }) => AiSdkProviderOptions | undefined;
  /** Texts in one request, and requests at a time, where the provider's kind of call asks for it. */
  readonly pace?: (model: string) => { readonly batch: number; readonly concurrency: number } | undefined;
  embeddingModel(connection: ProviderConnection, model: string): Promise<AiSdkEmbeddingModel>;
}

/** A connection as the packages of the AI SDK take it. */
export function packageSettings({ apiKey, baseUrl }: ProviderConnection) {
  return {
    fetch: providerFetch,
    ...(apiKey !== undefined && { apiKey }),
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
  };
}

/**
 * A provider's package, which is loaded only where the provider was chosen.
 *
 * @throws SurmiseError `bad_argument` where it is not installed
 */
export async function loadPackage<T>(install: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw new SurmiseError(
      'bad_argument',
      `This provider needs the packages "ai" and "${install.replace(/@[^@]*$/, '')}"; install them with: npm install ai@6 ${install}`,
      { cause: error },
    );
  }
}
