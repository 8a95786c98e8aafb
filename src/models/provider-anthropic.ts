import { loadPackage, type Provider } from './provider.js';
import { providerFetch } from './provider-fetch.js';

const install = '@ai-sdk/anthropic@3';

export const anthropic: Provider = {
  install,
  keyVariables: ['ANTHROPIC_API_KEY'],
  address: ({ baseUrl = 'https://api.anthropic.com/v1' }) => baseUrl,
  generation: {
    languageModel: async ({ apiKey, baseUrl }, model) => {
      const { createAnthropic } = await loadPackage(install, () => import('@ai-sdk/anthropic'));
      return createAnthropic({
        fetch: providerFetch,
        ...(apiKey !== undefined && { apiKey }),
        ...(baseUrl !== undefined && { baseURL: baseUrl }),
      }).languageModel(model);
    },
  },
};
