import { expect, test } from 'vitest';
import { createStockAnswers } from '../../src/core/stock-answers.js';
import { generatorOf, indexed, library } from './library.js';

const example = 'The Eiffel Tower was completed in 1889 and is 330 metres high.';

test('a passage that answers questions with nothing in common is a stock answer', () => {
  const stock = createStockAnswers();
  expect(stock.has(example, 'how high is the tower of Paris')).toBe(false);
  expect(stock.has(example, 'how high is the tower of Paris')).toBe(false);
  expect(stock.has(example, 'Paris: tower, year?')).toBe(false);
  expect(stock.has(`${example.toUpperCase()}!`, 'Why do bees swarm?')).toBe(true);
  expect(stock.has(`${example} It is of iron.`, 'Why do bees swarm?')).toBe(false);
  expect(stock.has(example, '')).toBe(false);
});

test('scripts without spaces are compared by character', () => {
  const stock = createStockAnswers();
  expect(stock.has(example, '铁塔有多高')).toBe(false);
  expect(stock.has(example, '巴黎铁塔')).toBe(false);
  expect(stock.has(example, '蜜蜂')).toBe(true);
});

test('it is remembered for the last thousand passages', () => {
  const stock = createStockAnswers();
  for (let i = 0; i <= 1_000; i++) stock.has(`passage ${i}`, 'tower');
  expect([stock.has('passage 0', 'bees'), stock.has('passage 900', 'bees')]).toEqual([false, true]);
});

test('searches drop it with its reason and give the plain hits', async () => {
  const surmise = await indexed(library, { generator: generatorOf(async () => [{ text: example }]) });
  await surmise.search('which tower stands near the river', { n: 1, hyde: 'on' });
  const { hits, trace, degraded } = await surmise.search('why do bees swarm', { n: 1, hyde: 'on' });
  expect(trace.hypotheses.filter(({ source }) => source === 'generator')).toEqual([
    { source: 'generator', text: example, used: false, dropped: 'stock answer' },
  ]);
  expect(degraded).toMatchObject([{ part: 'generator' }]);
  expect(hits).toEqual((await surmise.search('why do bees swarm', { hyde: 'off' })).hits);
});
