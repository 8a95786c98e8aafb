import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { IndexSummary } from '../../src/cli/index-command.js';
import { surmise } from './surmise.js';
import { makeWorkspace } from './workspace.js';

const manyNotes = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`notes/n${at}.md`, `Note ${at} about boat number ${at}.`]),
  );

async function workspace(files: Readonly<Record<string, string>>) {
  const home = await makeWorkspace(files);
  const path = join(home, 'i.db');
  const run = (...args: string[]) => surmise([...args, '--index', path], { home });
  const index = async (...args: string[]) => JSON.parse((await run('index', ...args, '--json')).stdout) as IndexSummary;
  return { home, path, run, index, notes: join(home, 'notes') };
}

test('--dry-run says what would be done and touches nothing', async () => {
  const { home, path, index, notes } = await workspace({ 'notes/a.md': 'boat', 'notes/b.md': 'mill' });
  expect(await index(notes, '--dry-run')).toMatchObject({
    dryRun: true,
    added: 2,
    chunks: 2,
    embedded: 2,
    tokens: expect.any(Number),
  });
  expect(existsSync(path)).toBe(false);
  await index(notes);
  await writeFile(join(notes, 'a.md'), 'boats and ships');
  await writeFile(join(notes, 'c.md'), 'mill');
  await rm(join(notes, 'b.md'));
  const before = [await readFile(path), (await stat(path)).mtimeMs];
  const planned = await index(notes, '--dry-run');
  expect(planned).toMatchObject({ added: 1, updated: 1, unchanged: 0, removed: 1 });
  expect([await readFile(path), (await stat(path)).mtimeMs]).toEqual(before);
  const { added, updated, removed, chunks } = await index(notes);
  expect(planned).toMatchObject({ added, updated, removed, chunks });
  expect(await surmise(['index', join(home, 'no'), '--dry-run'], { home })).toMatchObject({ code: 8 });
});

test('--watch indexes again when files change, and ends with Ctrl-C as done', async () => {
  const { home, path, notes } = await workspace({ 'notes/a.md': 'boat' });
  const abort = new AbortController();
  const steps = [
    () => writeFile(join(notes, 'b.md'), 'mill'),
    () => writeFile(join(notes, 'a.md'), 'ship'),
    () => rm(join(notes, 'b.md')),
    async () => abort.abort(),
  ];
  let lines = 0;
  const { code, stdout } = await surmise(['index', notes, '--index', path, '--watch', '--json'], {
    home,
    signal: abort.signal,
    onOutput(text) {
      for (; lines < text.split('\n').length - 1; lines++) void steps[lines]?.();
    },
  });
  expect(code).toBe(0);
  const summaries = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as IndexSummary);
  expect(summaries.map(({ added, updated, removed }) => [added, updated, removed])).toEqual([
    [1, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ]);
});

test('FR-129 a folder that is suddenly empty, or not there, takes nothing out of the index unless it is asked for', async () => {
  const { run, index, notes } = await workspace(manyNotes(30));
  await index(notes, '--embedder', 'none');
  for (let at = 0; at < 29; at++) await rm(join(notes, `n${at}.md`));
  expect(await index(notes)).toMatchObject({ removed: 0, kept: 29, unchanged: 1 });
  await rm(notes, { recursive: true });
  expect((await run('index', notes)).code).toBe(8);
  expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({ documents: 30 });
  await mkdir(notes);
  const empty = await run('index', notes);
  expect(empty.stdout).toMatch(/30 documents.*--prune/);
  expect(await index(notes, '--prune')).toMatchObject({ removed: 30, kept: 0 });
});

test('the guard looks at each folder, and not at what is left out on purpose', async () => {
  const { home, index, notes } = await workspace({
    ...manyNotes(30),
    ...Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`more/m${at}.md`, `More ${at}.`])),
  });
  const more = join(home, 'more');
  await index('--collection', 'all', notes, more, '--embedder', 'none');
  await rename(notes, `${notes}.away`);
  await mkdir(notes);
  expect(await index()).toMatchObject({ removed: 0, kept: 30, unchanged: 40 });
  expect(await index('--collection', 'all', '--exclude', 'm*')).toMatchObject({ removed: 40, kept: 30 });
});

test('the same id twice on standard input is said, and the first one counts', async () => {
  const { home, path } = await workspace({});
  const input = '{"id":"a","text":"first"}\n{"id":"a","text":"second"}\n';
  const { stdout } = await surmise(['index', '-', '--index', path, '--json'], { home, input });
  expect(JSON.parse(stdout)).toMatchObject({ added: 1, skipped: [{ path: 'a', reason: 'duplicate' }] });
});

test('a few files may go without being asked about', async () => {
  const { index, notes } = await workspace(manyNotes(5));
  await index(notes, '--embedder', 'none');
  for (let at = 1; at < 5; at++) await rm(join(notes, `n${at}.md`));
  expect(await index(notes)).toMatchObject({ removed: 4, kept: 0 });
});

test('check finds an index whole, and says what is wrong with a damaged one; compact makes it smaller', async () => {
  const { home, path, run, index, notes } = await workspace(manyNotes(300));
  await index(notes);
  expect(await run('check')).toMatchObject({ code: 0, stdout: expect.stringMatching(/is whole/) });
  await run('remove', notes);
  const { stdout } = await run('compact', '--json');
  const { before, after } = JSON.parse(stdout) as { before: number; after: number };
  expect(after).toBeLessThan(before);
  expect(await surmise(['compact', '--index', `${path}.none`], { home })).toMatchObject({ code: 3 });

  await index(notes);
  // A page of vectors, which take most of the room.
  const bytes = await readFile(path);
  const middle = Math.floor(bytes.length / 16_384 / 2) * 16_384;
  bytes.fill(0x5a, middle, middle + 16_384);
  await writeFile(path, bytes);
  const damaged = await run('check', '--json');
  expect(damaged.code).toBe(5);
  expect((JSON.parse(damaged.stdout) as { problems: unknown[] }).problems.length).toBeGreaterThan(0);
  expect((await run('check', '--repair')).code).toBe(0);
  expect(await run('check')).toMatchObject({ code: 0 });
  await index(notes);
  expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({ documents: 300 });
});
