import { expect, test } from 'vitest';
import { feedbackGenerator } from '../../src/models/feedback.js';
import { embedder, generatorOf, indexed, library, memoryStore } from '../core/library.js';

test('FR-159 a search before anything is indexed is empty and says why', async () => {
  const generator = generatorOf(() => {
    throw new Error('was asked');
  });
  const surmise = await indexed([], { embedder, generator, feedback: feedbackGenerator() });
  for (const mode of ['lexical', 'dense', 'hybrid'] as const) {
    const result = await surmise.search('where is the lantern', { mode });
    expect(result).toMatchObject({ hits: [], reason: 'nothing indexed', mode, degraded: [] });
    expect(result.trace.index).toEqual({ documents: 0, chunks: 0, vectors: 0 });
  }
  // The same when everything has been removed again: no division by an average length of 0.
  await surmise.index(library.map((document) => ({ document })));
  await surmise.remove(library.map(({ id }) => id));
  expect(await surmise.search('bees')).toMatchObject({ hits: [], reason: 'nothing indexed' });
  expect(await surmise.store.match([{ term: 'bees', weight: 1 }], { k: 3 })).toEqual({
    hits: [],
    matched: 0,
    range: { min: 0, max: 0 },
  });
});

test('FR-160 an existing index has all that a hybrid search needs, and a gap between its parts is said', async () => {
  const store = memoryStore();
  await indexed(library, { store, embedder });
  const whole = await indexed([], { store, embedder });
  const result = await whole.search('when do bees leave', { hyde: 'off' });
  expect(result).toMatchObject({ mode: 'hybrid', degraded: [] });
  expect(Object.keys(result.hits[0]!.legs).sort()).toEqual(['dense', 'lexical']);
  expect(result.hits[0]!.text).toBe(library.find(({ id }) => id === 'bees')!.text);

  await store.put([{ document: { id: 'late', text: 'Bees again.' }, hash: 'h', chunks: [{ start: 0, end: 11 }] }]);
  const gap = await whole.search('when do bees leave', { hyde: 'off' });
  expect(gap.degraded).toEqual([{ part: 'dense', reason: '1 of 9 chunks have no vector' }]);
  expect(gap.hits.map(({ document }) => document)).toContain('late');
});
