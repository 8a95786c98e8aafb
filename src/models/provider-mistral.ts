import { loadPackage, type Provider, type ProviderConnection, packageSettings } from './provider.js';

const install = '@ai-sdk/mistral@3';

const open = async (connection: ProviderConnection) => {
  const { createMistral } = await loadPackage(install, () => import('@ai-sdk/mistral'));
  return createMistral(packageSettings(connection));
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
