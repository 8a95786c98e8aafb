import { describe, expect, test } from 'vitest';
import type { Document } from '../../src/core/ports.js';
import { feedbackGenerator } from '../../src/models/feedback.js';
import { embedder, generatorOf, indexed } from '../core/library.js';

/** People with one page each, and pages on what they worked on that speak of nobody. */
const people: readonly Document[] = [
  { id: 'lindqvist', text: 'Astrid Lindqvist joined the observatory and kept its logbook.' },
  { id: 'okafor', text: 'Chidi Okafor repaired the dome after the storm.' },
  ...Array.from({ length: 12 }, (_, i) => ({
    id: `topic-${i}`,
    text: `A famous scientist studied stars, won prizes, taught at a university and wrote paper ${i} about light.`,
  })),
];
/** What a model writes about somebody it does not know. */
const generic = 'She was a famous scientist who studied stars, won prizes and taught at a university about light.';

describe('FR-205 a name is not drowned by what a model writes about people in general', () => {
  const surmise = (feedback = true) =>
    indexed(people, {
      embedder,
      generator: generatorOf(async () => [{ text: generic }]),
      ...(feedback && { feedback: feedbackGenerator() }),
    });

  test.each(['Astrid Lindqvist', '"Astrid Lindqvist"', 'lindqvist_1'])(
    '%s is not sent to the model',
    async (question) => {
      const { trace } = await (await surmise()).search(question);
      expect(trace.generator).toBeUndefined();
      expect(trace.gate.generation ?? trace.gate.reason).toMatch(/bare name|quoted phrase|identifier/);
    },
  );

  test('nor does it lose its first place when the model is asked all the same', async () => {
    for (const mode of ['lexical', 'hybrid'] as const) {
      const { hits, trace } = await (await surmise(false)).search('Astrid Lindqvist', { mode, hyde: 'on' });
      expect(trace.hypotheses).toMatchObject([{ used: true }]);
      expect(hits[0]!.document).toBe('lindqvist');
    }
  });

  test('a question about a topic is', async () => {
    const { trace } = await (await surmise()).search('what did people learn about distant suns');
    expect(trace.generator).toMatchObject({ received: 1 });
  });
});
