import { appendFile, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
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

test('arms are compared query by query, with their base or with the one that is named', async () => {
  const hypotheses = ['--hypotheses', join('fruit', 'hypotheses.model.jsonl')];
  const arms = ['--arms', 'lexical,lexical+hyde'];
  const { comparisons } = JSON.parse((await run('eval', 'fruit', '--json', ...arms, ...hypotheses)).stdout);
  expect(comparisons).toMatchObject([
    { arm: 'lexical+hyde', base: 'lexical', queries: 1, difference: 1, wins: 1, losses: 0, ties: 0 },
  ]);
  const { stdout } = await run('eval', 'fruit', ...arms, ...hypotheses, '--baseline', 'lexical+hyde');
  expect(stdout).toMatch(
    /lexical − lexical\+hyde +│ +−1\.0000 │ −1\.0000 to −1\.0000 │ +0 \/ 1 \/ 0 │ [\d.]+ │ worse /,
  );
});

test('--split takes its own queries; people get a table', async () => {
  const { code, stdout } = await run('eval', 'fruit', '--split', 'dev', '--arms', 'lexical');
  expect(code).toBe(0);
  expect(stdout).toMatch(/lexical +│ +1\.0000/);
  expect(stdout).toContain('1 judged queries');
});

/** A collection of its own, so that no other test has indexed it. */
async function newCollection(name: string, documents: readonly object[]) {
  const folder = await makeWorkspace({
    [`${name}/corpus.jsonl`]: lines(documents),
    [`${name}/queries.jsonl`]: lines([{ _id: 'q1', text: 'canoe' }]),
    [`${name}/qrels/test.tsv`]: 'q1\td1\t1\n',
  });
  return join(folder, name);
}

const cached = async () => {
  const folder = join(home, 'cache', 'surmise', 'collections');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.db'));
  return new Map(
    await Promise.all(names.map(async (name) => [join(folder, name), (await stat(join(folder, name))).ino] as const)),
  );
};

/** The index that a run of `eval` added. */
async function addedBy(work: () => Promise<unknown>): Promise<string[]> {
  const before = await cached();
  await work();
  return [...(await cached()).keys()].filter((path) => !before.has(path));
}

test('the index of a collection is kept by content; a changed corpus gets its own', async () => {
  const folder = await newCollection('boats', [{ _id: 'd1', text: 'A canoe on the lake.' }]);
  const evaluate = () => run('eval', folder, '--arms', 'lexical', '--json');
  const [first, ...none] = await addedBy(evaluate);
  expect(first).toMatch(/[0-9a-f]{32}\.db$/);
  expect(none).toEqual([]);
  const before = await cached();
  await evaluate();
  expect(await cached()).toEqual(before);
  await writeFile(join(folder, 'corpus.jsonl'), lines([{ _id: 'd1', text: 'A canoe on the river.' }]));
  expect(await addedBy(evaluate)).toHaveLength(1);
  expect((await cached()).get(first!)).toBe(before.get(first!));
});

test('a kept index that is damaged is built again', async () => {
  const folder = await newCollection('damaged', [{ _id: 'd1', text: 'The canoe has a hole.' }]);
  const evaluate = () => run('eval', folder, '--arms', 'lexical', '--json');
  const { stdout } = await evaluate();
  const [path] = await addedBy(async () => {
    await appendFile(join(folder, 'corpus.jsonl'), lines([{ _id: 'd2', text: 'The hole has a plug.' }]));
    await evaluate();
  });
  const whole = await readFile(path!);
  const zeroed = Buffer.concat([whole.subarray(0, 4_096), Buffer.alloc(whole.length - 4_096)]);
  for (const damage of [() => truncate(path!, 5_000), () => writeFile(path!, 'junk'), () => writeFile(path!, zeroed)]) {
    await damage();
    const again = await evaluate();
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(again.stdout)).toEqual({ ...JSON.parse(stdout), documents: 2 });
    expect((await stat(path!)).size).toBe(whole.length);
  }
});

test('what killed runs left behind goes after a day', async () => {
  const folder = join(home, 'cache', 'surmise', 'collections');
  const collection = await newCollection('killed', [{ _id: 'd1', text: 'Nobody paddles the canoe.' }]);
  const long = new Date(Date.now() - 100_000_000);
  for (const name of ['old.part', 'old.part-wal', 'slow.part', 'slow.part-wal', 'new.part']) {
    await writeFile(join(folder, name), '');
    if (name !== 'new.part' && name !== 'slow.part-wal') await utimes(join(folder, name), long, long);
  }
  await run('eval', collection, '--arms', 'lexical');
  const left = (await readdir(folder)).filter((name) => name.includes('.part'));
  expect(left.sort()).toEqual(['new.part', 'slow.part', 'slow.part-wal']);
  for (const name of left) await rm(join(folder, name));
});

test('documents that were not indexed are counted, also from a kept index', async () => {
  const documents = [
    { _id: 'd1', text: 'The canoe is red.' },
    { _id: 'd2', text: ' ' },
    { _id: 'd3', title: ' ', text: '' },
  ];
  const folder = await newCollection('gaps', documents);
  for (let time = 0; time < 2; time++) {
    const { stdout } = await run('eval', folder, '--arms', 'lexical', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ documents: 1, skipped: 2 });
  }
  const { stdout } = await run('eval', folder, '--arms', 'lexical');
  expect(stdout).toContain('1 documents (2 left out');
  expect(JSON.parse((await run('eval', 'fruit', '--arms', 'lexical', '--json')).stdout)).not.toHaveProperty('skipped');
});

test('judgements without a line say so', async () => {
  const folder = await newCollection('unjudged', [{ _id: 'd1', text: 'canoe' }]);
  for (const text of ['', 'query-id\tcorpus-id\tscore\n']) {
    await writeFile(join(folder, 'qrels', 'test.tsv'), text);
    const { code, stderr } = await run('eval', folder);
    expect({ code, stderr }).toEqual({
      code: 9,
      stderr: `${join(folder, 'qrels', 'test.tsv')} has no judgement in it.\n`,
    });
  }
});

test.each([
  ['an unknown arm', ['--arms', 'lexicle'], 2, 'lexicle'],
  ['an arm twice', ['--arms', 'lexical,lexical'], 2, 'twice'],
  ['+hyde without hypotheses', ['--arms', 'lexical+hyde'], 2, '--hypotheses'],
  ['dense without an embedder', ['--arms', 'dense', '--embedder', 'none'], 2, '--embedder static'],
  ['a baseline that is no arm', ['--arms', 'lexical', '--baseline', 'hybrid'], 2, "'hybrid' is not among the arms"],
  ['a margin above 1', ['--margin', '2'], 2, 'a number from 0 to 1'],
  ['a missing hypotheses file', ['--arms', 'lexical+hyde', '--hypotheses', 'nope.jsonl'], 8, 'nope.jsonl'],
  ['a missing split', ['--split', 'train'], 8, 'dev.tsv'],
])('%s', async (_, args, exit, words) => {
  const { code, stderr } = await run('eval', 'fruit', ...args);
  expect(code).toBe(exit);
  expect(stderr).toContain(words);
});

test.each([
  ['an empty corpus', ''],
  ['a corpus without a word', '{"_id": "d1", "text": ""}\n'],
])('%s is bad data, not a measure of 0', async (_, corpus) => {
  const folder = await makeWorkspace({
    'corpus.jsonl': corpus,
    'queries.jsonl': lines([{ _id: 'q1', text: 'pears' }]),
    'qrels/test.tsv': 'q1\td1\t1\n',
  });
  const { code, stderr } = await run('eval', folder, '--arms', 'lexical');
  expect(code).toBe(9);
  expect(stderr).toContain('corpus.jsonl');
});

test('a cache folder that can not be made is said, with the way round it', async () => {
  const blocked = await makeWorkspace({ cache: 'a file' });
  const { code, stderr } = await surmise(['eval', join(home, 'fruit'), '--arms', 'lexical'], { home: blocked });
  expect(code).toBe(12);
  expect(stderr).toContain('--no-cache');
});

test('a broken line is named and leaves nothing in the cache', async () => {
  const { code, stderr } = await run('eval', 'broken', '--arms', 'lexical');
  expect(code).toBe(9);
  expect(stderr).toContain('corpus.jsonl, line 2');
  const names = await readdir(join(home, 'cache', 'surmise', 'collections'));
  expect(names.filter((name) => !indexFile.test(name))).toEqual([]);
});
