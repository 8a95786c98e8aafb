import { loadPackage, type Provider, type ProviderConnection } from './provider.js';
import { providerFetch } from './provider-fetch.js';

const install = '@ai-sdk/mistral@3';

const open = async ({ apiKey, baseUrl }: ProviderConnection) => {
  const { createMistral } = await loadPackage(install, () => import('@ai-sdk/mistral'));
  return createMistral({
    fetch: providerFetch,
    ...(apiKey !== undefined && { apiKey }),
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
  });
};

export const mistral: Provider = {
  install,
  keyVariables: ['MISTRAL_API_KEY'],
  address: ({ baseUrl = 'https://api.mistral.ai/v1' }) => baseUrl,
  embedding: {
    defaultModel: 'mistral-embed',
    dimensions: { 'mistral-embed': 1024 },
    embeddingModel: async (connection, model) => (await open(connection)).textEmbeddingModel(model),
  },
  generation: { languageModel: async (connection, model) => (await open(connection)).languageModel(model) },
};
