import { expect, test } from 'vitest';
import { indexLanguage } from '../../src/core/index-language.js';
import { generatorOf, indexed } from './library.js';

test.each<[Record<string, number>, string | undefined]>([
  [{ en: 100 }, 'en'],
  [{ en: 80, es: 20 }, 'en'],
  [{ en: 79, es: 21 }, undefined],
  [{ und: 90, en: 10 }, undefined],
  [{ es: 20, en: 80 }, 'en'],
  [{}, undefined],
])('the language of an index with %j', (languages, expected) => {
  const chunks = Object.values(languages).reduce((sum, count) => sum + count, 0);
  expect(indexLanguage({ languages, chunks })).toBe(expected);
});

const documents = [
  'La marea sube dos veces al día cuando la luna y el sol tiran juntos del agua del mar.',
  'El pan de masa madre se deja reposar toda la noche antes de meterlo en un horno muy caliente.',
  'Las abejas abandonan la colmena en mayo, cuando la reina vieja se marcha con la mitad del enjambre.',
].map((text, i) => ({ id: `d${i}`, text }));

test('hypotheses are written in the language of the documents, not of the question', async () => {
  const systems: string[] = [];
  const generator = generatorOf(async ({ system }) => {
    systems.push(system);
    return [{ text: 'Las abejas dejan la colmena en primavera, en mayo, con la reina vieja.' }];
  });
  const surmise = await indexed(documents, { generator });
  const { hits, trace } = await surmise.search('when do bees leave their hive', { n: 1 });
  expect(trace.generator).toMatchObject({ language: 'es' });
  expect(hits[0]!.document).toBe('d2');
  const asked = await surmise.search('when do bees leave their hive', { n: 1, prompt: { language: 'en' } });
  expect(asked.trace.generator).toMatchObject({ language: 'en' });
  expect(systems[0]).not.toBe(systems[1]);
  expect(systems[0]).toContain('español');
});

test('one in another script is dropped, with the reason', async () => {
  const generator = generatorOf(async () => [
    { text: 'Пчёлы покидают улей в мае, когда старая матка улетает с половиной роя.' },
  ]);
  const surmise = await indexed(documents, { generator });
  const { trace } = await surmise.search('when do bees leave their hive', { n: 1 });
  expect(trace.hypotheses).toMatchObject([{ used: false, dropped: 'wrong script' }]);
});
