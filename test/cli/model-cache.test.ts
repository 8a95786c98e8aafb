import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { IndexSummary } from '../../src/cli/index-command.js';
import type { SearchResult } from '../../src/core/result.js';
import { embedder, names, setUp } from './model-server.js';

const secret = 'when may ships come in';

test('a second search in another process asks no model and finds the same; compact forgets', async () => {
  const { index, run, asked, server } = await setUp();
  await using _ = server;
  expect(await run('index', 'notes', ...embedder)).toMatchObject({ code: 0 });
  const search = ['search', secret, '--hyde', 'on', '--no-feedback', ...embedder, '--generator', 'openai-compatible:w'];
  const first = JSON.parse((await run(...search)).stdout) as SearchResult;
  const counts = () => [asked('/chat/completions'), asked('/embeddings')];
  const before = counts();
  const second = JSON.parse((await run(...search)).stdout) as SearchResult;
  expect(counts()).toEqual(before);
  expect(second.hits).toEqual(first.hits);
  expect([first.trace.generator?.from, second.trace.generator?.from]).toEqual(['call', 'cache']);
  expect([first.degraded, second.degraded]).toEqual([[], []]);
  const bytes = await readFile(`${index}.models`);
  expect(bytes.includes(secret)).toBe(false);
  await run(...search, '--no-cache');
  expect(asked('/chat/completions')).toBeGreaterThan(before[0]!);
  expect(await run('compact')).toMatchObject({ code: 0 });
  expect((await readFile(`${index}.models`)).includes('tide table')).toBe(false);
  const again = JSON.parse((await run(...search)).stdout) as SearchResult;
  expect(again.trace.generator?.from).toBe('call');
});

test('removed documents that come back are not paid twice, unless they were purged', async () => {
  const { run, asked, server } = await setUp();
  await using _ = server;
  await run('index', 'notes', ...embedder);
  const before = asked('/embeddings');
  await run('remove', 'notes');
  const back = JSON.parse((await run('index', 'notes', ...embedder)).stdout) as IndexSummary;
  expect(back).toMatchObject({ added: names.length, embedded: 0, reused: names.length });
  expect(asked('/embeddings')).toBe(before);
  await run('remove', 'notes', '--purge');
  expect(JSON.parse((await run('index', 'notes', ...embedder)).stdout)).toMatchObject({ embedded: names.length });
});

test('words alone, and the embedder of the package, leave no cache behind', async () => {
  const { index, run, server } = await setUp();
  await using _ = server;
  await run('index', 'notes', '--embedder', 'static');
  expect(await run('search', 'harbour', '--mode', 'lexical')).toMatchObject({ code: 0 });
  expect(await run('search', 'harbour')).toMatchObject({ code: 0 });
  expect(existsSync(`${index}.models`)).toBe(false);
});

test('a search whose model hangs is over when it has answered: nothing goes on for the cache', async () => {
  const { run, server } = await setUp({ hangs: true });
  await using _ = server;
  await run('index', 'notes', '--embedder', 'static');
  const started = performance.now();
  const writer = ['--hyde', 'on', '--deadline', '500', '--generator', 'openai-compatible:w'];
  const { code, stdout } = await run('search', secret, ...writer);
  // A call that fills the cache may take 30 seconds.
  expect(performance.now() - started).toBeLessThan(25_000);
  expect(code).toBe(0);
  expect((JSON.parse(stdout) as SearchResult).degraded).toMatchObject([{ part: 'generator' }]);
  await Promise.all(server.received.map(({ closed }) => closed));
});
