import type { Fingerprint } from '../core/ports.js';

/** How token vectors become one: their mean, that of the first token, that of the last. */
export const poolings = ['mean', 'cls', 'last'] as const;
export type Pooling = (typeof poolings)[number];

/** What a family of encoders was trained with and its files do not say. */
export interface EncoderProfile {
  readonly pooling?: Pooling;
  /** Where the files may say more than the model was trained for. */
  readonly maxTokens?: number;
  readonly prefixes?: NonNullable<Fingerprint['prefixes']>;
}

const instructed = (query: string) => ({ query, document: '' });
const passages = 'Represent this sentence for searching relevant passages: ';

/** By the last part of a model's name in lower case. First match counts. The sources are the models' own cards. */
const families: readonly (readonly [RegExp, EncoderProfile])[] = [
  [/^(multilingual-)?e5-(small|base|large)(-v2)?\b/, { prefixes: { query: 'query: ', document: 'passage: ' } }],
  [/^all-minilm-l6-v2\b/, { maxTokens: 256 }],
  [/^all-minilm-l12-v2\b/, { maxTokens: 128 }],
  [/^bge-m3\b/, { pooling: 'cls' }],
  [/^bge-(small|base|large)-en\b/, { pooling: 'cls', prefixes: instructed(passages) }],
  [/^mxbai-embed-large\b/, { pooling: 'cls', prefixes: instructed(passages) }],
  [/^snowflake-arctic-embed-[a-z]+-v2/, { pooling: 'cls', prefixes: instructed('query: ') }],
  [/^snowflake-arctic-embed\b/, { pooling: 'cls', prefixes: instructed(passages) }],
  [/^nomic-embed-text\b/, { prefixes: { query: 'search_query: ', document: 'search_document: ' } }],
  [/^embeddinggemma\b/, { prefixes: { query: 'task: search result | query: ', document: 'title: none | text: ' } }],
  [
    /^qwen3-embedding\b/,
    {
      pooling: 'last',
      prefixes: instructed(
        'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:',
      ),
    },
  ],
];

/** What is known of a model by its name; empty for others. */
export function encoderProfile(model: string): EncoderProfile {
  const name = model.split(/[\\/]/).filter(Boolean).at(-1)?.toLowerCase() ?? '';
  return families.find(([pattern]) => pattern.test(name))?.[1] ?? {};
}
