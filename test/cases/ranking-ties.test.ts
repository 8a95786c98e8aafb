import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byScore, fuse, type Leg } from '../../src/core/fusion.js';
import { embedder, indexed, memoryStore } from '../core/library.js';

const modes = ['lexical', 'dense', 'hybrid'] as const;
const fusions = ['linear', 'rrf'] as const;

test('FR-193 equal scores keep one order in every fresh index, whatever came first', async () => {
  const ids = ['i10', 'i9', 'Z', 'a', 'é', 'e', 'b/2', 'b/10', '~', '0'];
  const order = ['0', 'Z', 'a', 'b/10', 'b/2', 'e', 'i10', 'i9', '~', 'é'];
  const answers = new Set<string>();
  for (const turned of [
    ids,
    [...ids].reverse(),
    [...ids].sort(),
    order,
    fc.sample(fc.shuffledSubarray(ids, { minLength: 10 }), 1)[0]!,
  ]) {
    const surmise = await indexed(turned.map((id) => ({ id, text: 'the lantern burns' })));
    for (const mode of modes)
      for (const fusion of fusions) {
        const { hits } = await surmise.search('which lantern burns', { mode, fusion });
        expect(hits.map(({ document }) => document)).toEqual(order);
        expect(new Set(hits.map(({ score }) => score)).size).toBe(fusion === 'rrf' ? 10 : 1);
        answers.add(JSON.stringify([mode, fusion, hits]));
      }
    await surmise.close();
  }
  expect(answers.size).toBe(modes.length * fusions.length);
});

test('FR-194 a chunk of one leg and a chunk of the other at the same rank stand in order of id', async () => {
  const leg = (name: string, ...ids: string[]): Leg => {
    const hits = ids.map((id, index) => ({ id, score: 9 - index }));
    return { name, weight: 1, found: ids.length, list: { hits, matched: ids.length, range: { min: 0, max: 9 } } };
  };
  for (const method of fusions)
    for (const legs of [
      [leg('one', 'x', 'd', 'm'), leg('two', 'b', 'y', 'c')],
      [leg('one', 'b', 'y', 'c'), leg('two', 'x', 'd', 'm')],
      [leg('two', 'x', 'd', 'm'), leg('one', 'b', 'y', 'c')],
    ])
      expect(fuse(legs, { method }).map(({ id }) => id)).toEqual(['b', 'x', 'd', 'y', 'c', 'm']);

  // The same rule inside each leg, so that ranks do not depend on the store either.
  const { store } = await indexed(['n3', 'n1', 'n2'].map((id) => ({ id, text: 'the lantern burns' })));
  const [vector] = await embedder.embed(['lantern'], { role: 'query' });
  for (const { hits } of [
    await store.match([{ term: 'lantern', weight: 1 }], { k: 9 }),
    await store.nearest(vector!, { k: 9 }),
  ])
    expect(hits).toEqual([...hits].sort(byScore));
});

test('FR-196 pages of five are disjoint and cover all twenty', async () => {
  const documents = Array.from({ length: 20 }, (_, index) => ({
    id: `row${index}`,
    text: `lantern ${'lantern '.repeat(index % 6)}`,
  }));
  const surmise = await indexed(documents, { store: memoryStore() });
  const all = await surmise.search('lantern', { k: 20 });
  expect(new Set(all.hits.map(({ score }) => score)).size).toBe(6);
  const pages = await Promise.all(
    [5, 10, 15, 20].map(async (k) => (await surmise.search('lantern', { k })).hits.slice(k - 5)),
  );
  expect(pages.flat()).toEqual(all.hits);
  expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(20);
});
