import { loadPackage, type Provider, type ProviderConnection, packageSettings } from './provider.js';

const install = 'voyage-ai-provider@4';

const open = async (connection: ProviderConnection) => {
  const { createVoyage } = await loadPackage(install, () => import('voyage-ai-provider'));
  return createVoyage(packageSettings(connection));
};

/** Models that can give 256, 512, 1024 or 2048 dimensions. */
const flexible = ['voyage-3-large', 'voyage-3.5', 'voyage-3.5-lite', 'voyage-code-3'];

export const voyage: Provider = {
  install,
  keyVariables: ['VOYAGE_API_KEY'],
  address: ({ baseUrl = 'https://api.voyageai.com/v1' }) => baseUrl,
  embedding: {
    defaultModel: 'voyage-3',
    dimensions: {
      'voyage-3': 1024,
      'voyage-3-lite': 512,
      'voyage-finance-2': 1024,
      'voyage-law-2': 1024,
      ...Object.fromEntries(flexible.map((model) => [model, 1024])),
    },
    shorter: (model) => (flexible.includes(model) ? [256, 512, 2048] : undefined),
    options: ({ role, dimensions }) => ({
      voyage: { inputType: role, ...(dimensions !== undefined && { outputDimension: dimensions }) },
    }),
    embeddingModel: async (connection, model) => (await open(connection)).textEmbeddingModel(model),
  },
};
