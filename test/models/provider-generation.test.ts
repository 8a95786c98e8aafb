import { describe, expect, test } from 'vitest';
import {
  generationProviders,
  type ProviderName,
  providerAddress,
  providerGenerator,
} from '../../src/models/providers.js';
import { key } from './failure.js';
import { openAiServer } from './openai-server.js';
import { bearer } from './provider-wires.js';

describe('generation', () => {
  const chat = (content: string) => ({
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });
  const cases: Record<
    Exclude<ProviderName, 'voyage' | 'cohere'>,
    { base: string; path: string; headers: Record<string, string>; body: object; answer: object }
  > = {
    openai: {
      base: '/v1',
      path: '/v1/responses',
      headers: bearer,
      body: { model: 'm', max_output_tokens: 50 },
      answer: {
        id: 'r',
        created_at: 1,
        model: 'm',
        output: [
          {
            type: 'message',
            role: 'assistant',
            id: 'o',
            content: [{ type: 'output_text', text: 'A canoe floats.', annotations: [] }],
          },
        ],
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    },
    anthropic: {
      base: '/v1',
      path: '/v1/messages',
      headers: { 'x-api-key': key },
      body: { model: 'm', max_tokens: 50, system: [{ type: 'text' }] },
      answer: {
        type: 'message',
        id: 'a',
        model: 'm',
        content: [{ type: 'text', text: 'A canoe floats.' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    },
    google: {
      base: '/v1beta',
      path: '/v1beta/models/m:generateContent',
      headers: { 'x-goog-api-key': key },
      body: { generationConfig: { maxOutputTokens: 50 } },
      answer: {
        candidates: [{ content: { role: 'model', parts: [{ text: 'A canoe floats.' }] }, finishReason: 'STOP' }],
      },
    },
    bedrock: {
      base: '',
      path: '/model/m/converse',
      headers: bearer,
      body: { inferenceConfig: { maxTokens: 50 } },
      answer: {
        output: { message: { role: 'assistant', content: [{ text: 'A canoe floats.' }] } },
        stopReason: 'end_turn',
        usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
      },
    },
    mistral: {
      base: '/v1',
      path: '/v1/chat/completions',
      headers: bearer,
      body: { model: 'm', max_tokens: 50 },
      answer: chat('A canoe floats.'),
    },
    ollama: {
      base: '/v1',
      path: '/v1/chat/completions',
      headers: bearer,
      body: { model: 'm', max_tokens: 50 },
      answer: chat('A canoe floats.'),
    },
    'openai-compatible': {
      base: '/v1',
      path: '/v1/chat/completions',
      headers: bearer,
      body: { model: 'm', max_tokens: 50 },
      answer: chat('A canoe floats.'),
    },
  };

  test('every provider has its wire here', () => {
    expect(Object.keys(cases).sort()).toEqual([...generationProviders].sort());
  });

  test.each(Object.entries(cases) as [ProviderName, (typeof cases)['openai']][])(
    '%s',
    async (name, { base, path, headers, body, answer }) => {
      await using server = await openAiServer(() => ({ json: answer }));
      const connection = { apiKey: key, baseUrl: server.url.replace('/v1', '') + base };
      const generator = await providerGenerator(name, { model: 'm', connection });
      const generations = await generator.generate(
        { system: 'be brief', user: 'what floats?', question: 'what floats?', passages: [] },
        { n: 1, maxTokens: 50 },
      );
      expect(generations).toMatchObject([{ text: 'A canoe floats.' }]);
      const call = server.received[0]!;
      expect(decodeURIComponent(call.path)).toBe(path);
      expect(call.headers).toMatchObject(headers);
      expect(call.body).toMatchObject(body);
      for (const said of ['be brief', 'what floats?']) expect(JSON.stringify(call.body)).toContain(said);
      expect(providerAddress(name, connection)).toBe(connection.baseUrl);
    },
  );
});

test.each<[ProviderName, string | undefined, 'local' | 'hosted']>([
  ['ollama', undefined, 'local'],
  ['ollama', 'http://localhost:11434/v1', 'local'],
  ['ollama', 'https://models.example.org/v1', 'hosted'],
  ['openai-compatible', 'http://[::1]:8080/v1', 'local'],
  ['openai-compatible', 'http://127.0.0.1.example.org/v1', 'hosted'],
  ['openai', undefined, 'hosted'],
])('a generator of %s at %s is %s', async (name, baseUrl, size) => {
  const connection = { apiKey: key, ...(baseUrl !== undefined && { baseUrl }) };
  expect((await providerGenerator(name, { connection, model: 'm' })).size).toBe(size);
  expect((await providerGenerator(name, { connection, model: 'm', size: 'local' })).size).toBe('local');
});
