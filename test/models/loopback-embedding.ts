import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { AiSdkEmbeddingModel } from '../../src/models/ai-sdk.js';
import { key } from './failure.js';
import { type Answer, embeddings, type OpenAiServer, type Received } from './openai-server.js';

/** An embedding model of the AI SDK that asks this server. */
export const modelAt = ({ url }: OpenAiServer): AiSdkEmbeddingModel =>
  createOpenAICompatible({ name: 'loopback', baseURL: url, apiKey: key }).textEmbeddingModel('tiny');
/** A vector that tells texts apart, and what `fromAiSdk` makes of it. */
export const vectorOf = (text: string): number[] => [text.length, 1, text.charCodeAt(0)];
/** Answers with the vector of each text. */
export const echo = ({ body }: Received): Answer => ({ json: embeddings(body.input!.map(vectorOf)) });
export const unit = (text: string): Float32Array => {
  const vector = vectorOf(text);
  return Float32Array.from(vector, (value) => value / Math.hypot(...vector));
};
