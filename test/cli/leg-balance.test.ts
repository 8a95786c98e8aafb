import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { IndexSummary } from '../../src/cli/index-command.js';
import { embeddings, openAiServer } from '../models/openai-server.js';
import { surmise } from './surmise.js';
import { makeWorkspace } from './workspace.js';

const notes = Object.fromEntries(
  Array.from({ length: 60 }, (_, i) => [
    `notes/${i}.txt`,
    `The pier ${i * 7919} lies between the mill and the lighthouse. Ships of pier ${i * 7919} carry salt and timber.`,
  ]),
);

test('index says what it measured of the legs, or why it did not', async () => {
  const home = await makeWorkspace(notes);
  await using server = await openAiServer(({ body }) => ({
    json: embeddings(body.input!.map((text) => [text.length, 1, text.charCodeAt(9), text.charCodeAt(10)])),
  }));
  const variables = { SURMISE_EMBEDDER_BASE_URL: server.url, SURMISE_EMBEDDER_DIMENSIONS: '4' };
  const index = (file: string, ...args: string[]) =>
    surmise(['index', 'notes', '--index', join(home, file), '--embedder', 'openai-compatible:tiny', ...args], {
      home,
      variables,
    });
  const summaryOf = async (...args: Parameters<typeof index>) =>
    JSON.parse((await index(...args, '--json')).stdout) as IndexSummary;

  const measured = await summaryOf('measured.db');
  expect(measured.legBalance).toMatchObject({ samples: 60, chunks: 60 });
  expect(measured).not.toHaveProperty('legsNotMeasured');
  // Room for the documents, and not for asking for 60 sentences of them.
  const budget = ['--max-tokens', String((await summaryOf('bounded.db', '--dry-run')).tokens + 200)];
  const bounded = await summaryOf('bounded.db', ...budget);
  expect(bounded).toMatchObject({ embedded: 60, legsNotMeasured: expect.stringContaining('budget') });
  expect((await index('shown.db', ...budget)).stdout).toContain('was not measured');
});
