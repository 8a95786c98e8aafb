import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { cleanHypothesis } from '../../src/core/hypothesis.js';
import { type AiSdkGeneratorOptions, fromAiSdk } from '../../src/models/ai-sdk.js';
import { contractPrompt as prompt } from '../contract/generator.js';
import { failureOf, key } from './failure.js';
import { completion, failure, type OpenAiServer, openAiServer } from './openai-server.js';

const passage = 'The ferry leaves the northern pier every day at noon and comes back at four.';
const json = JSON.stringify({ passage });

const generatorAt = ({ url }: OpenAiServer, options: AiSdkGeneratorOptions = {}, supportsStructuredOutputs = true) =>
  fromAiSdk(
    createOpenAICompatible({ name: 'loopback', baseURL: url, apiKey: key, supportsStructuredOutputs }).chatModel(
      'tiny',
    ),
    options,
  );
const formats = (server: OpenAiServer) =>
  server.received.map(({ body }) => (body.response_format as { type?: string } | undefined)?.type);

/** The body of an answer with reasoning beside it, as vLLM, DeepSeek and others write it. */
function reasoned(content: string, reasoning_content: string): unknown {
  const message = { role: 'assistant', content, reasoning_content };
  return {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
  };
}

test('a model that takes a schema gets one, and its passage comes out of the JSON', async () => {
  await using server = await openAiServer(() => ({ json: completion(json) }));
  expect(await generatorAt(server).generate(prompt, { n: 1 })).toEqual([{ text: passage }]);
  expect(server.received.map(({ body }) => body)).toEqual([
    {
      model: 'tiny',
      max_tokens: 1_024,
      temperature: 0,
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'response',
          strict: true,
          schema: {
            type: 'object',
            properties: { passage: { type: 'string' } },
            required: ['passage'],
            additionalProperties: false,
          },
        },
      },
      messages: [
        { role: 'system', content: expect.stringContaining(`${prompt.system}\nAnswer with one JSON object`) },
        { role: 'user', content: prompt.user },
      ],
    },
  ]);
});

test('a model that takes none is asked for JSON without one', async () => {
  await using server = await openAiServer(() => ({ json: completion(json) }));
  expect(await generatorAt(server, {}, false).generate(prompt, { n: 2 })).toEqual([
    { text: passage },
    { text: passage },
  ]);
  expect(server.received.map(({ body }) => [body.response_format, body.temperature])).toEqual([
    [{ type: 'json_object' }, 0.7],
    [{ type: 'json_object' }, 0.7],
  ]);
});

describe('a provider that refuses the request', () => {
  test.each([400, 415, 422, 501])('with HTTP %i is asked in plain text, from then on at once', async (status) => {
    await using server = await openAiServer(({ body }) =>
      body.response_format === undefined ? { json: completion(passage) } : failure(status, 'response_format?'),
    );
    const generator = generatorAt(server, { concurrency: 1, maxRetries: 0 });
    for (let i = 0; i < 2; i++) expect(await generator.generate(prompt, { n: 2 })).toHaveLength(2);
    expect(formats(server)).toEqual(['json_schema', ...Array(4).fill(undefined)]);
    expect(server.received[1]!.body.temperature).toBeUndefined();
    expect(server.received[1]!.body.messages).toEqual([
      { role: 'system', content: prompt.system },
      { role: 'user', content: prompt.user },
    ]);
  });

  test('and the plain one too: its own failure is reported, and nothing is learned', async () => {
    await using server = await openAiServer(({ body }) =>
      failure(400, body.response_format === undefined ? 'the plain one' : 'the schema'),
    );
    const generator = generatorAt(server);
    for (let i = 0; i < 2; i++)
      expect((await failureOf(generator.generate(prompt, { n: 1 }))).message).toContain('the plain one');
    expect(formats(server)).toEqual(['json_schema', undefined, 'json_schema', undefined]);
  });

  test.each([401, 403, 404])('for another reason, HTTP %i, is not asked again', async (status) => {
    await using server = await openAiServer(() => failure(status, 'no'));
    expect((await failureOf(generatorAt(server).generate(prompt, { n: 1 }))).code).toBe('provider_failed');
    expect(server.received).toHaveLength(1);
  });

  test('an answer without text to a schema is asked for again, without', async () => {
    await using server = await openAiServer(({ body }) => ({
      json: completion(body.response_format === undefined ? passage : ''),
    }));
    const generator = generatorAt(server);
    for (let i = 0; i < 2; i++) expect(await generator.generate(prompt, { n: 1 })).toEqual([{ text: passage }]);
    expect(formats(server)).toEqual(['json_schema', undefined, undefined]);
  });
});

describe('whatever is answered, reasoning is in no hypothesis', () => {
  const thought = `The user wants a timetable. {"passage": "a draft that is of no use to anybody"}`;
  test.each<[string, unknown, ReturnType<typeof cleanHypothesis>]>([
    ['reasoning beside the answer', reasoned(json, thought), { text: passage }],
    ['reasoning in the text', completion(`<think>${thought}</think>\n${json}`), { text: passage }],
    ['the template opened it', completion(`${thought}\n</think>\n${json}`), { text: passage }],
    ['reasoning that never ends', completion(`<think>${thought} ${thought}`), { dropped: 'unfinished thinking' }],
    ['plain text', completion(passage), { text: passage }],
    ['JSON in prose', completion(`Sure, here it is: ${json}`), { text: passage }],
    ['JSON in a fence', completion(`\`\`\`json\n${json}\n\`\`\``), { text: passage }],
    ['another key', completion(JSON.stringify({ answer: passage })), { text: passage }],
    ['cut-off JSON', completion(json.slice(0, 40), 'length'), { dropped: 'cut-off JSON' }],
    ['a refusal', completion('{"passage": "I’m sorry, but I can’t help with that."}'), { dropped: 'refusal' }],
    ['the placeholder of the form', completion('{"passage": "…"}'), { dropped: 'empty' }],
    ['babble', completion('noon '.repeat(900)), { dropped: 'repetition' }],
    ['far too much', completion('x'.repeat(200_001)), { dropped: 'too long' }],
    ['too much', completion('Noon is near. '.repeat(9_000)), { dropped: 'too long' }],
  ])('%s', async (_, answer, cleaned) => {
    await using server = await openAiServer(() => ({ json: answer }));
    const [generation] = await generatorAt(server).generate(prompt, { n: 1 });
    expect(cleanHypothesis(generation!.text, prompt.question)).toEqual(cleaned);
    expect(server.received).toHaveLength(1);
  });
});

describe('standard output', () => {
  afterEach(() => void vi.restoreAllMocks());

  test('settings that a model ignores print nothing there', async () => {
    const printed = [vi.spyOn(console, 'info'), vi.spyOn(console, 'log'), vi.spyOn(console, 'warn')];
    await using server = await openAiServer(() => ({ json: completion(json) }));
    const model = createOpenAICompatible({ name: 'loopback', baseURL: server.url }).chatModel('tiny');
    const warning = { type: 'unsupported', feature: 'temperature' };
    const warns = Object.create(model, {
      doGenerate: {
        value: async (options: never) => ({ ...(await model.doGenerate(options)), warnings: [warning] }),
      },
    }) as typeof model;
    expect(await fromAiSdk(warns).generate(prompt, { n: 1 })).toEqual([{ text: passage }]);
    expect(printed.flatMap(({ mock }) => mock.calls)).toEqual([]);
  });
});
