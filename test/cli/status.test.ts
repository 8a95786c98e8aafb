import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { embeddings, openAiServer } from '../models/openai-server.js';
import { surmise } from './surmise.js';
import { makeWorkspace } from './workspace.js';

const home = await makeWorkspace({
  'docs/canoe.md': '# Canoes\n\nA canoe is paddled on rivers and lakes.\n',
  'docs/raft.md': '# Rafts\n\nA raft floats. It is POISON.\n',
  'docs/kayak.md': '# Kayaks\n\nThe paddle of a kayak has two blades.\n',
});
const index = join(home, 'static.db');
const wordsOnly = join(home, 'words.db');
const docs = join(home, 'docs');

/** Embeds everything but texts with one word. */
const server = await openAiServer(({ body }) =>
  body.input!.some((text) => text.includes('POISON'))
    ? { status: 400, json: { error: { message: 'refused' } } }
    : { json: embeddings(body.input!.map((text) => [text.length, 1, 2])) },
);
const served = { SURMISE_EMBEDDER_BASE_URL: server.url };
const named = ['--embedder', 'openai-compatible:tiny'];

const status = async (path: string, args: readonly string[] = [], variables: Record<string, string> = {}) =>
  JSON.parse((await surmise(['status', '--json', '--index', path, ...args], { home, variables })).stdout);

beforeAll(async () => {
  expect(await surmise(['index', docs, '--index', index], { home })).toMatchObject({ code: 0 });
  expect(await surmise(['index', docs, '--index', wordsOnly, '--embedder', 'none'], { home })).toMatchObject({
    code: 0,
  });
}, 60_000);

test('both legs work where the embedder of the index is the one that is configured; no text leaves the machine', async () => {
  expect(await status(index)).toMatchObject({
    vectorCounts: { complete: 3, pending: 0, failed: 0 },
    embedder: { name: 'static', local: true },
    generator: null,
    legs: { lexical: { works: true }, dense: { works: true } },
  });
});

test('an index of words waits for no vectors', async () => {
  expect(await status(wordsOnly)).toMatchObject({
    vectorCounts: { complete: 0, pending: 0, failed: 0 },
    embedder: null,
    legs: { lexical: { works: true }, dense: { works: false, reason: 'the index holds no vectors' } },
  });
});

describe('of a provider', () => {
  test('the host that texts go to is named, nothing is asked of it, and secrets of its address are not shown', async () => {
    const before = server.received.length;
    const variables = { SURMISE_EMBEDDER_BASE_URL: `${server.url}?key=hidden` };
    const args = [...named, '--generator', 'anthropic:claude-haiku-4-5'];
    const found = await status(index, args, variables);
    expect(found).toMatchObject({
      embedder: { name: 'openai-compatible', model: 'tiny', host: new URL(server.url).host, local: true },
      generator: { name: 'anthropic', host: 'api.anthropic.com', local: false },
      legs: { lexical: { works: true }, dense: { works: false, reason: expect.stringContaining('surmise doctor') } },
    });
    expect(JSON.stringify(found)).not.toContain('hidden');
    expect(server.received).toHaveLength(before);
  });

  test('other vectors than those of the index are told with both names', async () => {
    const { legs } = await status(index, named, { ...served, SURMISE_EMBEDDER_DIMENSIONS: '3' });
    expect(legs.dense.works).toBe(false);
    expect(legs.dense.reason).toMatch(/static\/.*openai-compatible.*3 dimensions/);
  });

  test('chunks that the embedder refused are counted apart', async () => {
    const path = join(home, 'refused.db');
    const { code } = await surmise(['index', docs, '--index', path, ...named], { home, variables: served });
    expect(code).toBe(10);
    expect((await status(path, named, served)).vectorCounts).toEqual({
      complete: 2,
      pending: 0,
      failed: 1,
      failedDocuments: 1,
    });
    const { stdout } = await surmise(['status', '--index', path, ...named], { home, variables: served });
    expect(stdout).toMatch(/1 chunks of 1 documents were refused or not reached; run surmise index again/);
    expect(stdout).toMatch(/made by\s+provider openai-compatible.*model tiny, 3 dimensions/);
    expect(stdout).toContain(`the server at ${new URL(server.url).host}`);
  });
});

test('what embedders were asked adds up over runs, also over one that failed; what is built in costs nothing', async () => {
  const path = join(home, 'spending.db');
  const variables = { ...served };
  const args = ['--index', path, '--price', '2', '--no-cache', ...named];
  await surmise(['index', join(docs, 'canoe.md'), ...args], { home, variables });
  const first = (await status(path, named, served)).spending;
  expect(first).toMatchObject([{ texts: 1, cost: { currency: 'USD' } }]);
  expect(first[0].cost.amount).toBeCloseTo((2 * first[0].tokens) / 1e6);
  expect((await surmise(['index', docs, ...args], { home, variables })).code).toBe(10);
  const [both] = (await status(path, named, served)).spending;
  expect(both.texts).toBe(2);
  expect(both.tokens).toBeGreaterThan(first[0].tokens);
  const { stdout } = await surmise(['status', '--index', path, ...named], { home, variables });
  expect(stdout).toMatch(/cost\s+openai-compatible.*tiny about \d+ tokens, 0\.0\d+ USD/);
  expect((await status(index)).spending).toEqual([]);
});
