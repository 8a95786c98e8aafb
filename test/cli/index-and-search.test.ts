import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { IndexSummary } from '../../src/cli/index-command.js';
import type { SearchResult, Why } from '../../src/core/index.js';
import { surmise } from './surmise.js';
import { makeWorkspace } from './workspace.js';

const files = {
  'notes/fetch.md':
    '# Requests\n\n## Cancelling\n\nPass the signal of an AbortController to cancel a running request.\n\n## Retrying\n\nTry again after a pause that grows each time.\n',
  'notes/garden.md': '---\ntitle: Garden diary\n---\n\nTomatoes want sun, water in the morning and no wet leaves.\n',
  'notes/plain.txt': 'The bakery opens at seven and closes when the bread is sold.\n',
  'notes/picture.png': Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1]),
  'notes/binary.txt': Uint8Array.from([0, 1, 2, 3, 0, 0, 5, 6]),
  'notes/.hidden.md': 'nobody sees this secretword\n',
  'notes/latin.txt': Uint8Array.from([0x63, 0x61, 0x66, 0xe9, 0x20, 0x6f, 0x70, 0x65, 0x6e]),
};

let home: string;
let first: IndexSummary;
const run = (...args: string[]) => surmise(args, { home });
const json = async <T>(...args: string[]): Promise<T> => {
  const { code, stdout, stderr } = await run(...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as T;
};

beforeAll(async () => {
  home = await makeWorkspace(files);
  await mkdir(join(home, '.surmise'));
  await run('index', 'notes/plain.txt', '--index', '.surmise/index.db');
  first = await json<IndexSummary>('index', 'notes');
}, 60_000);

describe('index', () => {
  test('counts what it did and says what it left out and why', () => {
    expect(first).toMatchObject({ added: 3, updated: 0, unchanged: 1, removed: 0 });
    const reasons = Object.fromEntries(first.skipped.map(({ path, reason }) => [path.split('/').at(-1), reason]));
    expect(reasons).toEqual({ 'picture.png': 'format', 'binary.txt': 'binary', '.hidden.md': 'hidden' });
  });

  test('--only reads these kinds of files, and the others leave the index', async () => {
    const folder = await makeWorkspace({ 'a.md': 'apples\n', 'b.csv': 'fruit,kg\npear,3\n', 'c.html': '<p>plums' });
    const at = ['--index', join(folder, 'i.db'), '--embedder', 'none'];
    expect(await json('index', folder, ...at)).toMatchObject({ added: 3 });
    const { hits } = await json<SearchResult>('search', 'pear kg', ...at);
    expect(hits[0]?.text).toBe('fruit: pear; kg: 3');
    expect(await json('index', folder, ...at, '--only', '.md,HTML')).toMatchObject({ unchanged: 2, removed: 1 });
  });

  test('the nearest .surmise/index.db upwards is the default, from every folder below', async () => {
    expect(first.index).toBe(join(home, '.surmise', 'index.db'));
    const { stdout } = await surmise(['status', '--json'], { home, cwd: join(home, 'notes') });
    expect(JSON.parse(stdout)).toMatchObject({ location: first.index, documents: 4 });
  });

  test('invalid UTF-8 is read, and a note says so', () => {
    expect(first.notes.map(({ path }) => path.split('/').at(-1))).toEqual(['latin.txt']);
  });

  test('a second run touches nothing; an edited file is updated, a deleted one removed', async () => {
    const folder = await makeWorkspace({ 'a.md': 'apples\n', 'b.md': 'bananas\n', 'c.md': 'cherries\n' });
    const at = ['--index', join(folder, 'i.db'), '--embedder', 'none'];
    await json('index', folder, ...at);
    expect(await json<IndexSummary>('index', folder, ...at)).toMatchObject({ added: 0, updated: 0, unchanged: 3 });
    await writeFile(join(folder, 'a.md'), 'avocados\n');
    await rm(join(folder, 'b.md'));
    expect(await json('index', folder, ...at)).toMatchObject({ updated: 1, unchanged: 1, removed: 1 });
    const gone = await json<SearchResult>('search', 'bananas', ...at);
    expect(gone).toMatchObject({ hits: [], reason: 'nothing matches' });
  });

  test('a folder whose ignore rules can not be used is left out, and what is known of it stays', async () => {
    const folder = await makeWorkspace({ 'a.md': 'apples\n', 'sub/b.md': 'bananas\n', 'sub/c.md': 'cherries\n' });
    const at = ['--index', join(folder, 'i.db'), '--embedder', 'none'];
    await json('index', folder, ...at);
    await mkdir(join(folder, 'sub', '.gitignore'));
    await rm(join(folder, 'a.md'));
    const summary = await json<IndexSummary>('index', folder, ...at);
    expect(summary).toMatchObject({ added: 0, updated: 0, unchanged: 0, removed: 1 });
    expect(summary.skipped).toContainEqual({
      path: join(folder, 'sub'),
      reason: 'unreadable',
      detail: expect.stringContaining('.gitignore can not be used'),
    });
    expect((await json<SearchResult>('search', 'bananas', ...at)).hits).toHaveLength(1);
  });

  test('a file that was named and lost its text leaves the index', async () => {
    const folder = await makeWorkspace({ 'f.md': 'zebra crossing\n', 'g.md': 'zebra herd\n' });
    const at = ['--index', join(folder, 'i.db'), '--embedder', 'none'];
    await json('index', join(folder, 'f.md'), join(folder, 'g.md'), ...at);
    await writeFile(join(folder, 'f.md'), '');
    expect(await json('index', join(folder, 'f.md'), ...at)).toMatchObject({ removed: 1 });
    const { hits } = await json<SearchResult>('search', 'zebra', ...at);
    expect(hits.map(({ title }) => title)).toEqual(['g']);
  });

  test('a moved file keeps its vectors', async () => {
    const folder = await makeWorkspace({ 'docs/a.md': 'zebra crossing\n', 'docs/t.json': '{"zebra": "herd"}\n' });
    const at = ['--index', join(folder, 'i.db')];
    await json('index', join(folder, 'docs'), ...at);
    await mkdir(join(folder, 'docs/old'));
    await rename(join(folder, 'docs/a.md'), join(folder, 'docs/old/a.md'));
    const moved = await json<IndexSummary>('index', join(folder, 'docs'), ...at);
    expect(moved).toMatchObject({ added: 1, removed: 1, unchanged: 1, reused: moved.chunks, embedded: 0 });
    const { hits } = await json<SearchResult>('search', 'zebra', ...at);
    expect(hits.map(({ document }) => document.split('/').at(-1)).sort()).toEqual(['a.md', 't.json']);
  });

  test('an unreadable root is an error and leaves no index behind', async () => {
    const { code, stderr } = await run('index', 'nowhere', '--index', 'fresh.db');
    expect(code).toBe(8);
    expect(stderr).toContain('nowhere');
    await expect(readFile(join(home, 'fresh.db'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('people are told in sentences', async () => {
    const { code, stdout } = await run('index', 'notes');
    expect(code).toBe(0);
    expect(stdout).toContain('0 added, 0 updated, 4 unchanged, 0 removed');
    expect(stdout).toContain('1 binary: The file holds no text.');
  });
});

describe('search', () => {
  test('finds the chunk, with offsets, legs, stages and trace', async () => {
    const result = await json<SearchResult>('search', 'how', 'do', 'I', 'cancel', 'a', 'running', 'request?');
    const [hit] = result.hits;
    expect(hit).toMatchObject({ rank: 1, title: 'Requests', heading: ['Requests'] });
    expect(files['notes/fetch.md'].slice(hit!.start, hit!.end)).toBe(hit!.text);
    expect(Object.values(hit!.legs).reduce((sum, { part }) => sum + part, 0)).toBeCloseTo(hit!.score, 10);
    expect(result).toMatchObject({ query: 'how do I cancel a running request?', mode: 'hybrid', degraded: [] });
    expect(result.trace.legs.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['lexical', 'dense', 'lexical+hypothesis', 'dense+hypothesis']),
    );
  });

  test('--hyde off runs the plain legs only; -k and --per hold', async () => {
    const result = await json<SearchResult>('search', 'bread', '--hyde', 'off', '-k', '1', '--per', 'chunk');
    expect(result.hits).toHaveLength(1);
    expect(result.trace.legs.map(({ stage }) => stage)).toEqual(['plain', 'plain']);
  });

  test('--explain shows legs, stages and what happened', async () => {
    const { stdout, code } = await run('search', 'tomatoes', '--explain');
    expect(code).toBe(0);
    expect(stdout).toContain('1. Garden diary');
    expect(stdout).toMatch(/1\.0000 {2}score {2}the sum of the legs/);
    expect(stdout).toMatch(/0\.\d{4} {2}lexical\+hypothesis {2}0\.5 × 1: scored [\d.]+, rank 1/);
    expect(stdout).toMatch(/0\.\d{4} {2}tomato {2}weight 1.*idf [\d.]+, \d × in \d+ words/);
    expect(stdout).toContain('What happened');
    expect(stdout).toContain('4 documents');
    const { hits } = await json<SearchResult>('search', 'tomatoes', '--explain');
    expect(hits[0]!.explanation).toMatchObject({ of: 'score', value: hits[0]!.score });
  });

  test('why says where a document stands, by its file or id, also when it is no hit', async () => {
    const { hits } = await json<SearchResult>('search', 'tomatoes');
    const last = hits.at(-1)!;
    const behind = await run('why', 'tomatoes', last.document, '-k', '1');
    expect(behind.code).toBe(0);
    expect(behind.stdout).toContain(`${last.document}  ${last.rank} of `);
    expect(behind.stdout).toContain('It is in the list, behind the hits that were asked for.');
    expect(behind.stdout).toContain(`First is ${hits[0]!.document}`);
    const first = await json<Why>('why', 'tomatoes', hits[0]!.id);
    expect(first).toMatchObject({ found: true, rank: 1, score: hits[0]!.score });
    expect((await run('why', 'tomatoes', 'nowhere.md')).stdout).toContain('There is no such document or chunk');
  });

  test('control characters of documents never reach the terminal', async () => {
    const folder = await makeWorkspace({ 'evil.md': '# Red \u001b[31m\n\nalarm \u001b]0;owned\u0007 bell\n' });
    const at = ['--index', join(folder, 'i.db')];
    await run('index', folder, ...at);
    const { stdout } = await run('search', 'alarm', ...at);
    expect(stdout).toContain('alarm');
    for (const control of ['\u001b', '\u0007']) expect(stdout).not.toContain(control);
  });

  test('an index without vectors is searched by words, and says so with hybrid', async () => {
    const folder = await makeWorkspace({ 'a.md': 'apples and pears\n' });
    const at = ['--index', join(folder, 'i.db')];
    await run('index', folder, '--embedder', 'none', ...at);
    expect(await json<SearchResult>('search', 'apples', ...at)).toMatchObject({ mode: 'lexical', degraded: [] });
    const asked = await json<SearchResult>('search', 'apples', '--mode', 'hybrid', ...at);
    expect(asked.mode).toBe('lexical');
    expect(asked.degraded).toMatchObject([{ part: 'dense' }]);
  });
});
