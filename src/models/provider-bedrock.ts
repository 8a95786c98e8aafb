import { SurmiseError } from '../core/errors.js';
import { loadPackage, type Provider, type ProviderConnection } from './provider.js';
import { providerFetch } from './provider-fetch.js';

const install = '@ai-sdk/amazon-bedrock@4';
const defaultRegion = 'us-east-1';

const open = async ({ apiKey, baseUrl, region = defaultRegion, credentials }: ProviderConnection) => {
  const { createAmazonBedrock } = await loadPackage(install, () => import('@ai-sdk/amazon-bedrock'));
  return createAmazonBedrock({
    fetch: providerFetch,
    region,
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
    ...(credentials !== undefined ? { credentialProvider: credentials } : apiKey !== undefined && { apiKey }),
  });
};

/** By the model's id, also in those of inference profiles, which have a region before it. */
const isCohere = (model: string) => /(?:^|\.)cohere\.embed-/.test(model);
const isTitan2 = (model: string) => /(?:^|\.)amazon\.titan-embed-text-v2/.test(model);
const isTitan = (model: string) => /(?:^|\.)amazon\.titan-embed-/.test(model);

export const bedrock: Provider = {
  install,
  keyVariables: ['AWS_BEARER_TOKEN_BEDROCK'],
  address: ({ baseUrl, region = defaultRegion }) => baseUrl ?? `https://bedrock-runtime.${region}.amazonaws.com`,
  embedding: {
    defaultModel: 'amazon.titan-embed-text-v2:0',
    dimensions: {
      'amazon.titan-embed-text-v2:0': 1024,
      'amazon.titan-embed-text-v1': 1536,
      'cohere.embed-english-v3': 1024,
      'cohere.embed-multilingual-v3': 1024,
      'cohere.embed-v4:0': 1536,
    },
    shorter: (model) => (isTitan2(model) ? [256, 512] : /cohere\.embed-v4/.test(model) ? [256, 512, 1024] : undefined),
    options: ({ model, role, dimensions }) => {
      if (isCohere(model))
        return {
          bedrock: {
            inputType: role === 'query' ? 'search_query' : 'search_document',
            ...(dimensions !== undefined && { outputDimension: dimensions }),
          },
        };
      return dimensions === undefined ? undefined : { bedrock: { dimensions } };
    },
    // Titan takes one text in a call, Cohere a batch.
    pace: (model) => (isTitan(model) ? { batch: 1, concurrency: 8 } : undefined),
    embeddingModel: async (connection, model) => {
      if (!isTitan(model) && !isCohere(model))
        throw new SurmiseError(
          'bad_argument',
          `Bedrock's embedding model "${model}" is of no known family. Name one of amazon.titan-embed-… or cohere.embed-….`,
        );
      return (await open(connection)).textEmbeddingModel(model);
    },
  },
  generation: { languageModel: async (connection, model) => (await open(connection)).languageModel(model) },
};
