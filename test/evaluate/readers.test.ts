import { expect, test } from 'vitest';
import { readCorpus, readHypotheses, readQueries } from '../../src/evaluate/beir.js';
import { readQrels } from '../../src/evaluate/qrels.js';
import { readRun, writeRun } from '../../src/evaluate/run.js';

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
const bad = (message: RegExp) => expect.objectContaining({ code: 'bad_data', message: expect.stringMatching(message) });

test('corpus: byte order mark, CRLF, blank lines, optional fields', async () => {
  const lines = [
    '\uFEFF{"_id": "a", "title": "", "text": "first"}\r',
    '\r',
    '   ',
    '{"_id": 7, "title": "Seven", "text": "x\u2028y", "metadata": {"tags": ["t"], "n": null}}',
    '',
  ];
  expect(await all(readCorpus(lines))).toEqual([
    { id: 'a', text: 'first' },
    { id: '7', title: 'Seven', text: 'x\u2028y', metadata: { tags: ['t'], n: null } },
  ]);
});

test('lines may come from an async iterable', async () => {
  async function* lines() {
    yield '{"_id": "q", "text": "how?"}';
  }
  expect(await readQueries(lines())).toEqual([{ id: 'q', text: 'how?' }]);
});

test.each([
  ['{"_id": "a", "text": ', /c\.jsonl, line 2: expected one JSON object a line/],
  ['["a"]', /c\.jsonl, line 2: expected a JSON object/],
  ['{"text": "x"}', /line 2: expected "_id"/],
  ['{"_id": "", "text": "x"}', /line 2: expected "_id"/],
  ['{"_id": "b"}', /line 2: expected "text" of 'b'/],
  ['{"_id": "b", "text": "x", "title": 3}', /line 2: expected "title" of 'b'/],
  ['{"_id": "b", "text": "x", "metadata": []}', /line 2: expected "metadata" of 'b'/],
  ['{"_id": "a", "text": "again"}', /line 2: the id 'a' was on an earlier line/],
])('bad corpus line %s', async (line, message) => {
  await expect(all(readCorpus(['{"_id": "a", "text": "x"}', line], 'c.jsonl'))).rejects.toEqual(bad(message));
});

test('hypotheses', async () => {
  expect(
    await readHypotheses(['{"_id": "q", "hypotheses": ["one", "two"]}', '{"_id": "r", "hypotheses": []}']),
  ).toEqual(
    new Map([
      ['q', ['one', 'two']],
      ['r', []],
    ]),
  );
  for (const list of ['"one"', '[1]', 'null']) {
    await expect(readHypotheses([`{"_id": "q", "hypotheses": ${list}}`], 'h.jsonl')).rejects.toEqual(
      bad(/h\.jsonl, line 1: expected "hypotheses" of 'q'/),
    );
  }
});

test('qrels: BEIR with and without header, TREC', async () => {
  const expected = new Map([
    [
      'q 1',
      new Map([
        ['a', 2],
        ['b', -1],
      ]),
    ],
  ]);
  expect(await readQrels(['query-id\tcorpus-id\tscore\r', 'q 1\ta\t2\r', '', 'q 1\tb\t-1'])).toEqual(expected);
  expect(await readQrels(['q 1\ta\t2', 'q 1\tb\t-1'])).toEqual(expected);
  expect(await readQrels(['7 0 a 1', '7 0\tb  0'])).toEqual(
    new Map([
      [
        '7',
        new Map([
          ['a', 1],
          ['b', 0],
        ]),
      ],
    ]),
  );
});

test.each([
  [['q\ta\t1', 'q\ta\t0'], /t\.tsv, line 2: query 'q' and document 'a' were judged already/],
  [['q\ta\t1', 'q\tb\tscore'], /t\.tsv, line 2: expected a query id/],
  [['q\ta\t0.5'], /line 1: expected a query id/],
  [['q\ta'], /line 1: expected a query id/],
  [['q\t\t1'], /line 1: expected a query id/],
  [['query-id\tcorpus-id\tscore', 'query-id\tcorpus-id\tscore'], /line 2: expected/],
])('bad qrels %#', async (lines, message) => {
  await expect(readQrels(lines, 't.tsv')).rejects.toEqual(bad(message));
});

test('a run survives writing and reading, and tied scores are written strictly falling', async () => {
  const run = new Map([
    [
      'q',
      [
        { id: 'b', score: 1 },
        { id: 'a', score: 1 },
        { id: 'z', score: 3 },
        { id: 'c', score: 0 },
        { id: 'd', score: 0 },
      ],
    ],
  ]);
  const lines = [...writeRun(run, 'test')];
  expect(lines[0]).toBe('q Q0 z 1 3 test');
  const scores = (await readRun(lines)).get('q')!;
  expect(scores.map(({ id }) => id)).toEqual(['z', 'a', 'b', 'c', 'd']);
  for (let i = 1; i < scores.length; i++) {
    expect(Math.fround(scores[i]!.score)).toBeLessThan(Math.fround(scores[i - 1]!.score));
    expect(scores[i]!.score).toBeCloseTo(Math.min(1, scores[i]!.score), 6);
  }
  await expect(readRun(['q Q0 a 1 high t'], 'r')).rejects.toEqual(bad(/r, line 1: expected six columns/));
  expect(() => [...writeRun(new Map([['q', [{ id: 'a b', score: 1 }]]]))]).toThrow(bad(/white space/));
});
