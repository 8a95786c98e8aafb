import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { IndexSummary } from '../../src/cli/index-command.js';
import type { SearchResult } from '../../src/core/index.js';
import { surmise } from './surmise.js';
import { makeWorkspace } from './workspace.js';

let home: string;
const run = (...args: string[]) => surmise([...args, '--index', join(home, 'i.db')], { home });
const index = async (...args: string[]): Promise<IndexSummary> =>
  JSON.parse((await run('index', ...args, '--json')).stdout) as IndexSummary;
const found = async (question: string, ...args: string[]): Promise<string[]> => {
  const { stdout } = await run('search', question, '--mode', 'lexical', '--json', ...args);
  return (JSON.parse(stdout) as SearchResult).hits.map(({ path }) => path.slice(home.length + 1));
};

beforeEach(async () => {
  home = await makeWorkspace({
    'notes/boat.md': 'The boat leaves at noon.\n',
    'notes/drafts/mill.md': 'The boat goes to the mill.\n',
    'code/boat.py': 'def boat():\n    return "boat"\n',
  });
});

test('a collection keeps its paths and options, and each is brought up to date by its name or with all', async () => {
  const notes = join(home, 'notes');
  expect(await index('--collection', 'notes', notes, '--exclude', 'drafts', '--embedder', 'none')).toMatchObject({
    added: 1,
  });
  expect(await index('--collection', 'code', join(home, 'code'))).toMatchObject({ added: 1 });
  expect(await found('boat')).toEqual(expect.arrayContaining(['notes/boat.md', 'code/boat.py']));
  expect(await found('boat', '--collection', 'code')).toEqual(['code/boat.py']);

  await writeFile(join(notes, 'new.md'), 'A new boat.');
  await writeFile(join(home, 'code', 'boat.py'), 'def ship(): pass');
  expect(await index('--collection', 'notes')).toMatchObject({ added: 1, unchanged: 1, updated: 0, removed: 0 });
  expect(await index()).toMatchObject({ added: 0, updated: 1, unchanged: 2, removed: 0 });
  const { stdout } = await run('status', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    collections: { code: 1, notes: 2 },
    sources: [{ name: 'code' }, { name: 'notes', settings: { paths: [notes], exclude: ['drafts'] } }],
  });
});

test('a folder is added to a collection, and one that is removed is not added again', async () => {
  await index('--collection', 'all', join(home, 'notes'), '--embedder', 'none');
  expect(await index('--collection', 'all', join(home, 'code'))).toMatchObject({ added: 1, unchanged: 2, removed: 0 });
  await run('remove', join(home, 'notes'));
  expect(await found('boat')).toEqual(['code/boat.py']);
  expect(await index('--collection', 'all')).toMatchObject({ added: 0, unchanged: 1 });
});

test('options that are given without paths are kept, and what they leave out leaves the index', async () => {
  await index('--collection', 'notes', join(home, 'notes'), '--embedder', 'none');
  expect(await index('--collection', 'notes', '--exclude', 'drafts/**')).toMatchObject({ removed: 1 });
  expect(await index('--collection', 'notes')).toMatchObject({ added: 0, removed: 0 });
});

test('a glob that can not be understood is refused before it is kept', async () => {
  await index('--collection', 'notes', join(home, 'notes'), '--embedder', 'none');
  expect((await run('index', '--collection', 'code', join(home, 'code'), '--include', '../x')).code).toBe(2);
  expect(await run('index')).toMatchObject({ code: 0 });
});

test('documents of standard input stay in their collection', async () => {
  await index('--collection', 'notes', join(home, 'notes'), '--embedder', 'none');
  const args = ['index', '-', '--collection', 'notes', '--index', join(home, 'i.db')];
  await surmise(args, { home, input: '{"id":"x","text":"a boat"}' });
  expect(await index()).toMatchObject({ unchanged: 2, removed: 0 });
  expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({ collections: { notes: 3 } });
});

test('remove takes what fits a glob, and forgets paths below a folder', async () => {
  const markdown = join(home, 'notes', '*.md');
  await index('--collection', 'all', markdown, join(home, 'code'), '--embedder', 'none');
  expect(JSON.parse((await run('remove', markdown, '--json')).stdout)).toEqual({ removed: 1 });
  expect(await index()).toMatchObject({ added: 0, unchanged: 1 });
  await run('remove', home);
  expect(await run('index', '--collection', 'all')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/no paths/),
  });
});

test('a folder that is not there keeps its documents though another one around it is read', async () => {
  const notes = join(home, 'notes');
  const drafts = join(notes, 'drafts');
  await index('--collection', 'notes', notes, drafts, '--embedder', 'none');
  await rename(drafts, join(home, 'away'));
  expect(JSON.parse((await run('index', '--json')).stdout)).toMatchObject({ removed: 0, unchanged: 1 });
});

test('a file belongs to one collection, and another says so', async () => {
  await index('--collection', 'notes', join(home, 'notes'), '--embedder', 'none');
  const again = await index('--collection', 'more', join(home, 'notes'));
  expect(again).toMatchObject({ added: 0, updated: 0, removed: 0 });
  expect(again.skipped).toHaveLength(2);
  expect(again.skipped[0]).toMatchObject({ reason: 'elsewhere', detail: 'collection notes' });
  expect(await index(join(home, 'notes', 'boat.md'))).toMatchObject({ added: 0, removed: 0 });
  expect(await found('boat', '--collection', 'notes')).toHaveLength(2);
});

test('a collection on a drive that is not there does not keep the others from being brought up to date', async () => {
  await index('--collection', 'notes', join(home, 'notes'), '--embedder', 'none');
  await index('--collection', 'code', join(home, 'code'));
  await rename(join(home, 'notes'), join(home, 'elsewhere'));
  await writeFile(join(home, 'code', 'b.py'), 'boat = 1');
  const { code, stdout } = await run('index', '--json');
  expect(code).toBe(8);
  expect(JSON.parse(stdout)).toMatchObject({ added: 1, removed: 0, unreadable: [expect.stringContaining('notes')] });
  expect(await found('noon')).toEqual(['notes/boat.md']);
});

test.each<[string, string[], RegExp]>([
  ['nothing to index', [], /Name the files and folders/],
  ['an unknown collection', ['--collection', 'x'], /no collection "x" yet/],
  ['a name of other signs', ['--collection', '../x', '.'], /name of a collection/],
  ['standard input beside files', ['-', '.'], /together/],
  ['a dry run that watches', ['.', '--watch', '--dry-run'], /together/],
])('%s is an error', async (_, args, message) => {
  const { code, stderr } = await run('index', ...args);
  expect(stderr).toMatch(message);
  expect(code).toBe(2);
});

describe('remove', () => {
  test('takes out a folder, a file that is gone, and an id', async () => {
    await index(home, '--embedder', 'none');
    await surmise(['index', '-', '--index', join(home, 'i.db')], { home, input: '{"id":"x-1","text":"a boat"}\n' });
    await rm(join(home, 'code'), { recursive: true });
    const { stdout } = await run(
      'remove',
      'x-1',
      join(home, 'code', 'boat.py'),
      join(home, 'notes', 'drafts'),
      '--json',
    );
    expect(JSON.parse(stdout)).toEqual({ removed: 3 });
    expect(await found('boat')).toEqual(['notes/boat.md']);
  });

  test('an empty path, as of a variable that is not set, is not the folder where the command runs', async () => {
    await index(home, '--embedder', 'none');
    expect(await run('remove', '')).toMatchObject({ code: 2, stderr: expect.stringContaining('empty') });
    expect(await found('boat')).not.toEqual([]);
  });

  test('takes out a collection with its settings, and with --purge every byte of it', async () => {
    await index('--collection', 'notes', join(home, 'notes'), '--embedder', 'none');
    await index('--collection', 'code', join(home, 'code'));
    const { stdout } = await run('remove', '--collection', 'notes', '--purge', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ removed: 2, after: expect.any(Number) });
    const bytes = await readFile(join(home, 'i.db'), 'latin1');
    expect(bytes).not.toMatch(/noon|drafts|mill/);
    expect((await run('index', '--collection', 'notes')).code).toBe(2);
  });

  test('what is not there is an error', async () => {
    await index(home, '--embedder', 'none');
    expect(await run('remove', 'nowhere')).toMatchObject({ code: 2, stderr: expect.stringMatching(/No document/) });
    expect(await run('remove', '--collection', 'x')).toMatchObject({ code: 2, stderr: expect.stringMatching(/"x"/) });
    expect(await run('remove')).toMatchObject({ code: 2, stderr: expect.stringMatching(/Name the files/) });
  });
});

test('standard input adds and updates, and removes nothing', async () => {
  const send = (input: string, ...args: string[]) =>
    surmise(['index', '-', '--index', join(home, 'i.db'), '--json', ...args], { home, input });
  const first = await send(
    '{"id":"a","text":"a boat"}\n{"id":"b","text":"a mill","title":"Mill"}\n',
    '--embedder',
    'none',
  );
  expect(JSON.parse(first.stdout)).toMatchObject({ added: 2 });
  const second = await send('{"id":"a","text":"a ship"}');
  expect(JSON.parse(second.stdout)).toMatchObject({ added: 0, updated: 1, removed: 0 });
  const broken = await send('{"id":"c","text":"an oak"}\n{"id":}\n');
  expect(JSON.parse(broken.stdout)).toMatchObject({
    error: { code: 'bad_data', message: expect.stringMatching(/line 2/) },
  });
  expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({ documents: 3 });
});
