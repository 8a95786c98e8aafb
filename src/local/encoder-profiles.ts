import { type ModelProfile, modelProfile } from '../models/model-profiles.js';

/** How token vectors become one: their mean, that of the first token, that of the last. */
export const poolings = ['mean', 'cls', 'last'] as const;
export type Pooling = (typeof poolings)[number];

/** What a family of encoders was trained with and its files do not say. */
export interface EncoderProfile extends Partial<ModelProfile> {
  readonly pooling?: Pooling;
  /** Where the files may say more than the model was trained for. */
  readonly maxTokens?: number;
}

/** By the last part of a model's name in lower case. First match counts. The sources are the models' own cards. */
const families: readonly (readonly [RegExp, Omit<EncoderProfile, 'prefixes'>])[] = [
  [/^all-minilm-l6-v2\b/, { maxTokens: 256 }],
  [/^all-minilm-l12-v2\b/, { maxTokens: 128 }],
  [/^bge-(m3|(small|base|large)-(en|zh))\b/, { pooling: 'cls' }],
  [/^(mxbai-embed-large|snowflake-arctic-embed)\b/, { pooling: 'cls' }],
  [/^(qwen3-embedding|e5-mistral)\b/, { pooling: 'last' }],
];

/** What is known of a model by its name; empty for others. */
export function encoderProfile(model: string): EncoderProfile {
  const name = model.split(/[\\/]/).filter(Boolean).at(-1)?.toLowerCase() ?? '';
  return { ...families.find(([pattern]) => pattern.test(name))?.[1], ...modelProfile(name) };
}
