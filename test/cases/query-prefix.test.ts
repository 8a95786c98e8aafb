import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { expect, test } from 'vitest';
import { createSurmise } from '../../src/core/surmise.js';
import { fromAiSdk } from '../../src/models/ai-sdk.js';
import { memoryStore } from '../core/library.js';
import { embeddings, openAiServer } from '../models/openai-server.js';

const passage = 'A hive swarms when the old queen leaves with half of the bees.';
const prefixes = { query: 'search_query: ', document: 'search_document: ' };

/** A surmise whose embedder stands behind an HTTP server, and the texts that the server was sent. */
async function behindServer() {
  const server = await openAiServer(({ body }) => ({
    json: embeddings(body.input!.map((text, i) => [text.length % 7, i + 1, 1])),
  }));
  const model = createOpenAICompatible({ name: 'loopback', baseURL: server.url, apiKey: 'k' }).embeddingModel('tiny');
  const embedder = fromAiSdk(model, { dimensions: 3, prefixes });
  const surmise = createSurmise({ store: memoryStore(), embedder });
  await surmise.index([{ document: { id: 'bees', text: 'Bees swarm in May.' } }]);
  const sent = () => server.received.flatMap(({ body }) => body.input ?? []);
  return { server, surmise, sent };
}

test('FR-100 a model that needs prefixes gets one for each role: the question asks, hypotheses and chunks are documents', async () => {
  const { server, surmise, sent } = await behindServer();
  await using _ = server;
  await surmise.search('why do bees leave', { hypotheses: [passage] });
  expect(sent()).toEqual([
    'search_document: Bees swarm in May.',
    'search_query: why do bees leave',
    `search_document: ${passage}`,
  ]);
});

test('FR-102 the prefixes are part of what the index remembers of its embedder', async () => {
  const { server, surmise } = await behindServer();
  await using _ = server;
  expect((await surmise.info()).fingerprint).toMatchObject({ prefixes });
});
