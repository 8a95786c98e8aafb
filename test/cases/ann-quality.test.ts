import { expect, test } from 'vitest';
import { parseWhere } from '../../src/core/parse-where.js';
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
