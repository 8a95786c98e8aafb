import { describe, expect, test } from 'vitest';
import type { SearchOptions } from '../../src/core/options.js';
import { feedbackGenerator } from '../../src/models/feedback.js';
import { embedder, generatorOf, indexed, library } from './library.js';

const written = 'Rosin makes the bow grip, so that the strings of the instrument sound.';

/** Why nothing was written, and whether the generator was asked. */
async function asking(question: string, options: SearchOptions = {}, documents = library) {
  let asked = 0;
  const generator = generatorOf(async () => {
    asked++;
    return [{ text: written }];
  });
  const surmise = await indexed(documents, { embedder, generator, feedback: feedbackGenerator() });
  await surmise.prefetch(question, options);
  const { trace, degraded } = await surmise.search(question, options);
  return { asked, generation: trace.gate.generation, trace, degraded };
}

describe('a model is not asked', () => {
  test('where one document stands out by its words', async () => {
    const { trace, ...rest } = await asking('rosin on the bow of a violin');
    expect(rest).toEqual({ asked: 0, generation: 'clear lexical winner', degraded: [] });
    expect(trace.hypotheses.map(({ source }) => source)).toEqual(['feedback', 'feedback', 'feedback']);
  });

  test.each(['Marie Curie', 'Ludwig van Beethoven', 'Maria da Silva', 'Émile Zola', 'J. R. R. Tolkien'])(
    'about somebody: %s',
    async (question) => {
      expect(await asking(question)).toMatchObject({ asked: 0, generation: 'bare name' });
    },
  );
});

describe('a model is asked', () => {
  test.each<[string, SearchOptions]>([
    ['what helps against white bits in my drink', {}],
    ['rosin on the bow of a violin', { hyde: 'on' }],
    ['Marie Curie', { hyde: 'on' }],
    ['Why Bees', {}],
    ['who was Marie Curie', {}],
    ['bees', {}],
  ])('%s %j', async (question, options) => {
    const documents = [...library, { id: 'why', text: 'Why not? Bees, tides and bows: why?' }, ...others];
    expect(await asking(question, options, documents)).toMatchObject({ asked: 1, degraded: [] });
  });

  const others = Array.from({ length: 8 }, (_, i) => ({
    id: `bees-${i}`,
    text: `Why do bees number ${i} hum in May?`,
  }));
});

test('several chunks of one document are one winner', async () => {
  const text = `${'Rosin on the bow of the violin. '.repeat(40)}\n\n${'Rosin on the bow of the violin. '.repeat(40)}`;
  const documents = [{ id: 'long', text }, ...library.filter(({ id }) => id !== 'violin')];
  const generator = generatorOf(() => Promise.reject(new Error('was asked')));
  const surmise = await indexed([], { embedder, generator });
  await surmise.index(
    documents.map((document) => ({ document })),
    { chunking: { size: 60, overlap: 0 } },
  );
  const { trace } = await surmise.search('rosin on the bow of a violin');
  expect(trace.index.chunks).toBeGreaterThan(documents.length);
  expect(trace.gate.generation).toBe('clear lexical winner');
});
