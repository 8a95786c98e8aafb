import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { writeTinyEncoder } from '../local/tiny-encoder.js';
import { surmise } from './surmise.js';
import { makeWorkspace } from './workspace.js';

let home: string;
const run = (...args: string[]) => surmise(args, { home });

beforeAll(async () => {
  const rows = (list: readonly object[]) => list.map((row) => JSON.stringify(row)).join('\n');
  home = await makeWorkspace({
    'notes/ferry.md': 'ferry island noon',
    'notes/rose.md': 'rose frost',
    'set/corpus.jsonl': rows([
      { _id: 'd1', text: 'ferry island noon' },
      { _id: 'd2', text: 'rose frost' },
    ]),
    'set/queries.jsonl': rows([{ _id: 'q1', text: 'ferry island noon' }]),
    'set/qrels/test.tsv': 'query-id\tcorpus-id\tscore\nq1\td1\t1\n',
  });
  await writeTinyEncoder(join(home, 'models', 'tiny'));
  await writeTinyEncoder(join(home, 'cache', 'surmise', 'models', 'harbour', 'kept'), 'model.onnx', 2);
}, 60_000);

test('an index is made and searched with an encoder in a folder, and by no other', async () => {
  const index = ['--index', join(home, 'notes.db')];
  const encoder = `local:${join('models', 'tiny')}`;
  expect(await run('index', 'notes', ...index, '--embedder', encoder)).toMatchObject({ code: 0 });
  const found = await run('search', 'rose frost', ...index, '--embedder', encoder, '--mode', 'dense', '--json');
  expect({ code: found.code, stderr: found.stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(found.stdout).hits[0].title).toBe('rose');
  const other = await run('search', 'rose', ...index, '--embedder', 'local:harbour/kept', '--mode', 'dense');
  expect(other.code).toBe(7);
});

test('evaluations keep the vectors of an encoder by name', async () => {
  const evaluate = () => run('eval', 'set', '--embedder', 'local:harbour/kept', '--arms', 'dense', '--json');
  const first = await evaluate();
  expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(first.stdout).arms.dense['nDCG@10']).toBe(1);
  const kept = join(home, 'cache', 'surmise', 'vectors.db');
  expect((await stat(kept)).isFile()).toBe(true);
  expect((await evaluate()).stdout).toBe(first.stdout);
});

test('an encoder that is nowhere is named with where it was looked for', async () => {
  const { code, stderr } = await run(
    'search',
    'x',
    '--index',
    join(home, 'notes.db'),
    '--embedder',
    'local:harbour/none',
  );
  expect(code).toBe(8);
  expect(stderr).toMatch(/harbour\/none is neither a folder nor in .*models.*nothing is fetched unasked/);
});
