import { loadPackage, type Provider, type ProviderConnection, packageSettings } from './provider.js';

const install = '@ai-sdk/openai@3';

const open = async (connection: ProviderConnection) => {
  const { createOpenAI } = await loadPackage(install, () => import('@ai-sdk/openai'));
  return createOpenAI(packageSettings(connection));
};

export const openai: Provider = {
  install,
  keyVariables: ['OPENAI_API_KEY'],
  address: ({ baseUrl = 'https://api.openai.com/v1' }) => baseUrl,
  embedding: {
    defaultModel: 'text-embedding-3-small',
    dimensions: {
      'text-embedding-3-small': 1536,
      'text-embedding-3-large': 3072,
      'text-embedding-ada-002': 1536,
    },
    shorter: (model) => (model.startsWith('text-embedding-3-') ? 'any' : undefined),
    options: ({ dimensions }) => (dimensions === undefined ? undefined : { openai: { dimensions } }),
    embeddingModel: async (connection, model) => (await open(connection)).textEmbeddingModel(model),
  },
  generation: { languageModel: async (connection, model) => (await open(connection)).languageModel(model) },
};
