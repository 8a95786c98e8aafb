import { expect, test } from 'vitest';
import { SurmiseError } from '../../src/core/errors.js';
import { parseArm, parseArms } from '../../src/evaluate/arms.js';
import { ownDocuments } from '../../src/evaluate/own-documents.js';
import { runArm } from '../../src/evaluate/run-arm.js';

const own = new Set<string>();

test('arms have one canonical name', () => {
  expect(parseArm('hybrid+hyde+feedback')).toEqual({
    name: 'hybrid+feedback+hyde',
    mode: 'hybrid',
    feedback: true,
    hyde: true,
    gated: false,
    options: {},
  });
  expect(parseArm(' lexical ')).toMatchObject({ name: 'lexical', feedback: false, hyde: false });
  expect(parseArms('lexical,dense+hyde').map(({ name }) => name)).toEqual(['lexical', 'dense+hyde']);
});

test.each(['', 'bm25', 'hyde', 'hybrid+', 'hybrid+rerank', 'hybrid+hyde+hyde', 'hyde+hybrid', 'Lexical'])(
  '"%s" is no arm',
  (text) => {
    expect(() => parseArm(text)).toThrow(expect.objectContaining({ code: 'bad_argument' }));
    expect(() => parseArm(text)).toThrow(/lexical, dense or hybrid/);
  },
);

test('variants set what they say, in the order of their table', () => {
  expect(parseArm('hybrid+auto+parity+hyde+rrf')).toEqual({
    name: 'hybrid+rrf+hyde+parity+auto',
    mode: 'hybrid',
    feedback: false,
    hyde: true,
    gated: true,
    options: { fusion: 'rrf', anchor: 'parity' },
  });
});

test.each([
  ['hybrid+parity', /needs hyde/],
  ['lexical+rrf', /needs hybrid/],
  ['hybrid+auto', /needs \+hyde or \+feedback/],
  ['hybrid+pool+max', /two parts set scale/],
  ['hybrid+constructor', /no arm/],
])('"%s" makes no sense, and it is said why', (text, message) => {
  expect(() => parseArm(text)).toThrow(message);
});

test('an arm given twice is an error', () => {
  expect(() => parseArms('hybrid+hyde+feedback,hybrid+feedback+hyde')).toThrow(/given twice/);
});

test('the run keeps the order of the queries, bounds concurrency and reports progress', async () => {
  const queries = Array.from({ length: 9 }, (_, i) => ({ id: `q${i}`, text: `text ${i}` }));
  const waiting: (() => void)[] = [];
  let most = 0;
  const progress: number[] = [];
  const run = await runArm(
    async (id, text) => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        most = Math.max(most, waiting.length);
        // The youngest question is answered first, once three wait or none is left to come.
        if (waiting.length === 3 || id === 'q8') while (waiting.length > 0) waiting.pop()!();
      });
      return [{ id: `document of ${text}`, score: 1 }];
    },
    queries,
    { own, concurrency: 3, onProgress: ({ done, total }) => progress.push(done / total) },
  );
  expect([...run.keys()]).toEqual(queries.map(({ id }) => id));
  expect(run.get('q4')).toEqual([{ id: 'document of text 4', score: 1 }]);
  expect(most).toBe(3);
  expect(progress).toEqual(queries.map((_, i) => (i + 1) / 9));
});

test('a failing query ends the run and is named, with its code', async () => {
  const asked: string[] = [];
  const ask = async (id: string) => {
    asked.push(id);
    if (id === 'q2') throw new SurmiseError('provider_failed', 'no answer');
    return [];
  };
  const queries = ['q1', 'q2', 'q3'].map((id) => ({ id, text: id }));
  await expect(runArm(ask, queries, { own, concurrency: 1 })).rejects.toMatchObject({
    code: 'provider_failed',
    message: "Query 'q2': no answer",
  });
  expect(asked).toEqual(['q1', 'q2']);
});

test('cancelling', async () => {
  const controller = new AbortController();
  const asked: string[] = [];
  const ask = async (id: string) => {
    asked.push(id);
    controller.abort();
    return [];
  };
  const queries = ['q1', 'q2'].map((id) => ({ id, text: id }));
  await expect(runArm(ask, queries, { own, concurrency: 1, signal: controller.signal })).rejects.toMatchObject({
    code: 'aborted',
  });
  expect(asked).toEqual(['q1']);
});

test('bad arguments', async () => {
  const twice = [
    { id: 'q', text: 'one' },
    { id: 'q', text: 'two' },
  ];
  await expect(runArm(async () => [], twice, { own })).rejects.toMatchObject({ code: 'bad_data' });
  await expect(runArm(async () => [], [], { own, concurrency: 0 })).rejects.toMatchObject({ code: 'bad_argument' });
  expect(await runArm(async () => [], [], { own })).toEqual(new Map());
});

test('only a document with the text of the query is its own', async () => {
  const queries = [
    { id: '1', text: 'Rivers carry sand to the sea.' },
    { id: '2', text: 'Rivers carry sand to the sea.' },
    { id: '3', text: 'Why do bridges sway in the wind?' },
    { id: '4', text: '' },
  ];
  const documents = [
    { id: '1', text: 'rivers  carry sand to the sea' },
    { id: '2', text: 'Glaciers carry stones to the valley.' },
    { id: '3', title: 'Why do bridges sway', text: 'in the wind?' },
    { id: '4', text: '' },
    { id: '5', text: 'Rivers carry sand to the sea.' },
  ];
  const found = await ownDocuments(queries, documents);
  expect([...found]).toEqual(['1', '3']);
  const answer = ['1', '2', '3'].map((id, i) => ({ id, score: -i }));
  const run = await runArm(async () => answer, queries, { own: found });
  expect([...run.values()].map((list) => list.map(({ id }) => id))).toEqual([
    ['2', '3'],
    ['1', '2', '3'],
    ['1', '2'],
    ['1', '2', '3'],
  ]);
});
