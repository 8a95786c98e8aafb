import { throwIfAborted } from '../core/deadline.js';
import { indexText } from '../core/index-text.js';
import type { Generation, Generator } from '../core/ports.js';
import { checkNames, checkWhole } from './check.js';

export interface FeedbackOptions {
  /** How many of the best passages serve, 1 to 32. Default 3. */
  readonly passages?: number;
}

/**
 * Pseudo-relevance feedback: the best passages that the plain search found stand in as hypotheses, with their titles
 * as they are indexed, and with their stored vectors where the search brought them along. Needs no network and no key.
 * Passage number r counts 1/r: the first is the likeliest to answer. Gives at most `n` and at most `passages` of them,
 * best first, none where the search found nothing.
 *
 * @throws SurmiseError `bad_argument`; `generate` only `aborted`
 */
export function feedbackGenerator(options: FeedbackOptions = {}): Generator {
  checkNames('the feedback generator', options, ['passages']);
  const passages = checkWhole('passages', options.passages ?? 3, 1, 32);
  return {
    id: `feedback-${passages}`,
    async generate(prompt, { n, signal, onGeneration }) {
      throwIfAborted(signal);
      const generations = prompt.passages
        .filter(({ text }) => text.trim() !== '')
        .slice(0, Math.min(n, passages))
        .map(({ title, heading, text, vector }, index): Generation => {
          const indexed = indexText(title, heading, text);
          const passage = { text: indexed, weight: 1 / (index + 1) };
          return vector === undefined ? passage : { ...passage, vector: vector.slice() };
        });
      for (const generation of generations) onGeneration?.(generation);
      return generations;
    },
  };
}
