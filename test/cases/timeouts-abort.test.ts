import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { expect, test } from 'vitest';
import { embedTexts } from '../../src/core/embed.js';
import type { Embedder } from '../../src/core/ports.js';
import { fromAiSdk } from '../../src/models/ai-sdk.js';
import { embedder, indexed, library } from '../core/library.js';
import { openAiServer } from '../models/openai-server.js';

const question = 'why do insects leave their home in spring';
const generatorAt = (url: string) =>
  fromAiSdk(createOpenAICompatible({ name: 'loopback', baseURL: url, apiKey: 'k' }).chatModel('tiny'));

test('FR-091 a text that is never embedded fails alone, and the other calls go on', async () => {
  const hanging: Embedder = {
    ...embedder,
    limits: { batch: 1, concurrency: 4 },
    embed: (texts, options) => (texts[0] === 'stuck' ? new Promise(() => {}) : embedder.embed(texts, options)),
  };
  const report = await (await indexed([], { embedder: hanging })).search('bees', { deadlineMs: 50 });
  expect(report.reason).toBe('nothing indexed');
  const texts = ['bees', 'stuck', 'tides', 'bread', 'moon'];
  const stuck = embedTexts(hanging, texts, { role: 'document', deadlineMs: 50 });
  await expect(stuck).rejects.toMatchObject({ code: 'timeout' });
  const others = texts.filter((text) => text !== 'stuck');
  expect(await embedTexts(hanging, others, { role: 'document', deadlineMs: 5_000 })).toHaveLength(4);
});

test('FR-092 the deadline holds for the answer alone and for the stream, and the socket is closed', async () => {
  await using server = await openAiServer(() => 'hang');
  const surmise = await indexed(library, { embedder, generator: generatorAt(server.url) });
  const asked = await surmise.search(question, { deadlineMs: 200, n: 1 });
  expect(asked.degraded).toMatchObject([{ part: 'generator' }]);
  expect(asked.trace.ms).toBeLessThan(1_000);
  const stages = [];
  for await (const { stage } of surmise.stream('what makes the lakes milky', { deadlineMs: 200, n: 1 }))
    stages.push(stage);
  expect(stages).toEqual(['plain', 'final']);
  await surmise.close();
  await Promise.all(server.received.map(({ closed }) => closed));
});

test('FR-093, FR-095 giving up closes the connection, so the provider can stop writing', async () => {
  await using server = await openAiServer(() => 'hang');
  const surmise = await indexed(library, { embedder, generator: generatorAt(server.url) });
  const caller = new AbortController();
  const asked = surmise.search(question, { signal: caller.signal, n: 2 });
  await server.arrived(2);
  caller.abort();
  await expect(asked).rejects.toMatchObject({ code: 'aborted' });
  await Promise.all(server.received.map(({ closed }) => closed));
});
