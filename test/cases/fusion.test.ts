import { expect, test } from 'vitest';
import { fuse, type Leg } from '../../src/core/fusion.js';
import type { Embedder } from '../../src/core/ports.js';
import { reciprocalRankFusion } from '../../src/core/reciprocal-rank-fusion.js';
import { indexed } from '../core/library.js';

const leg = (name: string, ...ids: string[]): Leg => {
  const hits = ids.map((id, index) => ({ id, score: 5 - index }));
  return { name, weight: 1, found: ids.length, list: { hits, matched: ids.length, range: { min: 0, max: 5 } } };
};
const methods = ['linear', 'rrf'] as const;

test('FR-186 the same sentence in two files stays two hits, each with its own place and all its sources', async () => {
  const text = 'The lantern burns with oil.';
  const surmise = await indexed([
    { id: 'new', path: '/new.md', title: 'New', text },
    { id: 'old', path: '/old.md', title: 'Old', text: `${text}\n` },
  ]);
  for (const fusion of methods) {
    const { hits } = await surmise.search('burning lantern oil', { fusion, hyde: 'off' });
    expect(hits.map(({ path, title, text: found }) => [path, title, found])).toEqual([
      ['/new.md', 'New', text],
      ['/old.md', 'Old', text],
    ]);
    for (const { legs } of hits) expect(Object.keys(legs).sort()).toEqual(['dense', 'lexical']);
  }
});

test('FR-187 many chunks of one document give it no more than its best one', async () => {
  const legs = [leg('one', 'd1#0', 'd1#1', 'd2#0')];
  for (const method of methods) {
    const [best, second, third] = fuse(legs, { method });
    expect([best!.id, second!.id, third!.id]).toEqual(['d1#0', 'd1#1', 'd2#0']);
    expect(best!.score).toBe(1);
  }
  const repeated = fuse([leg('one', 'd1#0', 'd1#0', 'd1#0', 'd2#0')], { method: 'rrf' });
  expect(repeated).toMatchObject([
    { id: 'd1#0', score: 1 },
    { id: 'd2#0', score: 61 / 64 },
  ]);

  const chapter = `Somebody mentions a lantern. ${'The tale goes on about the sea and the people in the bay. '.repeat(18)}`;
  const surmise = await indexed([
    { id: 'long', text: `${chapter}\n\n`.repeat(12) },
    { id: 'short', text: 'A lantern.' },
  ]);
  const { hits } = await surmise.search('lantern', { mode: 'lexical' });
  expect(hits.map(({ document }) => document)).toEqual(['short', 'long']);
  const chunks = await surmise.search('lantern', { mode: 'lexical', per: 'chunk', k: 20 });
  expect(chunks.hits).toHaveLength(13);
  expect(hits[1]!.score).toBe(chunks.hits.find(({ document }) => document === 'long')!.score);
});

test('FR-188 one id in every leg: found by both beats found by one at the same rank', async () => {
  for (const method of methods) {
    const fused = fuse([leg('lexical', 'both', 'words'), leg('dense', 'both', 'sense')], { method });
    expect(fused.map(({ id }) => id)).toEqual(['both', 'sense', 'words']);
    expect(fused[0]!.score).toBe(1);
  }
  const { search } = await indexed([
    { id: 'both', text: 'The lantern burns.' },
    { id: 'other', text: 'Fog lies on the water.' },
  ]);
  for (const fusion of methods) {
    const { hits } = await search('lantern', { fusion, hyde: 'off' });
    expect(hits[0]).toMatchObject({ id: 'both#0', score: 1, legs: { lexical: { rank: 1 }, dense: { rank: 1 } } });
  }
});

test('FR-189 ranks count from 1, and one that is missing is missing', () => {
  const fused = fuse([leg('one', 'P', 'q', 'R'), leg('two', 's', 't', 'R')], { method: 'rrf' });
  expect(fused.map(({ id }) => id)).toEqual(['R', 'P', 's', 'q', 't']);
  expect(fused[0]!.score).toBeCloseTo(61 / 63, 12);
  expect(fused[1]).toEqual({ id: 'P', score: 0.5, legs: { one: { rank: 1, score: 5, part: 0.5 } } });
});

test('FR-190 a document whose title was asked for stays first though the embedder likes all of them', async () => {
  // Cosines between .75 and .9 with every question, that of the document sought in the middle.
  const cosines: Record<string, number> = { Lighthouse: 0.8, Harbour: 0.9, Ferry: 0.75, Beacon: 0.85 };
  const embedder: Embedder = {
    fingerprint: { provider: 'test', model: 'warm', dimensions: 2, normalised: true },
    limits: { batch: 8 },
    embed: async (texts, { role }) =>
      texts.map((text) => {
        const cosine = role === 'query' ? 1 : cosines[text.split('\n')[0]!]!;
        return Float32Array.of(cosine, Math.sqrt(1 - cosine * cosine));
      }),
  };
  const documents = Object.keys(cosines).map((title) => ({
    id: title,
    title,
    text: `Built of stone, long ago, by the sea.`,
  }));
  const { search } = await indexed(documents, { embedder });
  for (const fusion of methods) {
    const { hits } = await search('lighthouse', { fusion, hyde: 'off' });
    expect(hits[0]!.document).toBe('Lighthouse');
    expect(hits[1]!.document).toBe('Harbour');
  }
  const weight = async (denseWeight: number) =>
    (await search('lighthouse', { denseWeight, hyde: 'off' })).hits.map(({ document }) => document);
  expect((await weight(0.1))[0]).toBe('Lighthouse');
  expect(await weight(1)).toEqual(['Harbour', 'Beacon', 'Lighthouse', 'Ferry']);
});

test('FR-187, FR-189 lists of whatever sort: once in each list by its best place, from 1, and nothing where it is not', () => {
  const byDocument = reciprocalRankFusion([['long', 'long', 'long', 'short'], ['short']]);
  expect(byDocument).toEqual([
    { id: 'short', score: 1 / 62 + 1 / 61 },
    { id: 'long', score: 1 / 61 },
  ]);
  const inBoth = reciprocalRankFusion([
    ['p', 'q', 'r'],
    ['s', 't', 'r'],
  ]);
  expect(inBoth[0]).toEqual({ id: 'r', score: 2 / 63 });
});
