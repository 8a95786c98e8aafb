import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { describe, expect, test } from 'vitest';
import { cleanHypothesis } from '../../src/core/hypothesis.js';
import { standaloneQuestion } from '../../src/core/standalone-question.js';
import { fromAiSdk } from '../../src/models/ai-sdk.js';
import { indexed, library } from '../core/library.js';
import { completion, type OpenAiServer, openAiServer } from '../models/openai-server.js';

const question = 'why do insects leave their home in spring';
const passage = 'In May the old queen leaves with half of the bees to found another colony.';
const json = JSON.stringify({ passage });
const clean = (raw: string) => cleanHypothesis(raw, question);
const generatorAt = ({ url }: OpenAiServer) =>
  fromAiSdk(createOpenAICompatible({ name: 'loopback', baseURL: url }).chatModel('tiny'));

test('FR-208 the built package takes a plain answer, and plain JSON, as they are', async () => {
  const built = (await import(new URL('../../dist/core/index.js', import.meta.url).href)) as {
    cleanHypothesis: typeof cleanHypothesis;
  };
  for (const raw of [passage, json, `\`\`\`json\n${json}\n\`\`\``])
    expect(built.cleanHypothesis(raw, question)).toEqual({ text: passage });
});

describe('FR-209 an answer that is empty or cut off is not passed over in silence', () => {
  test.each<[string, unknown, object]>([
    ['cut off', completion(json.slice(0, 30), 'length'), { reason: expect.stringContaining('none of the hypotheses') }],
    ['empty', completion('', 'length'), { reason: expect.stringContaining('raise maxTokens') }],
  ])('%s', async (_, answer, degraded) => {
    await using server = await openAiServer(() => ({ json: answer }));
    const surmise = await indexed(library, { generator: generatorAt(server) });
    const result = await surmise.search(question, { hyde: 'on', n: 1, feedback: false });
    expect(result.degraded).toMatchObject([{ part: 'generator', ...degraded }]);
    expect(result.hits).toEqual((await surmise.search(question, { hyde: 'off' })).hits);
  });

  test('the text that was cut off is kept in the trace', async () => {
    await using server = await openAiServer(() => ({ json: completion(json.slice(0, 30), 'length') }));
    const surmise = await indexed(library, { generator: generatorAt(server) });
    const { trace } = await surmise.search(question, { hyde: 'on', n: 1, feedback: false });
    expect(trace.hypotheses).toEqual([
      { source: 'generator', text: json.slice(0, 30), used: false, dropped: 'cut-off JSON' },
    ]);
  });
});

test('FR-211 hypotheses and rewritten questions come through the same cleaning', () => {
  const asked = 'Why do the bees leave their hive in spring?';
  for (const wrap of [
    (text: string) => text,
    (text: string) => `\`\`\`\n${text}\n\`\`\``,
    (text: string) => `<think>Which home?</think>${text}`,
    (text: string) => JSON.stringify({ passage: text }),
    (text: string) => `<|im_start|>assistant\n${text}<|im_end|>`,
  ]) {
    expect(clean(wrap(passage))).toEqual({ text: passage });
    expect(standaloneQuestion(wrap(asked), question, [])).toEqual({ question: asked });
  }
});

test('FR-212 braces in the reasoning are not the answer, and without one the own question is asked', () => {
  const thought = '<think>The form is {"passage": string}. Perhaps {bees}?</think>';
  expect(clean(`${thought}${json}`)).toEqual({ text: passage });
  expect(standaloneQuestion(`${thought}{"questions": [`, question, []).question).toBe(question);
  expect(standaloneQuestion(thought, question, [])).toEqual({ question, doubt: 'empty' });
});

test.each<[string, string, ReturnType<typeof clean>]>([
  ['closed', `<think>bees</think>${passage}`, { text: passage }],
  ['unclosed', `<think>bees ${passage}`, { dropped: 'unfinished thinking' }],
  ['of another name', `<reasoning>bees</reasoning>\n${passage}`, { text: passage }],
  ['with only its end', `bees?\n</think>\n${passage}`, { text: passage }],
])('FR-213 free text with reasoning that is %s', (_, raw, cleaned) => expect(clean(raw)).toEqual(cleaned));

test('FR-214 a draft in the reasoning is not taken, the last JSON is', () => {
  const draft = '{"passage": "A draft about wasps that was given up again, long as it is."}';
  expect(clean(`<think>${draft}</think>\n${json}`)).toEqual({ text: passage });
  expect(clean(`${draft}</think>\n${json}`)).toEqual({ text: passage });
  expect(clean(`${draft}\nBetter:\n${json}`)).toEqual({ text: passage });
  expect(clean(`<think>${draft}`)).toEqual({ dropped: 'unfinished thinking' });
});

test('FR-215 tokens of the template and invented turns end the passage', () => {
  for (const rest of [
    '<|im_end|>\n<|im_start|>user\nAnd wasps?',
    '<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nAnd wasps?',
    '</s>[INST] And wasps? [/INST] They do not.',
    '<end_of_turn>\n<start_of_turn>user\nAnd wasps?<end_of_turn>',
    '<｜end▁of▁sentence｜><｜User｜>And wasps?',
    '\n\nUser: And wasps?\nAssistant: They do not.',
  ])
    expect(clean(`<think>bees</think>${passage}${rest}`)).toEqual({ text: passage });
});
