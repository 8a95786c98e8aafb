import { describe, expect, test } from 'vitest';
import type { Prompt } from '../../src/core/ports.js';
import { embedder, generatorOf, indexed, library } from './library.js';

const history = [
  { role: 'user', text: 'How do I descale the kettle?' },
  { role: 'assistant', text: 'With vinegar.' },
] as const;
const full = 'How often should I descale the kettle?';

/** Says the question in full, or writes the passage, and keeps what it was asked. */
function model(standalone: string, passage = 'Descale the kettle with vinegar once a month.') {
  const prompts: Prompt[] = [];
  const generator = generatorOf(async (prompt) => {
    prompts.push(prompt);
    return [
      { text: prompt.system.includes('on its own') || /conversation/i.test(prompt.system) ? standalone : passage },
    ];
  });
  return { generator, prompts };
}

describe('a question after others', () => {
  test('is said in full first, and searched with so; the second time nobody is asked', async () => {
    const { generator, prompts } = model(full);
    const surmise = await indexed(library, { embedder, generator });
    const ask = () => surmise.search('How often?', { history, hyde: 'off' });
    const result = await ask();
    expect(result.hits[0]!.document).toBe('kettle');
    expect(result.query).toBe(full);
    expect(result.trace.standalone).toEqual({ asked: 'How often?', ms: expect.any(Number) });
    expect(prompts).toHaveLength(1);
    expect(prompts[0]!.user).toContain('How do I descale the kettle?');
    const again = await ask();
    expect(prompts).toHaveLength(1);
    expect(again.hits).toEqual(result.hits);
  });

  test('is what hypotheses are written for', async () => {
    const { generator, prompts } = model(full);
    const surmise = await indexed(library, { embedder, generator });
    const { trace } = await surmise.search('How often?', { history, hyde: 'on', n: 1 });
    expect(prompts.at(-1)!.question).toBe(full);
    expect(trace.hypotheses[0]).toMatchObject({ source: 'generator', used: true });
  });

  test.each<[string, string, string]>([
    ['an answer', 'Once a month.', 'an answer'],
    ['something else', 'Who painted the ceiling of the chapel in Rome?', 'other words'],
    ['a refusal', "I'm sorry, I can't help with that.", 'refusal'],
  ])('stays as it is where the model gives %s', async (_, answer, doubt) => {
    const { generator } = model(answer);
    const surmise = await indexed(library, { embedder, generator });
    const { query, trace } = await surmise.search('How often do bees swarm?', { history, hyde: 'off' });
    expect(query).toBe('How often do bees swarm?');
    expect(trace.standalone).toMatchObject({ doubt });
  });

  test.each([
    'How often should I use "the kettle of chalk"?',
    'How often should I descale -kettle -vinegar?',
    'descal* kettle how often?',
  ])('marks that the model puts into it are no operators: %s', async (answer) => {
    const { generator } = model(answer);
    const surmise = await indexed(library, { embedder, generator });
    const { hits, query, trace } = await surmise.search('How often?', { history, hyde: 'off' });
    expect(query).toBe(answer);
    expect(hits[0]!.document).toBe('kettle');
    expect(trace.operators).toBeUndefined();
  });

  test('operators of the user are followed', async () => {
    const { generator } = model('How often should I descale the kettle -vinegar?');
    const surmise = await indexed(library, { embedder, generator });
    const { hits, trace } = await surmise.search('How often -vinegar?', { history, hyde: 'off' });
    expect(trace.operators).toMatchObject({ not: [{ sequence: ['vinegar'] }] });
    expect(hits.map(({ document }) => document)).not.toContain('kettle');
  });

  test('is searched with however long the model makes it', async () => {
    const long = `${'the kettle of chalk and vinegar, '.repeat(450)}how often?`;
    const words = Array.from({ length: 4_000 }, (_, i) => `kettle${i}`).join(' ');
    for (const answer of [`${words.slice(0, 22_000)} vinegar?`, '\u0958'.repeat(12_000)]) {
      const { generator } = model(answer);
      const surmise = await indexed(library, { embedder, generator });
      expect((await surmise.search(long, { history, hyde: 'off' })).hits).toHaveLength(8);
    }
  });

  test('stays as it is where the model fails or hangs, within the deadline, and where there is none', async () => {
    const failing = generatorOf(() => Promise.reject(new Error('no credit left')));
    const hanging = generatorOf(() => new Promise(() => {}));
    for (const [generator, doubt] of [
      [failing, 'no credit left'],
      [hanging, 'took longer than 20 ms'],
      [undefined, 'no generator is configured'],
    ] as const) {
      const surmise = await indexed(library, { embedder, ...(generator && { generator }) });
      const { hits, query, trace } = await surmise.search('bees', { history, hyde: 'off', deadlineMs: 50 });
      expect(query).toBe('bees');
      expect(hits[0]!.document).toBe('bees');
      expect(trace.standalone).toMatchObject({ doubt: expect.stringContaining(doubt) });
    }
  });

  test('without a history no question is changed', async () => {
    const { generator, prompts } = model(full);
    const surmise = await indexed(library, { embedder, generator });
    for (const none of [undefined, []] as const) {
      const { trace } = await surmise.search('bees', { ...(none && { history: none }), hyde: 'off' });
      expect(trace).not.toHaveProperty('standalone');
    }
    expect(prompts).toEqual([]);
  });
});

test('a steered model sees the best passages of the plain list, others see none', async () => {
  const seen: string[] = [];
  const generator = generatorOf(async ({ user }) => {
    seen.push(user);
    return [{ text: 'A hive swarms when the old queen leaves with half of the bees.' }];
  });
  const surmise = await indexed(library, { embedder, generator });
  const question = 'when does a hive swarm';
  const steered = await surmise.search(question, { hyde: 'on', n: 1, prompt: { mode: 'steered' } });
  await surmise.search(question, { hyde: 'on', n: 1 });
  expect(seen).toHaveLength(2);
  expect(seen[0]).toContain('A hive swarms in May');
  expect(seen[1]).not.toContain('A hive swarms in May');
  expect(steered.trace.hypotheses[0]).toMatchObject({ source: 'generator', used: true });
  expect(steered.hits[0]!.document).toBe('bees');
});
