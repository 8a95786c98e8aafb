import { loadPackage, type Provider, packageSettings } from './provider.js';

const install = '@ai-sdk/cohere@3';

export const cohere: Provider = {
  install,
  keyVariables: ['COHERE_API_KEY'],
  address: ({ baseUrl = 'https://api.cohere.com/v2' }) => baseUrl,
  embedding: {
    defaultModel: 'embed-multilingual-v3.0',
    dimensions: {
      'embed-english-v3.0': 1024,
      'embed-multilingual-v3.0': 1024,
      'embed-english-light-v3.0': 384,
      'embed-multilingual-light-v3.0': 384,
      'embed-v4.0': 1536,
    },
    shorter: (model) => (model === 'embed-v4.0' ? [256, 512, 1024] : undefined),
    options: ({ role, dimensions }) => ({
      cohere: {
        inputType: role === 'query' ? 'search_query' : 'search_document',
        ...(dimensions !== undefined && { outputDimension: dimensions }),
      },
    }),
    embeddingModel: async (connection, model) => {
      const { createCohere } = await loadPackage(install, () => import('@ai-sdk/cohere'));
      return createCohere(packageSettings(connection)).textEmbeddingModel(model);
    },
  },
};
