import { expect, test } from 'vitest';
import { defaultHypotheses } from '../../src/core/hypothesis-count.js';
import type { Generator } from '../../src/core/ports.js';
import { standalonePrompt, type Turn } from '../../src/core/prompt.js';
import {
  type AskStandaloneOptions,
  askStandaloneQuestion,
  standaloneQuestion,
} from '../../src/core/standalone-question.js';
import { deterministicGenerator } from '../../src/models/deterministic-generator.js';
import { generatorOf } from './library.js';

const history: readonly Turn[] = [
  { role: 'user', text: 'Which ferry goes to Hiddensee?' },
  { role: 'assistant', text: 'The white one, from the northern pier.' },
];
const question = 'And when does it leave?';
const wanted = 'When does the white ferry to Hiddensee leave?';
const { system: instructions } = standalonePrompt(history, question);

test.each([
  wanted,
  `  ${wanted}\n`,
  `"${wanted}"`,
  `<think>it = the ferry</think>\n${wanted}`,
  `Question that can be understood alone: ${wanted}`,
  `**Standalone question:** ${wanted}`,
  `Sure, here is the question:\n${wanted}`,
  `{"passage": "${wanted}"}`,
  `<question-12ab34cd>\n${question}\n</question-12ab34cd>\n${wanted}`,
  `${wanted}<|im_end|><|im_start|>user\nAnd back?`,
])('%j', (raw) => expect(standaloneQuestion(raw, question, history, { instructions })).toEqual({ question: wanted }));

test.each<[string, string]>([
  ['empty', ''],
  ['empty', '<think>nothing</think>'],
  ['unfinished thinking', '<think>The ferry'],
  ['thinking aloud', 'Okay, the user asks when the ferry leaves'],
  ['cut-off JSON', '{"passage": "When does the white'],
  ['several lines', `${wanted}\nIt leaves at noon.`],
  ['refusal', 'I’m sorry, but I cannot answer that question about the ferry'],
  ['placeholder', 'When does the ferry to [insert place] leave?'],
  ['an answer', 'The white ferry to Hiddensee leaves at noon.'],
  ['other words', 'Who painted Guernica?'],
  ['too long', `When ${'does the ferry '.repeat(50)}leave?`],
  ['repetition', `When ${'does it leave '.repeat(15)}?`],
  ['echo of the prompt', instructions.slice(60, 400)],
])('%s: %j is not believed', (doubt, raw) =>
  expect(standaloneQuestion(raw, question, history, { instructions })).toEqual({ question, doubt }),
);

test('word for word it stays whole', () => {
  const said = 'About your second question: when does the white ferry leave?';
  expect(standaloneQuestion(said, said, history)).toEqual({ question: said });
});

test('a number or an identifier is not lost, another language is not taken', () => {
  const asked = 'Does max_retries help it with HTTP 429?';
  const say = (raw: string) => standaloneQuestion(raw, asked, history, { language: 'en' });
  expect(say('Does max_retries of the ferry client help with HTTP 429?').doubt).toBeUndefined();
  expect(say('Do more attempts help the ferry with HTTP 429?')).toEqual({ question: asked, doubt: 'a lost name' });
  const russian = 'Когда с далёкого северного причала отправляется на остров белый паром, который называют ferry?';
  expect(standaloneQuestion(russian, question, history, { language: 'en' })).toEqual({
    question,
    doubt: 'wrong script',
  });
});

test('asked of a generator', async () => {
  const ask = (generator: Generator, options?: AskStandaloneOptions) =>
    askStandaloneQuestion(generator, history, question, options);
  const answering = deterministicGenerator({ [question]: [wanted] });
  expect(await ask(answering)).toEqual({ question: wanted });
  expect(await ask(deterministicGenerator({}))).toEqual({
    question,
    doubt: 'no answer',
    reason: expect.stringContaining('no text'),
  });
  expect(await ask(generatorOf(async () => [{ text: 5 }] as never))).toMatchObject({ question, doubt: 'no answer' });
  expect(await ask(generatorOf(() => Promise.reject(new Error('no credit'))))).toEqual({
    question,
    doubt: 'no answer',
    reason: 'no credit',
  });
  expect(
    await ask(
      generatorOf(() => new Promise(() => {})),
      { deadlineMs: 10 },
    ),
  ).toMatchObject({
    question,
    reason: expect.stringContaining('10 ms'),
  });
  await expect(ask(answering, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
  const never = generatorOf(() => Promise.reject(new Error('asked')));
  expect(await askStandaloneQuestion(never, [], question)).toEqual({ question });
});

test('a local generator is asked for one hypothesis, others for three', () => {
  expect([defaultHypotheses({ size: 'local' }), defaultHypotheses({ size: 'hosted' }), defaultHypotheses({})]).toEqual([
    1, 3, 3,
  ]);
});
