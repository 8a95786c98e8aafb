import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Generation } from '../../src/core/ports.js';
import { type AiSdkLanguageModel, fromAiSdk } from '../../src/models/ai-sdk.js';
import { generatorContract, contractPrompt as prompt } from '../contract/generator.js';
import { failureOf, key } from './failure.js';
import { completion, failure, type OpenAiServer, openAiServer } from './openai-server.js';

const modelAt = ({ url }: OpenAiServer): AiSdkLanguageModel =>
  createOpenAICompatible({ name: 'loopback', baseURL: url, apiKey: key }).chatModel('tiny');

describe('contract', () => {
  let server: OpenAiServer;
  beforeAll(async () => {
    server = await openAiServer((_, i) => ({ json: completion(`At noon, says board ${i}.`) }));
  });
  afterAll(() => server[Symbol.asyncDispose]());
  generatorContract('AI SDK over HTTP', () => fromAiSdk(modelAt(server)));
});

test('the body of each call in the plainest form', async () => {
  await using server = await openAiServer(() => ({ json: completion('At noon.') }));
  const generator = fromAiSdk(modelAt(server), {
    structured: false,
    temperature: 0.9,
    stopSequences: ['<|im_end|>'],
    providerOptions: { loopback: { user: 'tester' } },
  });
  expect([generator.id, generator.size]).toEqual(['loopback.chat/tiny', 'hosted']);
  expect(await generator.generate(prompt, { n: 2, maxTokens: 77 })).toEqual([
    { text: 'At noon.' },
    { text: 'At noon.' },
  ]);
  const body = {
    model: 'tiny',
    max_tokens: 77,
    temperature: 0.9,
    stop: ['<|im_end|>'],
    user: 'tester',
    messages: [
      { role: 'system', content: prompt.system },
      { role: 'user', content: prompt.user },
    ],
  };
  expect(server.received.map((request) => [request.path, request.body])).toEqual([
    ['/v1/chat/completions', body],
    ['/v1/chat/completions', body],
  ]);
});

test('at most `concurrency` calls are open', async () => {
  let open = 0;
  let most = 0;
  await using server = await openAiServer(async () => {
    most = Math.max(most, ++open);
    await new Promise((resolve) => setImmediate(resolve));
    open--;
    return { json: completion('At noon.') };
  });
  expect(await fromAiSdk(modelAt(server), { concurrency: 2 }).generate(prompt, { n: 9 })).toHaveLength(9);
  expect([most, server.received.length]).toEqual([2, 9]);
});

test('one failing call does not lose the others', async () => {
  await using server = await openAiServer((_, i) =>
    i === 1 ? failure(403, 'filtered') : { json: completion(i === 2 || i === 3 ? ' ' : `passage ${i}`) },
  );
  const reported: Generation[] = [];
  const generator = fromAiSdk(modelAt(server), { concurrency: 1 });
  const generations = await generator.generate(prompt, { n: 4, onGeneration: (one) => reported.push(one) });
  expect(generations).toEqual([{ text: 'passage 0' }, { text: 'passage 4' }]);
  expect(reported).toEqual(generations);
});

test('all failing: the first failure, with its cause', async () => {
  await using server = await openAiServer(() => failure(401, `Incorrect API key provided: ${key}`));
  const error = await failureOf(fromAiSdk(modelAt(server)).generate(prompt, { n: 3 }));
  expect([error.code, error.retryable, server.received.length]).toEqual(['provider_failed', false, 3]);
  expect(error.message).toContain('check the API key');
  expect(error.cause).toBeInstanceOf(Error);
});

test('an answer that was used up by thinking says so', async () => {
  await using server = await openAiServer(() => ({ json: completion('', 'length') }));
  const error = await failureOf(fromAiSdk(modelAt(server)).generate(prompt, { n: 1 }));
  expect([error.code, error.message]).toEqual(['provider_failed', expect.stringContaining('raise maxTokens')]);
});

test('retries are bounded', async () => {
  await using server = await openAiServer(() => failure(500, 'down', { 'retry-after-ms': '1' }));
  const error = await failureOf(fromAiSdk(modelAt(server), { maxRetries: 1 }).generate(prompt, { n: 2 }));
  expect([error.code, error.retryable, server.received.length]).toEqual(['provider_failed', true, 4]);
});

test('a server that is not there, or asks to wait for long, is given up soon, and it is said why', async () => {
  await using server = await openAiServer((_, i) =>
    i < 3 ? 'reset' : failure(429, 'slow', { 'retry-after': '3600' }),
  );
  const generator = fromAiSdk(modelAt(server));
  const started = performance.now();
  const gone = await failureOf(generator.generate(prompt, { n: 1 }));
  expect([gone.code, gone.retryable, server.received.length]).toEqual(['provider_failed', true, 3]);
  const busy = await failureOf(generator.generate(prompt, { n: 1 }));
  expect([busy.message, server.received.length]).toEqual([expect.stringContaining('asks to wait 3600 s'), 4]);
  // The AI SDK itself waits for six seconds.
  expect(performance.now() - started).toBeLessThan(3_000);
});

test('of an endless answer nothing is read', async () => {
  await using server = await openAiServer(() => ({ json: completion(`{"passage":"${'word '.repeat(1_000_000)}`) }));
  const [generation] = await fromAiSdk(modelAt(server)).generate(prompt, { n: 1 });
  expect(generation!.text).toHaveLength(5_000_012);
});

test('an abort keeps what was reported, closes the open connections and begins no further call', async () => {
  await using server = await openAiServer((_, i) => (i === 0 ? { json: completion('At noon.') } : 'hang'));
  const controller = new AbortController();
  const reported: Generation[] = [];
  const options = { n: 6, signal: controller.signal, onGeneration: (one: Generation) => void reported.push(one) };
  const failed = failureOf(fromAiSdk(modelAt(server), { concurrency: 2 }).generate(prompt, options));
  await server.arrived(3);
  controller.abort();
  expect((await failed).code).toBe('aborted');
  await Promise.all(server.received.map(({ closed }) => closed));
  expect(server.received).toHaveLength(3);
  expect(reported).toEqual([{ text: 'At noon.' }]);
});

test('a stalled call ends in timeout without losing the others', async () => {
  await using server = await openAiServer((_, i) => (i === 0 ? 'hang' : { json: completion('At noon.') }));
  const generator = fromAiSdk(modelAt(server), { timeoutMs: 500, concurrency: 1 });
  expect(await generator.generate(prompt, { n: 2 })).toEqual([{ text: 'At noon.' }]);
  await server.received[0]!.closed;
});

test('arguments are checked', async () => {
  await using server = await openAiServer(() => 'hang');
  const model = modelAt(server);
  expect(() => fromAiSdk(model, { temperature: 3 })).toThrow('"temperature" must be a number from 0 to 2');
  expect(() => fromAiSdk(model, { maxRetries: 5 })).toThrow('"maxRetries"');
  expect(() => fromAiSdk(model, { size: 'huge' as 'local' })).toThrow('"size" must be');
  expect(() => fromAiSdk(model, { structured: 'no' as unknown as boolean })).toThrow('"structured" must be');
  for (const stops of [[], [''], ['a', 'b', 'c', 'd', 'e'], 'stop'])
    expect(() => fromAiSdk(model, { stopSequences: stops as string[] })).toThrow('"stopSequences" must be');
  expect(() => fromAiSdk(model, { retries: 1 } as object)).toThrow('Unknown option "retries"');
  expect((await failureOf(fromAiSdk(model).generate(prompt, { n: 0 }))).code).toBe('bad_argument');
  expect(server.received).toHaveLength(0);
});
