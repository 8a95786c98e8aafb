import { describe, expect, test } from 'vitest';
import { analyze } from '../../src/kernels/analyze.js';
import { analyzeQuery } from '../../src/kernels/analyze-query.js';
import { createBm25Index } from '../../src/kernels/bm25-index.js';

const terms = (text: string, languages?: string | string[]) => analyzeQuery(text, languages).map(({ term }) => term);
const weightOf = (query: ReturnType<typeof analyzeQuery>, term: string) =>
  query.find((entry) => entry.term === term)?.weight;

describe('one language', () => {
  test('leaves stop words out, unless there is nothing else', () => {
    expect(terms('where is the harbour of the island', 'en')).toEqual(['harbour', 'island']);
    expect(terms('to be or not', 'en')).toEqual(['to', 'be', 'or', 'not']);
    expect(terms('where is the harbour')).toEqual(['where', 'is', 'the', 'harbour']);
  });

  test('an acronym in a written sentence is no stop word', () => {
    expect(terms('what does the WHO say', 'en')).toContain('who');
    expect(terms('WHAT DOES THE WHO SAY', 'en')).toEqual(['say']);
  });

  test('a term counts once for each word that has it', () => {
    const query = analyzeQuery('stone bridges and a wooden bridge', 'en');
    expect(weightOf(query, 'bridg')).toBe(2);
    expect(weightOf(query, 'stone')).toBe(1);
  });

  test('nothing to search for is an empty list', () => {
    expect(analyzeQuery('- ! ?', 'en')).toEqual([]);
    expect(analyzeQuery('', ['en', 'de'])).toEqual([]);
  });
});

describe('several languages', () => {
  test('brings the stems of each, and the stop words of the one that the query is in', () => {
    const query = terms('¿Dónde están las ciudades antiguas?', ['en', 'es']);
    expect(query).toContain(analyze('ciudades', 'es')[0]);
    expect(query).toContain(analyze('ciudades', 'en')[0]);
    expect(query).not.toContain('las');
  });

  test('letters that stand alone in capitals do not make a query French', () => {
    expect(terms('the vitamin C of T cells', ['en', 'fr'])).toContain('vitamin');
    expect(weightOf(analyzeQuery('vitamin C, vitamin D', ['en', 'fr']), 'c')).toBe(1);
  });

  test('a stem of a rare language weighs no more than the word does in its own', () => {
    const index = createBm25Index();
    for (let at = 0; at < 30; at++) index.add(`en${at}`, analyze(`${at} travelling by train`, 'en'));
    index.add('und', analyze('travelling', undefined));
    const query = analyzeQuery('travelling', ['en', 'und'], index);
    expect(weightOf(query, 'travel')).toBe(1);
    const share = weightOf(query, 'travelling');
    const idf = (df: number) => Math.log(1 + (31 - df + 0.5) / (df + 0.5));
    expect(share).toBeCloseTo(idf(30) / idf(1), 12);
    expect(analyzeQuery('travelling', ['en', 'und']).map(({ weight }) => weight)).toEqual([1, 1]);
  });

  test('in one language statistics change nothing', () => {
    const index = createBm25Index();
    index.add('a', analyze('the old mills', 'en'));
    expect(analyzeQuery('old mills', ['en'], index)).toEqual(analyzeQuery('old mills', 'en'));
  });
});

test('every query finds the text that it was typed from', () => {
  const texts = ['std::map', '--dry-run-only', '12.207', '§ 14', '🍋', '東京都', 'naïve', 'l’arbre', 'to be', 'A/B'];
  for (const languages of [[], ['en'], ['en', 'fr', 'und']]) {
    for (const text of texts) {
      const index = createBm25Index();
      index.add('x', analyze(text, languages[0]));
      index.add('y', analyze('something else entirely', languages[0]));
      expect(index.search(analyzeQuery(text, languages, index), { k: 2 }).hits.map(({ id }) => id)).toEqual(['x']);
    }
  }
});
