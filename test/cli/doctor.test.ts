import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { findLoopbackServers } from '../../src/cli/loopback-servers.js';
import { completion, embeddings, openAiServer } from '../models/openai-server.js';
import { surmise } from './surmise.js';
import { makeWorkspace } from './workspace.js';

const home = await makeWorkspace({ 'docs/canoe.md': '# Canoes\n\nA canoe is paddled on rivers and lakes.\n' });
const index = join(home, 'index.db');

/** A vector that every character of the text changes. */
const vectorOf = (text: string) => {
  const vector = [1, 1, 1, 1];
  for (let at = 0; at < text.length; at++) vector[at % 4]! += text.charCodeAt(at) * ((at % 7) + 1);
  return vector;
};

/** Reads so many characters of a text, and says nothing of it. */
const cuttingServer = (characters: number) =>
  openAiServer(({ path, body }) =>
    path.endsWith('/embeddings')
      ? { json: embeddings(body.input!.map((text) => vectorOf(text.slice(0, characters)))) }
      : { json: completion('The harbour lies in the north of the town, behind the old mill.') },
  );

// Where no server of the machine that runs the tests listens.
const nowhere = { OLLAMA_HOST: '127.0.0.1:1' };

async function doctor(args: readonly string[], variables: Record<string, string> = {}) {
  const { code, stdout } = await surmise(['doctor', '--json', '--index', index, ...args], {
    home,
    variables: { ...nowhere, ...variables },
  });
  const { checks, servers } = JSON.parse(stdout) as {
    checks: { name: string; state: string; detail: string; todo?: string }[];
    servers: { name: string; url: string; models: string[]; offers: string[] }[];
  };
  return { code, servers, check: (name: string) => checks.find((check) => check.name === name) };
}

beforeAll(async () => {
  expect(await surmise(['index', join(home, 'docs'), '--index', index], { home })).toMatchObject({ code: 0 });
}, 60_000);

test('what is built in is sound', async () => {
  const { code, check } = await doctor([]);
  expect(code).toBe(0);
  for (const name of ['index', 'vectors', 'embedding', 'truncation'])
    expect(check(name)).toMatchObject({ state: 'ok' });
  expect(check('embedder')).toMatchObject({ state: 'ok', detail: 'texts go to this machine, no network' });
});

test('a server that cuts texts in silence is found out, and so are vectors that are not those of the index', async () => {
  await using server = await cuttingServer(1_500);
  const { code, check } = await doctor(['--embedder', 'openai-compatible:tiny'], {
    SURMISE_EMBEDDER_BASE_URL: server.url,
  });
  expect(check('truncation')).toMatchObject({ state: 'failed', todo: expect.stringContaining('context') });
  expect(check('vectors')).toMatchObject({ state: 'failed', detail: expect.stringMatching(/static\/.*tiny/) });
  expect(code).toBe(7);
});

test('one that reads to the end passes, and a generator is asked for one passage', async () => {
  await using server = await cuttingServer(100_000);
  const { check } = await doctor(['--embedder', 'openai-compatible:tiny', '--generator', 'openai-compatible:writer'], {
    SURMISE_EMBEDDER_BASE_URL: server.url,
    SURMISE_GENERATOR_BASE_URL: server.url,
  });
  expect(check('truncation')).toMatchObject({ state: 'ok' });
  expect(check('generation')).toMatchObject({
    state: 'ok',
    detail: expect.stringContaining('the server at 127.0.0.1'),
  });
});

test('what is missing is said with what to do', async () => {
  const { code, check } = await doctor(['--embedder', 'voyage'], { VOYAGE_API_KEY: '' });
  expect(code).toBe(2);
  expect(check('embedder')).toMatchObject({ state: 'failed', detail: expect.stringContaining('VOYAGE_API_KEY') });
});

test('a server on this machine is offered, and gets no text', async () => {
  const models = ['llama3.2:3b', 'nomic-embed-text', 'evil; rm -rf'];
  const list = { object: 'list', data: models.map((id) => ({ id, object: 'model' })) };
  const asked: string[] = [];
  const ollama = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.end(JSON.stringify(list));
  });
  await new Promise<void>((resolve) => ollama.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = ollama.address() as AddressInfo;
    const { servers } = await doctor([], { OLLAMA_HOST: `0.0.0.0:${port}` });
    const found = servers.find(({ name }) => name === 'Ollama');
    expect(found).toMatchObject({ url: `http://127.0.0.1:${port}`, models });
    expect(found?.offers).toEqual([
      `SURMISE_EMBEDDER_BASE_URL=http://127.0.0.1:${port}/v1 surmise index FOLDER --embedder ollama:nomic-embed-text`,
      `SURMISE_GENERATOR_BASE_URL=http://127.0.0.1:${port}/v1 surmise search --generator ollama:llama3.2:3b`,
    ]);
    expect(asked).toEqual(['GET /v1/models']);
  } finally {
    ollama.close();
  }
});

test('an Ollama elsewhere is not asked', async () => {
  const servers = await findLoopbackServers(new AbortController().signal, { OLLAMA_HOST: '192.0.2.1:11434' });
  expect(servers.map(({ name }) => name)).not.toContain('Ollama');
});
