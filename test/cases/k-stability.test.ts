import { expect, test } from 'vitest';
import { deterministicGenerator } from '../../src/models/deterministic-generator.js';
import { feedbackGenerator } from '../../src/models/feedback.js';
import { embedder, indexed } from '../core/library.js';

test('FR-197 three hits are the first of eight, and those the first of more than a leg gives at once', async () => {
  const parts = ['lantern', 'harbour', 'fog', 'horn', 'keeper', 'stairs', 'oil', 'storm'];
  const documents = Array.from({ length: 1_200 }, (_, index) => ({
    id: `d${index}`,
    text: parts.filter((_, bit) => (index * 7) & (1 << bit)).join(' ') || 'empty',
  }));
  const question = 'which lantern does the keeper light in fog';
  const generator = deterministicGenerator({
    [question]: ['The keeper climbs the stairs and fills the lantern with oil.'],
  });
  const surmise = await indexed(documents, { embedder, generator, feedback: feedbackGenerator() });
  for (const fusion of ['linear', 'rrf'] as const)
    for (const per of ['document', 'chunk'] as const) {
      const [few, more, all] = await Promise.all(
        [3, 8, 1_000].map(async (k) => (await surmise.search(question, { k, fusion, per })).hits),
      );
      expect(all).toHaveLength(1_000);
      expect(more).toEqual(all!.slice(0, 8));
      expect(few).toEqual(all!.slice(0, 3));
    }
});

test('FR-197 also behind a reranker and with what is alike making way', async () => {
  const words = ['lantern', 'harbour', 'fog', 'horn', 'keeper', 'stairs', 'oil', 'storm'];
  const documents = Array.from({ length: 150 }, (_, index) => ({
    id: `d${index}`,
    text: `lantern ${words.filter((_, bit) => (index * 7) & (1 << bit)).join(' ')}`,
  }));
  const reranker = {
    id: 'by length',
    rerank: async (_: string, texts: readonly string[]) => texts.map((text) => (text.length % 7) / 7),
  };
  const { search } = await indexed(documents, { embedder, reranker });
  const ids = async (k: number) =>
    (await search('lantern of the harbour', { k, mmr: true, hyde: 'off' })).hits.map(({ id }) => id);
  const all = await ids(150);
  expect(new Set(all).size).toBe(150);
  for (const k of [1, 3, 8, 49, 50, 51, 100]) expect(await ids(k)).toEqual(all.slice(0, k));
});
