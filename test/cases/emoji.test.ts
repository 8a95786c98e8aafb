import { expect, test } from 'vitest';
import { analyze } from '../../src/kernels/analyze.js';
import { analyzeQuery } from '../../src/kernels/analyze-query.js';
import { createBm25Index } from '../../src/kernels/bm25-index.js';

function search(texts: Record<string, string>, query: string): string[] {
  const index = createBm25Index();
  for (const [id, text] of Object.entries(texts)) index.add(id, analyze(text, 'en'));
  return index.search(analyzeQuery(query, 'en', index), { k: 10 }).hits.map(({ id }) => id);
}

test('FR-026 a message is found by the emoji in it', () => {
  const texts = { lemon: 'Bring lemons 🍋 please', pear: 'and pears🍐', none: 'thanks' };
  expect(search(texts, '🍋')).toEqual(['lemon']);
  expect(search(texts, '🍐')).toEqual(['pear']);
});

test('FR-028 a symbol is something to search for', () => {
  expect(search({ law: '§ 14 Tenancy', number: '14 tenants', none: 'rent' }, '§')).toEqual(['law']);
  expect(search({ law: '§14 Tenancy', none: 'rent' }, '§ 14')).toEqual(['law']);
});

test('FR-029 a text that is one emoji is found by it, whole sequences and their plain forms too', () => {
  for (const emoji of ['🙂', '👍🏽', '❤️', '🇮🇸', '👩‍🚀', '1️⃣', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'])
    expect(search({ it: emoji, none: '🐢' }, emoji)).toEqual(['it']);
  expect(search({ toned: '👍🏽' }, '👍')).toEqual(['toned']);
  expect(search({ plain: '❤' }, '❤️')).toEqual(['plain']);
});
