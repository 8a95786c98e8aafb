/** What a model of text embeddings was trained to find before a text. */
export interface ModelProfile {
  readonly prefixes: { readonly query: string; readonly document: string };
}

/** For retrieval, as the authors of the models document it on their pages. */
const retrieve = 'Represent this sentence for searching relevant passages: ';
const instruct = 'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:';

/** By the last part of the name, in lower case; the first that fits counts. */
const profiles: readonly (readonly [RegExp, ModelProfile['prefixes']])[] = [
  [/e5-mistral|e5.*-instruct/, { query: `${instruct} `, document: '' }],
  [/(?:^|-)e5-(?:small|base|large)/, { query: 'query: ', document: 'passage: ' }],
  [/^bge-(?:small|base|large)-en/, { query: retrieve, document: '' }],
  [/^bge-(?:small|base|large)-zh/, { query: '为这个句子生成表示以用于检索相关文章：', document: '' }],
  [/^nomic-embed-text/, { query: 'search_query: ', document: 'search_document: ' }],
  [/^qwen3-embedding/, { query: instruct, document: '' }],
  [/^embeddinggemma/, { query: 'task: search result | query: ', document: 'title: none | text: ' }],
  [/^mxbai-embed/, { query: retrieve, document: '' }],
  [/^snowflake-arctic-embed.*(?:-v2|2\.0|2:)/, { query: 'query: ', document: '' }],
  [/^(?:snowflake-)?arctic-embed2/, { query: 'query: ', document: '' }],
  [/^snowflake-arctic-embed/, { query: retrieve, document: '' }],
];

/**
 * The prefixes of a model that is reached by name, `undefined` for one that needs none or is not known. `name` may have an
 * owner before it (`intfloat/multilingual-e5-small`) and a tag behind it (`nomic-embed-text:v1.5`).
 */
export function modelProfile(name: string): ModelProfile | undefined {
  const last = name.toLowerCase().split('/').at(-1)!;
  const found = profiles.find(([pattern]) => pattern.test(last));
  return found === undefined ? undefined : { prefixes: found[1] };
}
