import { expect, test } from 'vitest';
import type { LegBalance } from '../../src/core/ports.js';
import { indexed, library, memoryStore } from '../core/library.js';

const balance: LegBalance = { lexical: 0.7, dense: 0.5, denseWeight: 0.4, samples: 150, chunks: 900, embedder: 'e' };

test('is kept with the index as long as that holds vectors', async () => {
  const { store } = await indexed();
  expect((await store.info()).legBalance).toBeUndefined();
  await store.keepLegBalance!(balance);
  expect((await store.info()).legBalance).toEqual(balance);
  await store.delete(library.map(({ id }) => id));
  expect((await store.info()).legBalance).toBeUndefined();
});

test('what is no measurement is none', async () => {
  const { store } = await indexed();
  for (const wrong of [
    { ...balance, dense: 2 },
    { ...balance, samples: 0 },
    { ...balance, denseWeight: '1' },
    null,
    5,
  ]) {
    await store.keepLegBalance!(wrong as never);
    expect((await store.info()).legBalance).toBeUndefined();
  }
});

test('a text scores as the chunk that it would be', async () => {
  const { store } = await indexed(
    library.map(({ title: _, ...rest }) => rest),
    {},
  );
  const [terms] = await store.analyze(['queen of the bees and the moon']);
  const { hits } = await store.match(terms!, { k: 8 });
  expect(hits.length).toBeGreaterThan(1);
  for (const { id, score } of hits) {
    const text = library.find((document) => `${document.id}#0` === id)!.text;
    expect(await store.scoreText!(terms!, text)).toBeCloseTo(score, 9);
  }
  expect(await store.scoreText!(terms!, '')).toBe(0);
  expect(await memoryStore().scoreText!(terms!, 'queen')).toBeGreaterThanOrEqual(0);
});
