import { expect, test } from 'vitest';
import type { IndexSummary } from '../../src/cli/index-command.js';
import { embedder, names, setUp } from '../cli/model-server.js';
import { surmise } from '../cli/surmise.js';

test('FR-255 a run stops at what it may cost, keeps what is done, says what is left and what was spent', async () => {
  const { home, index, variables, run, asked, server } = await setUp();
  await using _ = server;
  const bounded = ['index', 'notes', ...embedder, '--price', '1000'];
  const planned = JSON.parse((await run(...bounded, '--dry-run')).stdout) as IndexSummary;
  expect(planned.cost).toEqual({ amount: expect.closeTo(planned.tokens / 1e3, 6), currency: 'USD' });
  const each = planned.tokens / names.length;
  const half = await run(...bounded, '--max-cost', `${(2.5 * each) / 1e3}`);
  expect(half.code).toBe(14);
  const done = JSON.parse(half.stdout) as IndexSummary;
  expect(done).toMatchObject({ added: names.length, embedded: 2, left: { documents: 4, texts: 4 }, failed: [] });
  expect(done.cost!.amount).toBeLessThanOrEqual((2.5 * each) / 1e3);
  expect(JSON.parse((await run('search', 'violin', '--mode', 'lexical')).stdout).hits).toHaveLength(1);
  // In words, and with a bound of tokens.
  const told = await surmise(['index', 'notes', ...embedder, '--max-tokens', '0', '--index', index], {
    home,
    variables,
  });
  expect(told.code).toBe(14);
  expect(told.stdout).toMatch(/budget is used up: 4 texts of 4 documents are left.*give a larger one/);
  const before = asked('/embeddings');
  const rest = await run('index', 'notes', ...embedder, '--max-tokens', '1000000');
  expect(rest.code).toBe(0);
  expect(JSON.parse(rest.stdout)).toMatchObject({ updated: 4, unchanged: 2, embedded: 4 });
  expect(asked('/embeddings')).toBe(before + 1);
});

test('FR-255 a cost can not be bounded where the price is not known, and costs nothing where nothing is paid', async () => {
  const { run, asked, server } = await setUp();
  await using _ = server;
  const unknown = await run('index', 'notes', ...embedder, '--max-cost', '1');
  expect([unknown.code, unknown.stderr + unknown.stdout]).toEqual([2, expect.stringContaining('--price')]);
  expect(asked('/embeddings')).toBe(0);
  expect(await run('index', 'notes', '--embedder', 'static', '--max-cost', '0')).toMatchObject({ code: 0 });
  expect((await run('index', 'notes', '--max-cost', '-1')).code).toBe(2);
});
