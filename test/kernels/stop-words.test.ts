import { expect, test } from 'vitest';
import { foldAccents } from '../../src/kernels/fold.js';
import { stopWordLanguages, stopWordsOf, stopWordWeight } from '../../src/kernels/stop-words.js';

test('lists are lower-case and without accents, as they are looked up', () => {
  for (const language of stopWordLanguages) {
    for (const word of stopWordsOf(language)) expect(foldAccents(word.toLowerCase())).toBe(word);
  }
  expect(stopWordsOf('xx').size).toBe(0);
  expect(stopWordsOf('constructor').size).toBe(0);
});

test('words of many languages weigh less than those of one', () => {
  expect(stopWordWeight('the')).toBe(1);
  expect(stopWordWeight('de')).toBeLessThan(0.5);
});
