import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SearchResult } from '../../src/core/index.js';
import { createSurmise } from '../../src/core/surmise.js';
import { deterministicEmbedder } from '../../src/models/deterministic-embedder.js';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';
import { surmise } from '../cli/surmise.js';
import { makeWorkspace } from '../cli/workspace.js';
import { indexed } from '../core/library.js';
import { embeddings, openAiServer } from '../models/openai-server.js';

const home = await makeWorkspace({ 'docs/ferry.md': '# Ferries\n\nThe ferry leaves at noon.\n' });

const serverOf = (dimensions: number) =>
  openAiServer(({ body }) => ({
    json: embeddings(body.input!.map((text) => Array.from({ length: dimensions }, (_, i) => text.length + i))),
  }));

test('FR-106 nothing is dropped for another length of vectors, in either direction', async () => {
  for (const dimensions of [32, 256]) {
    const { store } = await indexed();
    const before = await store.info();
    const other = createSurmise({ store, embedder: deterministicEmbedder({ dimensions }) });
    await expect(other.index([{ document: { id: 'new', text: 'A new text.' } }])).rejects.toMatchObject({
      code: 'embedder_mismatch',
      message: expect.stringMatching(new RegExp(`64 dimensions.*${dimensions} dimensions.*surmise reembed`)),
    });
    expect(await store.info()).toEqual(before);
    expect((await other.search('a swarm of bees')).hits[0]!.document).toBe('bees');
  }
});

test('FR-107 one setting says which model indexes, searches, measures and makes anew', async () => {
  await using server = await serverOf(7);
  const index = join(home, 'one.db');
  await writeFile(
    join(home, 'surmise.config.json'),
    JSON.stringify({ index, embedder: { provider: 'openai-compatible', model: 'seven', baseUrl: server.url } }),
  );
  const run = (args: readonly string[]) => surmise([...args, '--json'], { home });
  expect((await run(['index', join(home, 'docs')])).code).toBe(0);
  const { mode, degraded } = JSON.parse((await run(['search', 'when does the ferry leave'])).stdout) as SearchResult;
  expect({ mode, degraded }).toEqual({ mode: 'hybrid', degraded: [] });
  const status = JSON.parse((await run(['status'])).stdout);
  expect(status.fingerprint).toMatchObject({ model: 'seven', dimensions: 7 });
  expect(JSON.parse((await run(['reembed'])).stdout)).toMatchObject({ swapped: false, to: { model: 'seven' } });
  expect(new Set(server.received.map(({ body }) => body.model))).toEqual(new Set(['seven']));
}, 60_000);

test('FR-110 whose vectors an index holds is known to whoever opens it', async () => {
  const path = join(home, 'known.db');
  const writer = openSqliteStore({ path });
  const embedder = deterministicEmbedder({ dimensions: 48 });
  await createSurmise({ store: writer, embedder }).index([{ document: { id: 'a', text: 'The ferry leaves.' } }]);
  await writer.close();
  const reader = openSqliteStore({ path, access: 'read' });
  expect((await reader.info()).fingerprint).toEqual(embedder.fingerprint);
  const another = await createSurmise({ store: reader, embedder: deterministicEmbedder({}) }).search('ferry');
  expect(another).toMatchObject({ mode: 'lexical', hits: [{ document: 'a' }] });
  expect(another.degraded[0]?.reason).toMatch(/48 dimensions.*64 dimensions/);
  await reader.close();
});

test('the length of vectors that an index holds is not asked for again, and a server that is away leaves words to search', async () => {
  const index = join(home, 'away.db');
  const run = (args: readonly string[], url: string) =>
    surmise([...args, '--index', index, '--embedder', 'openai-compatible:m', '--json'], {
      home,
      variables: { SURMISE_INDEX: index, SURMISE_EMBEDDER_BASE_URL: url },
    });
  let url: string;
  {
    await using server = await serverOf(5);
    ({ url } = server);
    expect((await run(['index', join(home, 'docs')], url)).code).toBe(0);
    const before = server.received.length;
    expect(JSON.parse((await run(['search', 'when is the ferry'], url)).stdout)).toMatchObject({ mode: 'hybrid' });
    expect(server.received.slice(before).map(({ body }) => body.input)).toEqual([['when is the ferry']]);
  }
  const same = JSON.parse((await run(['search', 'does the ferry leave'], url)).stdout) as SearchResult;
  expect(same.hits[0]?.title).toBe('Ferries');
  expect(same.degraded).toMatchObject([{ part: 'dense', reason: expect.stringContaining('connect') }]);
  const other = await surmise(['search', 'ferry', '--index', index, '--embedder', 'openai-compatible:x', '--json'], {
    home,
    variables: { SURMISE_EMBEDDER_BASE_URL: url },
  });
  expect(other.stderr).toMatch(/Only words are searched/);
  expect(JSON.parse(other.stdout)).toMatchObject({ mode: 'lexical', hits: [{ title: 'Ferries' }] });
}, 60_000);
