import { expect, test } from 'vitest';
import type { Generator, Prompt } from '../../src/core/ports.js';
import { documentTasks } from '../../src/core/prompt-documents.js';
import { indexed, library } from './library.js';

const passage = 'In May the old queen leaves with half of the bees to found another colony.';

/** Answers always the same and keeps what it was asked. */
function listener(more: Partial<Generator> = {}) {
  const asked: { readonly prompt: Prompt; readonly n: number }[] = [];
  const generator: Generator = {
    id: 'listener',
    ...more,
    async generate(prompt, { n }) {
      asked.push({ prompt, n });
      return [{ text: passage }];
    },
  };
  return { asked, generator };
}

test('the prompt of a search can be that of a type of documents, a language, or one’s own', async () => {
  const { asked, generator } = listener();
  const surmise = await indexed(library, { generator });
  const ask = (prompt?: object) => surmise.search('why do bees swarm', { hyde: 'on', n: 1, ...(prompt && { prompt }) });
  for (const prompt of [undefined, { type: 'notes' }, { language: 'de' }, { instructions: 'Write a rhyme.' }])
    await ask(prompt);
  const systems = asked.map(({ prompt }) => prompt.system);
  expect(systems[0]).toContain(documentTasks.general);
  expect(systems[1]).toContain(documentTasks.notes);
  expect(systems[2]).toContain('auf Deutsch');
  expect(systems[3]).toContain('Write a rhyme.');
  await ask({ type: 'notes' });
  expect(asked).toHaveLength(4);
});

test('what was asked for is looked for in the answer', async () => {
  const { generator } = listener();
  const surmise = await indexed(library, { generator });
  const { trace } = await surmise.search('蜜蜂为什么分群', { hyde: 'on', n: 1, prompt: { language: 'zh' } });
  expect(trace.hypotheses[0]).toMatchObject({ used: false, dropped: 'wrong script' });
});

test('a local generator is asked for one hypothesis, another for three, both for as many as the caller says', async () => {
  for (const [size, expected] of [
    ['local', 1],
    ['hosted', 3],
    [undefined, 3],
  ] as const) {
    const { asked, generator } = listener(size && { size });
    const surmise = await indexed(library, { generator });
    await surmise.prefetch('why do bees swarm', { hyde: 'on' });
    await surmise.search('why do bees swarm', { hyde: 'on' });
    await surmise.search('why do bees swarm', { hyde: 'on', n: 8 });
    expect(asked.map(({ n }) => n)).toEqual([expected, 8]);
  }
});

test.each<[object, RegExp]>([
  [{ type: 'poems' }, /no prompt for documents of type "poems"/],
  [{ language: 'German!' }, /no language code/],
  [{ instructions: '' }, /1 to 4000 characters/],
  [{ passages: [] }, /"prompt" must be an object of "type", "language", "instructions" and "mode"/],
  [{ type: 3 }, /"prompt" must be/],
])('the prompt %j is refused', async (prompt, message) => {
  const surmise = await indexed(library, {});
  await expect(surmise.search('bees', { prompt })).rejects.toThrow(message);
});

test('an answer with very long reasoning in front is used', async () => {
  const { generator } = listener();
  const thinks = {
    ...generator,
    generate: async () => [{ text: `<think>${'bees? '.repeat(20_000)}</think>${passage}` }],
  };
  const { trace } = await (await indexed(library, { generator: thinks })).search('why do bees swarm', {
    hyde: 'on',
    n: 1,
  });
  expect(trace.hypotheses[0]).toEqual({ source: 'generator', text: passage, used: true });
});
