import { expect, test } from 'vitest';
import { fuse } from '../../src/core/fusion.js';
import { deterministicGenerator } from '../../src/models/deterministic-generator.js';
import { embedder, indexed, library } from '../core/library.js';

const modes = ['lexical', 'dense', 'hybrid'] as const;
const kettle = library.find(({ id }) => id === 'kettle')!;

test('FR-168 higher is better in every leg and list: the same text before an unrelated one', async () => {
  const { store, search } = await indexed();
  const [vector] = await embedder.embed([`${kettle.title}\n${kettle.text}`], { role: 'document' });
  const [terms] = await store.analyze([kettle.text]);
  const near = (await store.nearest(vector!, { k: 9 })).hits;
  expect(near[0]).toEqual({ id: 'kettle#0', score: expect.closeTo(1, 5) });
  expect(near.at(-1)!.score).toBeLessThan(0.5);
  const matched = (await store.match(terms!, { k: 9 })).hits;
  expect(matched[0]!.id).toBe('kettle#0');
  for (const mode of modes) {
    const scores = (await search(kettle.text, { mode })).hits.map(({ score }) => score);
    expect(scores[0]).toBe(1);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  }
});

test('FR-170 with nothing in common there is nothing to show', async () => {
  const { search } = await indexed();
  expect(await search('zeppelin', { mode: 'lexical' })).toMatchObject({ hits: [], reason: 'nothing matches' });
  const { hits, reason } = await search('zeppelin', { minScore: 0.9 });
  expect([hits, reason]).toEqual([[], 'below the threshold']);
});

test('FR-171 a chunk for which a leg has no score is kept, without a score of that leg', async () => {
  const { store, search } = await indexed();
  const text = 'The kettle sings.';
  await store.put([{ document: { id: 'bare', text }, hash: 'h', chunks: [{ start: 0, end: text.length }] }]);
  const { hits } = await search('kettle', { hyde: 'off', per: 'chunk' });
  expect(hits).toHaveLength(9);
  const bare = hits.find(({ document }) => document === 'bare')!;
  expect(bare.legs).toEqual({ lexical: { rank: 2, score: expect.any(Number), part: bare.score } });
});

test('FR-172 a threshold is applied once, to the score that is shown', async () => {
  const { search } = await indexed();
  for (const mode of modes) {
    const all = (await search('kettle with water', { mode })).hits;
    for (const { score } of all) {
      const shown = (await search('kettle with water', { mode, minScore: score })).hits;
      expect(shown).toEqual(all.filter((hit) => hit.score >= score));
    }
  }
});

test('FR-175 the threshold looks at the final score, and the earlier ones are shown', async () => {
  const question = 'what to do about white crumbs';
  const generator = deterministicGenerator({ [question]: ['Descale the kettle with vinegar, chalk goes away.'] });
  const { search } = await indexed(library, { embedder, generator });
  const { hits } = await search(question, { minScore: 0.6 });
  const found = hits.find(({ document }) => document === 'kettle')!;
  expect(found.score).toBeGreaterThanOrEqual(0.6);
  expect(found.stages.plain!.score).toBeLessThan(0.6);
  expect(found.stages.hypotheses).toEqual({ score: found.score, rank: found.rank });
});

test('FR-175 so it does behind a reranker, whose scores are the final ones', async () => {
  const reranker = {
    id: 'likes tides',
    rerank: async (_: string, texts: readonly string[]) => texts.map((text) => (text.includes('tides') ? 0.9 : 0.1)),
  };
  const { search } = await indexed(library, { embedder, reranker });
  const all = (await search('bees leave the hive')).hits;
  const { hits } = await search('bees leave the hive', { minScore: 0.6 });
  expect(hits).toEqual(all.slice(0, 1));
  expect(hits[0]).toMatchObject({ document: 'tides', score: 0.9, stages: { rerank: { score: 0.9, rank: 1 } } });
  expect(hits[0]!.stages.plain!.score).toBeLessThan(0.6);
});

test('FR-177 what the reranker did not read has a score on its scale, below, and the threshold sees it', async () => {
  const reranker = { id: 'strict', rerank: async (_: string, texts: readonly string[]) => texts.map(() => 0.4) };
  const { search } = await indexed(library, { embedder, reranker });
  const { hits } = await search('bees leave the hive', { rerank: { depth: 2 } });
  expect(hits).toHaveLength(8);
  expect(hits.map(({ score }) => score <= 0.4)).toEqual(hits.map(() => true));
  const above = await search('bees leave the hive', { rerank: { depth: 2 }, minScore: 0.5 });
  expect([above.hits, above.reason]).toEqual([[], 'below the threshold']);
});

test('FR-177 no row below the threshold comes back, and every row has a score', async () => {
  const { search } = await indexed();
  for (const mode of modes) {
    const { hits } = await search('bees leave the hive', { mode, minScore: 0.5 });
    expect(hits.length).toBeGreaterThan(0);
    for (const { score } of hits) expect(score >= 0.5 && score <= 1).toBe(true);
    for (const { score } of (await search('bees leave the hive', { mode })).hits)
      expect(Number.isFinite(score)).toBe(true);
  }
});

test('FR-178 word scores are above 0, higher is better, and three of them stay three', async () => {
  const { store, search } = await indexed([
    { id: 'weak', text: 'Somebody in the big house by the river once saw a lantern there in the hall.' },
    { id: 'strong', text: 'lantern lantern lantern' },
    { id: 'middle', text: 'One lantern, another lantern.' },
  ]);
  const raw = (await store.match([{ term: 'lantern', weight: 1 }], { k: 9 })).hits;
  expect(raw.map(({ id }) => id)).toEqual(['strong#0', 'middle#0', 'weak#0']);
  for (const { score } of raw) expect(score).toBeGreaterThan(0);
  const shown = (await search('lantern', { mode: 'lexical' })).hits.map(({ score }) => score);
  expect(new Set(shown).size).toBe(3);
  expect(shown).toEqual([...shown].sort((a, b) => b - a));
  // Negative scores of a foreign engine keep their order as well, whatever their range.
  const hits = [-0.4, -3, -6].map((score) => ({ id: `r${score}`, score }));
  const mapped = fuse([
    { name: 'lexical', weight: 1, found: 3, list: { hits, matched: 3, range: { min: -6, max: -0.4 } } },
  ]);
  expect(mapped.map(({ score }) => score)).toEqual([1, expect.closeTo(3 / 5.6, 12), 0]);
});

test('FR-180 beside the relative score stands what a leg really found', async () => {
  const { search } = await indexed();
  const top = async (asked: string) => (await search(asked, { hyde: 'off', mode: 'hybrid' })).hits[0]!;
  const weak = await top('the parliament of zeppelins');
  const strong = await top('a hive swarms in May when the old queen leaves');
  expect(weak.score).toBeGreaterThanOrEqual(0.5);
  expect(weak.legs.dense!.score).toBeLessThan(0.5);
  expect(strong.legs.dense!.score).toBeGreaterThan(weak.legs.dense!.score + 0.2);
  expect(strong.legs.lexical!.score).toBeGreaterThan(5 * (weak.legs.lexical?.score ?? 0));
});

test('FR-181 a filter changes no threshold, and no score of a leg', async () => {
  const { search } = await indexed();
  const where = { field: 'id', is: '=', value: 'tides' } as const;
  for (const mode of modes) {
    const options = { mode, hyde: 'off', where } as const;
    const all = (await search('the old queen and the moon', { mode, hyde: 'off' })).hits;
    const [hit, ...others] = (await search('the old queen and the moon', options)).hits;
    expect([hit!.document, others]).toEqual(['tides', []]);
    for (const [leg, { score }] of Object.entries(all.find(({ document }) => document === 'tides')!.legs))
      expect(hit!.legs[leg]!.score).toBe(score);
  }
  // Words of two documents that pass: the lesser one is held back by the threshold with the filter too.
  const both = { or: [where, { field: 'id', is: '=', value: 'bees' }] } as const;
  const asked = { mode: 'lexical', hyde: 'off', where: both } as const;
  const [best, lesser] = (await search('the old queen leaves, the moon does not', asked)).hits;
  expect(lesser!.score).toBeLessThan(0.7);
  const above = (await search('the old queen leaves, the moon does not', { ...asked, minScore: 0.7 })).hits;
  expect(above).toEqual([best]);
});

test('FR-182 two asked, two at most', async () => {
  const documents = library.map((document) => ({ ...document, text: `${document.text}\n\n`.repeat(40) }));
  const { search } = await indexed(documents);
  for (const mode of modes)
    for (const per of ['document', 'chunk'] as const)
      for (const fusion of ['linear', 'rrf'] as const)
        expect((await search('moon and bees and bread', { k: 2, mode, per, fusion })).hits.length).toBeLessThanOrEqual(
          2,
        );
});
