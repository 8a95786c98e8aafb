import { expect, test } from 'vitest';
import { hydeSearch } from '../../src/core/hyde-search.js';
import { reciprocalRankFusion } from '../../src/core/reciprocal-rank-fusion.js';
import { embedder, indexed, library } from './library.js';

const items = [
  { id: 'east', vector: [1, 0] },
  { id: 'east again', vector: [5, 0] },
  { id: 'north', vector: [0, 2] },
  { id: 'west', vector: [-1, 0] },
];
const texts = ['A hive swarms in May.', 'The old queen leaves with half of the bees.'];

test('vectors are averaged and the nearest items found, by hand', async () => {
  const result = await hydeSearch([[1, 0], Float32Array.of(0, 3)], items, { k: 3 });
  expect(result).toMatchObject({ textsFused: 2, averagedVectorUnitNorm: true, dimension: 2, weights: [1, 1] });
  const half = expect.closeTo(Math.SQRT1_2, 6);
  expect(result.hits).toEqual([
    { id: 'east', score: half },
    { id: 'east again', score: half },
    { id: 'north', score: half },
  ]);
  expect(result.latencyMs).toBeGreaterThanOrEqual(0);
});

test('weights count, the threshold keeps what reaches it, and k is a prefix', async () => {
  const turned = [
    [1, 0],
    [0, 1],
  ] as const;
  const all = await hydeSearch(turned, items, { weights: [0, 2], k: 4 });
  expect(all.hits.map(({ id }) => id)).toEqual(['north', 'east', 'east again', 'west']);
  expect((await hydeSearch(turned, items, { weights: [0, 2], k: 2 })).hits).toEqual(all.hits.slice(0, 2));
  expect((await hydeSearch(turned, items, { weights: [1, 0], minScore: 1 })).hits).toHaveLength(2);
});

test('with MMR the twin goes behind what is unlike it', async () => {
  const asked = [[2, 1]] as const;
  const ids = async (options: object) => (await hydeSearch(asked, items, options)).hits.map(({ id }) => id);
  expect(await ids({})).toEqual(['east', 'east again', 'north', 'west']);
  expect(await ids({ mmr: true, k: 2 })).toEqual(['east', 'north']);
  expect(await ids({ mmr: { lambda: 1 }, k: 2 })).toEqual(['east', 'east again']);
});

test('texts are embedded as documents and found in a store, also with MMR, and the list fuses with others', async () => {
  const { store } = await indexed(library);
  const { hits, textsFused } = await hydeSearch(texts, store, { embedder, k: 3 });
  expect(textsFused).toBe(2);
  expect(hits[0]!.id).toBe('bees#0');
  const [a, b] = await embedder.embed(texts, { role: 'document' });
  expect((await hydeSearch([a!, texts[1]!], store, { embedder, k: 3 })).hits).toEqual(hits);
  expect((await hydeSearch([a!, b!], store, { mmr: true, k: 1 })).hits).toEqual(hits.slice(0, 1));
  const [terms] = await store.analyze(['bees and their queen']);
  const words = await store.match(terms!, { k: 5 });
  expect(reciprocalRankFusion([hits, words.hits])[0]!.id).toBe('bees#0');
});

test('hypotheses that cancel out find nothing, and say so', async () => {
  const result = await hydeSearch(
    [
      [1, 0],
      [-2, 0],
    ],
    items,
  );
  expect(result).toMatchObject({ hits: [], averagedVectorUnitNorm: false, vector: Float32Array.of(0, 0) });
});

test.each<[string, () => Promise<unknown>]>([
  ['no hypotheses', () => hydeSearch([], items)],
  ['no list of hypotheses', () => hydeSearch('a text' as never, items)],
  ['too many hypotheses', () => hydeSearch(new Array(65).fill([1, 0]), items)],
  ['texts without an embedder', () => hydeSearch(['a text'], items)],
  ['weights of another length', () => hydeSearch([[1, 0]], items, { weights: [1, 2] })],
  ['another dimension', () => hydeSearch([[1, 0, 0]], items)],
  ['an item that is no number', () => hydeSearch([[1, 0]], [{ id: 'a', vector: [Number.NaN, 0] }])],
  ['a hypothesis that is neither text nor vector', () => hydeSearch([5 as never], items)],
  ['a k of 0', () => hydeSearch([[1, 0]], items, { k: 0 })],
  ['a threshold out of range', () => hydeSearch([[1, 0]], items, { minScore: 2 })],
  ['a λ out of range', () => hydeSearch([[1, 0]], items, { mmr: { lambda: 2 } })],
])('%s is a bad argument', async (_, work) => {
  await expect(work()).rejects.toThrow(expect.objectContaining({ code: 'bad_argument' }));
});
