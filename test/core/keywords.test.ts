import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expandKeywords, extractKeywords } from '../../src/core/keywords.js';
import { generatorOf } from './library.js';

const stopWords = new Set(['the', 'and', 'para']);

test('most frequent first, ties in alphabetical order, stop words and short ones left out', () => {
  expect(
    extractKeywords('The hive, the (queen) and the HIVE: go to a new "hive"; queen! Drone.', { stopWords }),
  ).toEqual(['hive', 'queen', 'drone', 'new']);
  expect(extractKeywords('one two three four', { max: 2 })).toEqual(['four', 'one']);
  expect(extractKeywords(' \n ... a I ')).toEqual([]);
});

test('words of any script stay whole; those without spaces are told apart', () => {
  expect(extractKeywords('configuração para a produção', { stopWords })).toEqual(['configuração', 'produção']);
  expect(extractKeywords('настройка сервера')).toEqual(['настройка', 'сервера']);
  expect(extractKeywords('搜索引擎的配置')).toContain('配置');
});

test('the given keywords come first, then at most five new ones of the passage', async () => {
  const generator = generatorOf(async (_, { n, maxTokens }) => [
    { text: `Split the package into files by receiver, then move helpers and tests; keep exports. ${n} ${maxTokens}` },
  ]);
  const given = ['Split', 'engine'];
  const expanded = await expandKeywords('help me split the engine', given, { generator, stopWords });
  expect(expanded.slice(0, 2)).toEqual(given);
  expect(expanded).toHaveLength(7);
  expect(new Set(expanded.map((word) => word.toLowerCase())).size).toBe(7);
  expect(expanded).not.toContain('the');
  expect(expanded.slice(2)).toEqual(expanded.slice(2).map((word) => word.toLowerCase()));
});

test.each<[string, Parameters<typeof generatorOf>[0]]>([
  ['fails', () => Promise.reject(new Error('no credit'))],
  ['gives nothing', async () => []],
  ['gives something else', async () => [null] as never],
  ['refuses', async () => [{ text: "I'm sorry, but I cannot help with that." }]],
  ['hangs', () => new Promise(() => {})],
])('a generator that %s leaves the keywords as they were', async (_, generate) => {
  const given = ['split', 'engine'];
  const options = { generator: generatorOf(generate), deadlineMs: 20 };
  expect(await expandKeywords('help me split the engine', given, options)).toEqual(given);
  expect(await expandKeywords('help me split the engine', given)).toEqual(given);
});

test('who gives up is told so', async () => {
  const generator = generatorOf(() => new Promise(() => {}));
  const options = { generator, signal: AbortSignal.timeout(1) };
  await expect(expandKeywords('split the engine', ['split'], options)).rejects.toMatchObject({ code: 'aborted' });
});

test('any text gives unique words in lower case, as many as asked', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 0, max: 30 }), (text, max) => {
      const keywords = extractKeywords(text, { max });
      expect(new Set(keywords).size).toBe(keywords.length);
      expect(keywords.length).toBeLessThanOrEqual(max);
    }),
  ));
