import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { SearchResult } from '../../src/core/index.js';
import { embeddings, openAiServer } from '../models/openai-server.js';
import { cliPath, surmise } from './surmise.js';
import { makeWorkspace } from './workspace.js';

const home = await makeWorkspace();
const original = join(home, 'original.db');
/** More than are written in two transactions. */
const documents = 2_300;
const named = ['--embedder', 'openai-compatible:tiny'];

beforeAll(async () => {
  const lines = Array.from({ length: documents }, (_, at) =>
    JSON.stringify({ id: `boat-${at}`, text: `Boat ${at} lies at pier ${at % 17} in the harbour.` }),
  );
  const { code } = await surmise(['index', '-', '--index', original], { home, input: lines.join('\n') });
  expect(code).toBe(0);
}, 120_000);

const embeddingServer = (onRequest: (request: number) => void = () => {}) =>
  openAiServer(({ body }, request) => {
    onRequest(request);
    return { json: embeddings(body.input!.map((text) => [text.length, text.charCodeAt(5), text.charCodeAt(6)])) };
  });

async function copyOf(name: string) {
  const path = join(home, `${name}.db`);
  await copyFile(original, path);
  const run = async (args: readonly string[], variables: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await surmise([...args, '--index', path, '--json'], { home, variables });
    return { code, stderr, answer: JSON.parse(stdout) };
  };
  return { path, run };
}

test('after kills at any moment the old vectors answer, and the next run goes on until the new ones do', async () => {
  const { path, run } = await copyOf('killed');
  /** Kills the command when the server has got so many requests; gives how many texts it had answered. */
  const killedAt = async (request: number) => {
    let kill = () => {};
    await using server = await embeddingServer((now) => {
      if (now === request) kill();
    });
    const child = spawn(process.execPath, [cliPath, 'reembed', '--index', path, '--no-cache', ...named], {
      env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, SURMISE_EMBEDDER_BASE_URL: server.url },
      stdio: 'ignore',
    });
    kill = () => child.kill('SIGKILL');
    const [, signal] = await once(child, 'close');
    expect(signal).toBe('SIGKILL');
  };
  const made: number[] = [];
  for (const request of [2, 14, 13]) {
    await killedAt(request);
    const { answer: status } = await run(['status']);
    expect(status).toMatchObject({
      vectors: documents,
      fingerprint: { provider: 'static' },
      legs: { dense: { works: true } },
    });
    made.push(status.beside?.vectors ?? 0);
    const { answer } = await run(['search', 'boat 77 at its pier', '--mode', 'hybrid']);
    expect((answer as SearchResult).hits[0]?.document).toBe('boat-77');
    expect((await run(['check'])).answer.problems).toEqual([]);
  }
  expect(made).toEqual([0, 1_000, 2_000]);

  await using server = await embeddingServer();
  const { code, answer } = await run(['reembed', ...named], { SURMISE_EMBEDDER_BASE_URL: server.url });
  expect([code, answer]).toMatchObject([0, { swapped: true, resumed: 2_000, embedded: 300, failed: [] }]);
  const { answer: status } = await run(['status']);
  expect(status).toMatchObject({ vectors: documents, fingerprint: { model: 'tiny', dimensions: 3 } });
  expect(status.beside).toBeUndefined();
  expect((await run(['check'])).answer.problems).toEqual([]);
}, 180_000);

test('Ctrl-C says that nothing is lost, and how to go on', async () => {
  const { path } = await copyOf('interrupted');
  const abort = new AbortController();
  await using server = await embeddingServer((request) => {
    if (request === 14) abort.abort();
  });
  const { code, stderr } = await surmise(['reembed', '--index', path, '--no-cache', ...named], {
    home,
    variables: { SURMISE_EMBEDDER_BASE_URL: server.url },
    signal: abort.signal,
  });
  expect(code).toBe(130);
  expect(stderr).toContain('go on');
}, 60_000);

test('nothing is replaced by a default: whose vectors are wanted must be said', async () => {
  const { run } = await copyOf('unsaid');
  const { code, answer } = await run(['reembed']);
  expect(code).toBe(2);
  expect(answer.error.message).toContain('--embedder');
  expect((await run(['reembed', '--embedder', 'none'])).code).toBe(2);
});

test('FR-106 FR-109 another embedder drops nothing: indexing names both and the command, searching goes on by words', async () => {
  const { run } = await copyOf('switched');
  await using server = await embeddingServer();
  const variables = { SURMISE_EMBEDDER_BASE_URL: server.url };
  const indexed = await run(['index', home, ...named], variables);
  expect(indexed.code).toBe(7);
  expect(indexed.answer.error.message).toMatch(/256 dimensions.*3 dimensions.*surmise reembed/);
  const { answer } = await run(['search', 'boat 77 pier', ...named], variables);
  expect(answer).toMatchObject({
    mode: 'lexical',
    degraded: [{ part: 'dense', reason: expect.stringMatching(/256 dimensions.*3 dimensions.*surmise reembed/) }],
  });
  expect((await run(['status'])).answer).toMatchObject({ vectors: documents, legs: { dense: { works: true } } });
}, 60_000);
