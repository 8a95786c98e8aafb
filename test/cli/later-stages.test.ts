import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { SearchResult } from '../../src/core/result.js';
import { writeTinyCrossEncoder } from '../local/tiny-cross-encoder.js';
import { surmise } from './surmise.js';
import { makeWorkspace } from './workspace.js';

let home: string;
const run = (...args: string[]) => surmise(args, { home });
const search = async (...args: string[]): Promise<SearchResult> => {
  const { code, stdout, stderr } = await run('search', ...args, '--json', '--index', join(home, 'notes.db'));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as SearchResult;
};

beforeAll(async () => {
  home = await makeWorkspace({
    'notes/rose.md': 'The rose likes no frost. A ferry is a boat.',
    'notes/noon.md': 'The ferry goes to the island at noon. Tea is made with water.',
  });
  await writeTinyCrossEncoder(join(home, 'models', 'tiny'));
  await writeTinyCrossEncoder(join(home, 'cache', 'surmise', 'models', 'harbour', 'kept'));
  expect((await run('index', 'notes', '--index', join(home, 'notes.db'))).code).toBe(0);
}, 60_000);

test('a cross-encoder in a folder, or by name, orders the hits', async () => {
  for (const name of [`local:${join('models', 'tiny')}`, 'local:harbour/kept']) {
    const { hits, trace } = await search('frost', 'rose', 'ferry', '--rerank', name);
    expect(trace.rerank).toMatchObject({ id: expect.stringMatching(/^local\/(tiny|kept)-fp32-/), passages: 2 });
    expect(hits[0]!.title).toBe('rose');
    expect(hits.map(({ stages }) => stages.rerank!.rank)).toEqual([1, 2]);
  }
});

test('hits make way for others and bring their sentences when that is asked for', async () => {
  const { hits, trace } = await search('ferry to the island', '--mmr', '--trim');
  expect(trace).toMatchObject({ mmr: { lambda: 0.5, candidates: 2 }, trim: { floor: 0.38, sentences: 4 } });
  for (const { sentences } of hits) expect(sentences!.length).toBeGreaterThan(0);
  expect((await search('ferry to the island')).hits.some((hit) => 'sentences' in hit)).toBe(false);
});

test.each([
  ['bge', 2, /There is no reranker "bge"/],
  ['local:nowhere/kept', 8, /neither a folder nor in/],
])('the reranker %s is refused', async (name, code, message) => {
  const outcome = await run('search', 'rose', '--rerank', name, '--index', join(home, 'notes.db'));
  expect(outcome).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) });
});
