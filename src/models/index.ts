export {
  type DeterministicEmbedderOptions,
  deterministicEmbedder,
} from './deterministic-embedder.js';
export {
  type DeterministicAnswers,
  type DeterministicGeneratorOptions,
  deterministicGenerator,
} from './deterministic-generator.js';
export { type FeedbackOptions, feedbackGenerator } from './feedback.js';
export { type StaticEmbedderOptions, staticEmbedder } from './static-embedder.js';
