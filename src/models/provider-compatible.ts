import { SurmiseError } from '../core/errors.js';
import { loadPackage, type Provider, type ProviderConnection } from './provider.js';
import { providerFetch } from './provider-fetch.js';

const install = '@ai-sdk/openai-compatible@2';

/** A server that speaks OpenAI's form of HTTP at an address of its own. */
function compatible(name: string, standardUrl: string | undefined): Provider {
  const open = async ({ apiKey, baseUrl = standardUrl }: ProviderConnection) => {
    if (baseUrl === undefined)
      throw new SurmiseError(
        'bad_argument',
        `The provider ${name} needs the address of its server (baseUrl), such as http://127.0.0.1:8080/v1.`,
      );
    const { createOpenAICompatible } = await loadPackage(install, () => import('@ai-sdk/openai-compatible'));
    return createOpenAICompatible({
      fetch: providerFetch,
      name,
      baseURL: baseUrl,
      supportsStructuredOutputs: true,
      ...(apiKey !== undefined && { apiKey }),
    });
  };
  return {
    install,
    address: ({ baseUrl = standardUrl }) => baseUrl,
    embedding: {
      dimensions: {},
      shorter: () => 'any',
      options: ({ dimensions }) => (dimensions === undefined ? undefined : { openaiCompatible: { dimensions } }),
      embeddingModel: async (connection, model) => (await open(connection)).textEmbeddingModel(model),
    },
    generation: { languageModel: async (connection, model) => (await open(connection)).languageModel(model) },
  };
}

export const openaiCompatible = compatible('openai-compatible', undefined);

/** Ollama's own server speaks that form as well. */
export const ollama = compatible('ollama', 'http://127.0.0.1:11434/v1');
