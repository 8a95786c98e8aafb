import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { EvaluationSummary } from '../../src/cli/eval-command.js';
import { surmise } from './surmise.js';
import { makeWorkspace } from './workspace.js';

const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** SQLite keeps its two working files beside an index that was read. */
const indexFile = /^[0-9a-f]{32}\.db(?:-wal|-shm)?$/;

let home: string;
const run = (...args: string[]) => surmise(args, { home });

beforeAll(async () => {
  home = await makeWorkspace({
    'fruit/corpus.jsonl': lines([
      { _id: 'd1', title: 'Apples', text: 'Apples keep for months in a cool cellar.' },
      { _id: 'd2', title: 'Pears', text: 'Pears ripen after the harvest.' },
      { _id: 'd3', title: 'Plums', text: 'Plums are dried to prunes.' },
      { _id: 'q4', title: '', text: 'does fruit ripen after harvest' },
    ]),
    'fruit/queries.jsonl': lines([
      { _id: 'q1', text: 'how long do apples keep' },
      { _id: 'q2', text: 'quinces' },
      { _id: 'q3', text: 'prunes' },
      { _id: 'q4', text: 'does fruit ripen after harvest' },
    ]),
    'fruit/queries.dev.jsonl': lines([{ _id: 'v1', text: 'pears' }]),
    'fruit/qrels/test.tsv': 'query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t1\nq3\td3\t2\nq4\td2\t1\n',
    'fruit/qrels/dev.tsv': 'query-id\tcorpus-id\tscore\nv1\td2\t1\n',
    'fruit/hypotheses.model.jsonl': lines([{ _id: 'q2', hypotheses: ['Quinces and pears ripen after the harvest.'] }]),
    'broken/corpus.jsonl': '{"_id": "d1", "text": "fine"}\n{"_id": "d2"\n',
    'broken/queries.jsonl': lines([{ _id: 'q1', text: 'fine' }]),
    'broken/qrels/test.tsv': 'q1\td1\t1\n',
  });
}, 60_000);

test('every judged query counts, the own document of a query does not, the shape is the documented one', async () => {
  const { code, stdout, stderr } = await run('eval', 'fruit', '--json', '--arms', 'lexical,hybrid+feedback');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const summary = JSON.parse(stdout) as EvaluationSummary;
  expect(summary).toMatchObject({ dataset: 'fruit', documents: 4, queries: 4 });
  expect(Object.keys(summary.arms)).toEqual(['lexical', 'hybrid+feedback']);
  // q1, q3 and q4 find their document first, q2 finds nothing.
  expect(summary.arms.lexical).toEqual({ 'nDCG@10': 0.75, 'R@100': 0.75, 'RR@10': 0.75, AP: 0.75, queries: 4 });
});

test('with hypotheses only the queries that have some are judged, in every arm', async () => {
  const hypotheses = join('fruit', 'hypotheses.model.jsonl');
  const { stdout } = await run('eval', 'fruit', '--json', '--arms', 'lexical,lexical+hyde', '--hypotheses', hypotheses);
  const { arms, queries } = JSON.parse(stdout) as EvaluationSummary;
  expect(queries).toBe(1);
  expect(arms.lexical).toMatchObject({ queries: 1, 'nDCG@10': 0 });
  expect(arms['lexical+hyde']).toMatchObject({ queries: 1, 'nDCG@10': 1 });
});

test('--split takes its own queries; people get a table', async () => {
  const { code, stdout } = await run('eval', 'fruit', '--split', 'dev', '--arms', 'lexical');
  expect(code).toBe(0);
  expect(stdout).toMatch(/lexical +│ +1\.0000/);
  expect(stdout).toContain('1 judged queries');
});

test('the index of a collection is kept by content; a changed corpus gets its own', async () => {
  const folder = join(home, 'cache', 'surmise', 'collections');
  const before = await readdir(folder);
  await run('eval', 'fruit', '--arms', 'lexical', '--json');
  expect(await readdir(folder)).toEqual(before);
  expect(before.every((name) => indexFile.test(name))).toBe(true);
});

test.each([
  ['an unknown arm', ['--arms', 'lexicle'], 2, 'lexicle'],
  ['an arm twice', ['--arms', 'lexical,lexical'], 2, 'twice'],
  ['+hyde without hypotheses', ['--arms', 'lexical+hyde'], 2, '--hypotheses'],
  ['dense without an embedder', ['--arms', 'dense', '--embedder', 'none'], 2, '--embedder static'],
  ['a missing hypotheses file', ['--arms', 'lexical+hyde', '--hypotheses', 'nope.jsonl'], 8, 'nope.jsonl'],
  ['a missing split', ['--split', 'train'], 8, 'dev.tsv'],
])('%s', async (_, args, exit, words) => {
  const { code, stderr } = await run('eval', 'fruit', ...args);
  expect(code).toBe(exit);
  expect(stderr).toContain(words);
});

test('a broken line is named and leaves nothing in the cache', async () => {
  const { code, stderr } = await run('eval', 'broken', '--arms', 'lexical');
  expect(code).toBe(9);
  expect(stderr).toContain('corpus.jsonl, line 2');
  const names = await readdir(join(home, 'cache', 'surmise', 'collections'));
  expect(names.filter((name) => !indexFile.test(name))).toEqual([]);
});
