import type { Role } from '../../src/core/ports.js';
import { type ProviderEmbedderSettings, type ProviderName, providerEmbedder } from '../../src/models/providers.js';
import { key } from './failure.js';
import type { Answer, Received } from './openai-server.js';

export const texts = ['canoe', 'a kayak'];
/** What a server gives for a text: long enough for no test, so that lengths are always checked against what was asked. */
export const vectorOf = (text: string, dimensions: number) =>
  Array.from({ length: dimensions }, (_, i) => (i === 0 ? text.length : i === 1 ? text.charCodeAt(0) : 0));

export interface Wire {
  readonly model: string;
  readonly dimensions: number;
  readonly settings?: ProviderEmbedderSettings;
  /** Where the base URL stands in the server's address. */
  readonly base: string;
  readonly path: string;
  readonly authorisation: Record<string, string>;
  /** The exact body of the call for these texts. */
  readonly body: (texts: readonly string[], role: Role) => unknown;
  readonly textsOf: (body: Received['body']) => readonly string[];
  readonly answer: (vectors: readonly (readonly unknown[])[]) => unknown;
  /** Texts in one call. */
  readonly batch?: number;
}

export const numbered = (vectors: readonly unknown[]) => ({
  object: 'list',
  model: 'm',
  data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
  usage: { prompt_tokens: 1, total_tokens: 1 },
});
export const bearer = { authorization: `Bearer ${key}` };
const cohereRole = (role: Role) => (role === 'query' ? 'search_query' : 'search_document');
const openAiBody = (model: string) => (input: readonly string[]) => ({ model, input, encoding_format: 'float' });

interface GoogleText {
  readonly content: { readonly parts: readonly { readonly text: string }[] };
}

export const wires: Record<Exclude<ProviderName, 'anthropic'>, Wire> = {
  openai: {
    model: 'text-embedding-3-small',
    dimensions: 1536,
    base: '/v1',
    path: '/v1/embeddings',
    authorisation: bearer,
    body: openAiBody('text-embedding-3-small'),
    textsOf: ({ input }) => input!,
    answer: numbered,
  },
  voyage: {
    model: 'voyage-3',
    dimensions: 1024,
    base: '/v1',
    path: '/v1/embeddings',
    authorisation: bearer,
    body: (input, role) => ({ model: 'voyage-3', input, input_type: role }),
    textsOf: ({ input }) => input!,
    answer: numbered,
  },
  mistral: {
    model: 'mistral-embed',
    dimensions: 1024,
    base: '/v1',
    path: '/v1/embeddings',
    authorisation: bearer,
    body: openAiBody('mistral-embed'),
    textsOf: ({ input }) => input!,
    answer: numbered,
  },
  cohere: {
    model: 'embed-multilingual-v3.0',
    dimensions: 1024,
    base: '/v2',
    path: '/v2/embed',
    authorisation: bearer,
    body: (input, role) => ({
      model: 'embed-multilingual-v3.0',
      embedding_types: ['float'],
      texts: input,
      input_type: cohereRole(role),
    }),
    textsOf: ({ texts: sent }) => sent as string[],
    answer: (float) => ({ id: 'c', embeddings: { float }, meta: { billed_units: { input_tokens: 1 } } }),
  },
  google: {
    model: 'gemini-embedding-001',
    dimensions: 3072,
    base: '/v1beta',
    path: '/v1beta/models/gemini-embedding-001:batchEmbedContents',
    authorisation: { 'x-goog-api-key': key },
    body: (input, role) => ({
      requests: input.map((text) => ({
        model: 'models/gemini-embedding-001',
        content: { role: 'user', parts: [{ text }] },
        taskType: role === 'query' ? 'RETRIEVAL_QUERY' : 'RETRIEVAL_DOCUMENT',
      })),
    }),
    // One text alone goes to another path, in a form of its own.
    textsOf: (body) => ((body.requests ?? [body]) as GoogleText[]).map(({ content }) => content.parts[0]!.text),
    answer: (vectors) => ({ embeddings: vectors.map((values) => ({ values })), embedding: { values: vectors[0] } }),
  },
  bedrock: {
    model: 'cohere.embed-multilingual-v3',
    dimensions: 1024,
    settings: { model: 'cohere.embed-multilingual-v3' },
    base: '',
    path: '/model/cohere.embed-multilingual-v3/invoke',
    authorisation: bearer,
    body: (input, role) => ({ texts: input, input_type: cohereRole(role) }),
    textsOf: ({ texts: sent }) => sent as string[],
    answer: (embeddings) => ({ embeddings, id: 'c', response_type: 'embeddings_floats', texts: [] }),
  },
  ollama: {
    model: 'nomic-embed-text',
    dimensions: 3,
    settings: { model: 'nomic-embed-text' },
    base: '/v1',
    path: '/v1/embeddings',
    authorisation: bearer,
    body: (input, role) => openAiBody('nomic-embed-text')(input.map((text) => `search_${role}: ${text}`)),
    textsOf: ({ input }) => input!,
    answer: numbered,
  },
  'openai-compatible': {
    model: 'tiny',
    dimensions: 3,
    settings: { model: 'tiny' },
    base: '/v1',
    path: '/v1/embeddings',
    authorisation: bearer,
    body: openAiBody('tiny'),
    textsOf: ({ input }) => input!,
    answer: numbered,
  },
};
export const wired = Object.entries(wires) as [Exclude<ProviderName, 'anthropic'>, Wire][];

export const answers = ({ textsOf, answer, dimensions }: Wire, { body }: Received): Answer => ({
  json: answer(textsOf(body).map((text) => vectorOf(text, dimensions))),
});

export function open(name: ProviderName, wire: Wire, url: string, settings: ProviderEmbedderSettings = {}) {
  const baseUrl = url.replace(/\/v1$/, '') + wire.base;
  return providerEmbedder(name, { ...wire.settings, ...settings, connection: { apiKey: key, baseUrl } });
}
