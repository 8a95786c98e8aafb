import { loadPackage, type Provider, type ProviderConnection, packageSettings } from './provider.js';

const install = '@ai-sdk/google@3';

const open = async (connection: ProviderConnection) => {
  const { createGoogleGenerativeAI } = await loadPackage(install, () => import('@ai-sdk/google'));
  return createGoogleGenerativeAI(packageSettings(connection));
};

export const google: Provider = {
  install,
  keyVariables: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_AI_API_KEY'],
  address: ({ baseUrl = 'https://generativelanguage.googleapis.com/v1beta' }) => baseUrl,
  embedding: {
    defaultModel: 'gemini-embedding-001',
    dimensions: { 'gemini-embedding-001': 3072 },
    shorter: () => 'any',
    options: ({ role, dimensions }) => ({
      google: {
        taskType: role === 'query' ? 'RETRIEVAL_QUERY' : 'RETRIEVAL_DOCUMENT',
        ...(dimensions !== undefined && { outputDimensionality: dimensions }),
      },
    }),
    embeddingModel: async (connection, model) => (await open(connection)).textEmbeddingModel(model),
  },
  generation: { languageModel: async (connection, model) => (await open(connection)).languageModel(model) },
};
