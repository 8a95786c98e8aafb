import { expect, test } from 'vitest';
import { analyze } from '../../src/kernels/analyze.js';
import { analyzeQuery } from '../../src/kernels/analyze-query.js';
import { createBm25Index } from '../../src/kernels/bm25-index.js';

function search(texts: readonly string[], query: string, language: string): string[] {
  const index = createBm25Index();
  for (const text of texts) index.add(text, analyze(text, language));
  return index.search(analyzeQuery(query, language, index), { k: 10 }).hits.map(({ id }) => id);
}

test('FR-021 a name with an accent is one word, found with and without it, composed or not', () => {
  const spellings = ['Salvatorè', 'Salvatorè'.normalize('NFD'), 'Salvatore'];
  for (const stored of spellings) {
    for (const query of spellings) expect(search([stored, 'Bruno'], query, 'en')).toEqual([stored]);
    for (const term of analyze(stored, 'en')) expect(term).toMatch(/^salvatore?$/);
  }
});

test('FR-022 the spellings of a French noun find each other, stemmed', () => {
  for (const spellings of [
    ['général', 'general', 'GÉNÉRAL'],
    ['élégance', 'elegance', 'élegance'],
    ['bibliothèques', 'bibliotheques', 'bibliothèque'],
    ['fenêtres', 'fenetre', 'fenêtre'],
  ]) {
    for (const query of spellings) expect(search(spellings, query, 'fr').toSorted()).toEqual(spellings.toSorted());
  }
});
