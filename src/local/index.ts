export { type CrossEncoderOptions, crossEncoder } from './cross-encoder.js';
export type { EncoderDtype } from './encoder-folder.js';
export type { Pooling } from './encoder-profiles.js';
export { type SentenceEncoderOptions, sentenceEncoder } from './sentence-encoder.js';
export { loadStaticEmbedder } from './static-file.js';
