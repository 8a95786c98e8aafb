import { expect, test } from 'vitest';
import { parseWhere } from '../../src/core/parse-where.js';
import { createVectorIndex } from '../../src/kernels/vector-index.js';
import { indexed } from '../core/library.js';

test('FR-152 a list as long as the index is complete, and a filter comes before the list is cut', async () => {
  const documents = Array.from({ length: 1_000 }, (_, at) => ({
    id: `d${at}`,
    text: `Lock keeper ${at} opens the gate.`,
    metadata: { part: at % 100 },
  }));
  const { search } = await indexed(documents);
  const asked = { mode: 'dense', hyde: 'off' } as const;
  expect(new Set((await search('gate', { ...asked, k: 1_000 })).hits.map(({ id }) => id)).size).toBe(1_000);
  const { hits } = await search('gate', { ...asked, k: 10, where: parseWhere('part = 99') });
  expect(hits.map(({ document }) => Number(document.slice(1)) % 100)).toEqual(Array(10).fill(99));
});

test('FR-152 a thousand asked of an index of a thousand are all there, whatever was removed and added meanwhile', () => {
  const index = createVectorIndex(8);
  const vector = (number: number) => Float32Array.from({ length: 8 }, (_, at) => Math.sin(number * (at + 1)));
  for (let number = 0; number < 1_300; number++) index.add(`n${number}`, vector(number));
  for (let number = 0; number < 300; number++) index.remove(`n${number * 4}`);
  const { hits } = index.search(vector(5), { k: 1_000 });
  expect(new Set(hits.map(({ id }) => id)).size).toBe(1_000);
  const few = index.search(vector(5), { k: 10, allow: (id) => id.endsWith('99') });
  expect(few.hits).toEqual(hits.filter(({ id }) => id.endsWith('99')).slice(0, 10));
});
