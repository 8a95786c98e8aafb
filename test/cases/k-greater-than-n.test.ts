import { describe, expect, test } from 'vitest';
import { createSurmise } from '../../src/core/surmise.js';
import { feedbackGenerator } from '../../src/models/feedback.js';
import { embedder, indexed, memoryStore } from '../core/library.js';

const documents = (n: number) =>
  Array.from({ length: n }, (_, index) => ({ id: `d${index}`, text: `A lantern, number ${index}.` }));
const modes = ['lexical', 'dense', 'hybrid'] as const;

test('FR-153 four asked of an index of one give one; k is a positive whole number', async () => {
  const surmise = await indexed(documents(1), { embedder, feedback: feedbackGenerator({ passages: 8 }) });
  for (const mode of modes) expect((await surmise.search('lantern', { k: 4, mode })).hits).toHaveLength(1);
  for (const k of [0, -4, 2.5, Number.NaN])
    await expect(surmise.search('lantern', { k })).rejects.toMatchObject({ code: 'bad_argument' });
});

// The store contract says the same of every store.
describe('FR-154 every leg gives what there is', () => {
  const k = 10;
  test.each([0, 1, 3, k, k + 1])('%s documents', async (n) => {
    const surmise = await indexed(documents(n));
    for (const mode of modes)
      for (const per of ['document', 'chunk'] as const)
        expect((await surmise.search('lantern', { k, mode, per })).hits).toHaveLength(Math.min(n, k));
  });
});

test('FR-155 two hundred asked of a hundred vectors give a hundred that exist', async () => {
  const { store, search } = await indexed(documents(100));
  const [vector] = await embedder.embed(['lantern'], { role: 'query' });
  const { hits, matched } = await store.nearest(vector!, { k: 200 });
  expect([hits.length, matched]).toEqual([100, 100]);
  expect(await store.get(hits.map(({ id }) => id))).toHaveLength(100);
  const found = (await search('lantern', { k: 200, mode: 'dense' })).hits;
  expect(new Set(found.map(({ id }) => id)).size).toBe(100);
  expect(found.every(({ text }) => text.startsWith('A lantern'))).toBe(true);
});

test('FR-156 ten asked of one vector give a list of length one', async () => {
  const { store } = await indexed(documents(1));
  const [vector] = await embedder.embed(['a pond with frogs'], { role: 'query' });
  const { hits } = await store.nearest(vector!, { k: 10 });
  expect(hits).toEqual([{ id: 'd0#0', score: expect.any(Number) }]);
  expect(hits[0]!.score).toBeLessThan(0.9);
});

test('one document with thousands of matching chunks does not hide the others', async () => {
  const large = { id: 'large', text: 'A lantern shines over the quiet water.\n\n'.repeat(3_000) };
  const surmise = createSurmise({ store: memoryStore(), embedder });
  await surmise.index(
    [large, ...documents(20)].map((document) => ({ document })),
    { chunking: { size: 25 } },
  );
  for (const mode of modes) {
    const { hits, trace } = await surmise.search('lantern water', { k: 30, mode, hyde: 'off' });
    expect(new Set(hits.map(({ document }) => document)).size).toBe(21);
    expect(trace.legs[0]!.candidates).toBeGreaterThan(1_000);
    const few = await surmise.search('lantern water', { k: 7, mode, hyde: 'off' });
    expect(few.hits.map(({ id }) => id)).toEqual(hits.slice(0, 7).map(({ id }) => id));
  }
});
