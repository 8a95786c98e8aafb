import { loadPackage, type Provider, packageSettings } from './provider.js';

const install = '@ai-sdk/anthropic@3';

export const anthropic: Provider = {
  install,
  keyVariables: ['ANTHROPIC_API_KEY'],
  address: ({ baseUrl = 'https://api.anthropic.com/v1' }) => baseUrl,
  generation: {
    languageModel: async (connection, model) => {
      const { createAnthropic } = await loadPackage(install, () => import('@ai-sdk/anthropic'));
      return createAnthropic(packageSettings(connection)).languageModel(model);
    },
  },
};
