/**
 * US dollars for a million tokens of text, list prices without discounts, by provider and model, as providers published
 * them in September 2025.
 */
const embedding: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  openai: { 'text-embedding-3-small': 0.02, 'text-embedding-3-large': 0.13, 'text-embedding-ada-002': 0.1 },
  voyage: {
    'voyage-3.5-lite': 0.02,
    'voyage-3.5': 0.06,
    'voyage-3-large': 0.18,
    'voyage-3-lite': 0.02,
    'voyage-3': 0.06,
    'voyage-code-3': 0.18,
    'voyage-finance-2': 0.12,
    'voyage-law-2': 0.12,
  },
  google: { 'gemini-embedding-001': 0.15 },
  cohere: {
    'embed-english-v3.0': 0.1,
    'embed-english-light-v3.0': 0.1,
    'embed-multilingual-v3.0': 0.1,
    'embed-multilingual-light-v3.0': 0.1,
    'embed-v4.0': 0.12,
  },
  mistral: { 'mistral-embed': 0.1 },
  bedrock: {
    'amazon.titan-embed-text-v2:0': 0.02,
    'amazon.titan-embed-text-v1': 0.1,
    'cohere.embed-english-v3': 0.1,
    'cohere.embed-multilingual-v3': 0.1,
    'cohere.embed-v4:0': 0.12,
  },
};

export interface Price {
  readonly perMillionTokens: number;
  readonly currency: string;
}

/** About what embedding costs, where it is known: a guide for budgets, not a bill. Models are known by their whole name. */
export function embeddingPrice(provider: string, model: string): Price | undefined {
  const models = Object.hasOwn(embedding, provider) ? embedding[provider]! : {};
  return Object.hasOwn(models, model) ? { perMillionTokens: models[model]!, currency: 'USD' } : undefined;
}
