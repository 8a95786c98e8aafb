import { describe, expect, test } from 'vitest';
import type { Block } from '../../src/core/chunk.js';
import { type IndexInput, takeInput } from '../../src/core/index-input.js';
import { indexDocuments } from '../../src/core/indexing.js';
import type { Embedder } from '../../src/core/ports.js';
import { createSurmise } from '../../src/core/surmise.js';
import { embedder, memoryStore } from './library.js';

const bad = (message: RegExp, code = 'bad_data') => ({ code, message: expect.stringMatching(message) });

describe('an input is copied when it is taken', () => {
  test('a generator may use one object again and again', async () => {
    const store = memoryStore();
    const reused = { id: '', text: '', metadata: { at: 0 } };
    const heading = ['none'];
    const blocks: { -readonly [Name in keyof Block]: Block[Name] }[] = [];
    function* documents() {
      for (let at = 0; at < 5; at++) {
        Object.assign(reused, { id: `d${at}`, text: `Ferry number ${at}${'.'.repeat(at)}` });
        reused.metadata.at = at;
        heading[0] = `Part ${at}`;
        blocks[0] = { start: 0, end: reused.text.length, heading };
        yield { document: reused, blocks };
      }
      Object.assign(reused, { id: 'none', text: '' });
      heading[0] = 'none';
    }
    expect(await indexDocuments({ store }, documents())).toMatchObject({ added: 5, chunks: 5 });
    const chunks = await store.get(['d0#0', 'd4#0']);
    expect(chunks).toMatchObject([
      { text: 'Ferry number 0', heading: ['Part 0'] },
      { text: 'Ferry number 4....', heading: ['Part 4'] },
    ]);
    expect(await store.count({ field: 'at', is: '=', value: 3 })).toMatchObject({ documents: 1 });
    expect(await indexDocuments({ store }, documents())).toMatchObject({ unchanged: 5 });
  });

  test('a text that changes while it is embedded is written as it was', async () => {
    const store = memoryStore();
    const document = { id: 'a', text: 'The ferry leaves at noon.' };
    const changing: Embedder = {
      ...embedder,
      embed(texts, options) {
        document.text = 'Something else.';
        return embedder.embed(texts, options);
      },
    };
    await indexDocuments({ store, embedder: changing }, [{ document }]);
    expect(await store.get(['a#0'])).toMatchObject([{ text: 'The ferry leaves at noon.' }]);
  });

  test('what a block has besides counts for nothing', async () => {
    const store = memoryStore();
    const document = { id: 'a', text: 'abc' };
    const more = { kind: 'row', own: 1n, end: 3, start: 0 };
    await indexDocuments({ store }, [{ document, blocks: [more] }]);
    const plain = [{ start: 0, end: 3, kind: 'row' }];
    expect(await indexDocuments({ store }, [{ document, blocks: plain }])).toMatchObject({ unchanged: 1 });
  });

  test('blocks of one section share one path', () => {
    const heading = ['One'];
    const blocks = [0, 1, 2].map((at) => ({ start: at, end: at + 1, heading: at === 2 ? ['Two'] : heading }));
    const taken = takeInput({ document: { id: 'a', text: 'abc' }, blocks }).blocks!;
    expect(taken).toEqual(blocks);
    expect(taken[0]!.heading).toBe(taken[1]!.heading);
    expect(taken[0]!.heading).not.toBe(heading);
  });
});

describe('malformed input', () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  test.each<[string, unknown, RegExp]>([
    ['no document', { id: 'x', text: 'y' }, /"document"/],
    ['no id', { document: { text: 'y' } }, /"id"/],
    ['an empty id', { document: { id: '', text: 'y' } }, /"id"/],
    ['an id with half a pair', { document: { id: 'a\ud800', text: 'y' } }, /"id".*Unicode/],
    ['no text', { document: { id: 'x' } }, /"x".*"text"/],
    ['bytes for text', { document: { id: 'x', text: new Uint8Array(2) } }, /"x".*"text"/],
    ['a number for a title', { document: { id: 'x', text: 'y', title: 5 } }, /title.*"x"/],
    ['a list for a path', { document: { id: 'x', text: 'y', path: ['a'] } }, /path.*"x"/],
    ['null for a language', { document: { id: 'x', text: 'y', language: null } }, /language.*"x"/],
    ['metadata that is no JSON', { document: { id: 'x', text: 'y', metadata: circular } }, /metadata.*"x"/],
    ...[new Date(0), Object(5), new Map([['a', 1]]), [1], { toJSON: () => 'x' }, { toJSON: () => [1] }, { a: 1n }].map(
      (metadata): [string, unknown, RegExp] => [
        `metadata that are ${Object.prototype.toString.call(metadata)} and no fields`,
        { document: { id: 'x', text: 'y', metadata } },
        /metadata.*"x"/,
      ],
    ),
    ['metadata that are nothing', { document: { id: 'x', text: 'y', metadata: { toJSON() {} } } }, /metadata.*"x"/],
    ...[
      [null],
      [5],
      new Array(1),
      [{ start: 0, end: 1, heading: 'Intro' }],
      [{ start: 0, end: 1, heading: ['Intro', 5] }],
      [{ start: 0, end: 1, header: 5 }],
      [{ start: 0, end: 1, kind: 5 }],
    ].map((blocks): [string, unknown, RegExp] => [
      `blocks ${JSON.stringify(blocks)}`,
      { document: { id: 'x', text: 'y' }, blocks },
      /blocks.*"x"/,
    ]),
  ])('%s', async (_, input, message) => {
    const store = memoryStore();
    await expect(indexDocuments({ store }, [input as IndexInput])).rejects.toMatchObject(bad(message));
  });

  test.each<[string, object, RegExp]>([
    ['an unknown option', { batch: 5 }, /"batch".*Known: chunking/],
    ['an unknown setting of retries', { retries: { count: 5 } }, /"count".*Known: attempts/],
    ['retries that are no settings', { retries: 5 }, /retries must be an object/],
    ['null for retries', { retries: null }, /retries must be an object/],
    ['a list of retries', { retries: [] }, /retries must be an object/],
    ['null for the chunking', { chunking: null }, /"chunking"/],
    ['a word for dryRun', { dryRun: 'no' }, /"dryRun"/],
    ['a number for a signal', { signal: 5 }, /"signal"/],
    ['a number for a listener', { onProgress: 5 }, /"onProgress"/],
    ['null for the options', null as never, /options must be an object/],
    ['retries out of range', { retries: { attempts: 0 } }, /"attempts".*from 1 to 100/],
    ['an unknown chunking option', { chunking: { unit: 5 } }, /"unit"/],
    ['a size out of range', { chunking: { size: 0 } }, /from 20 to/],
  ])('%s', async (_, options, message) => {
    const store = memoryStore();
    await expect(indexDocuments({ store }, [], options)).rejects.toMatchObject(bad(message, 'bad_argument'));
  });
});

test.each<[string, { start: number; end: number }[]]>([
  ['outside of the text', [{ start: 0, end: 99 }]],
  ['turned round', [{ start: 3, end: 1 }]],
  [
    'overlapping',
    [
      { start: 0, end: 3 },
      { start: 2, end: 4 },
    ],
  ],
  ['not whole', [{ start: 0.5, end: 2 }]],
  ['no number', [{ start: Number.NaN, end: 2 }]],
])('blocks that are %s are bad data', async (_, blocks) => {
  const surmise = createSurmise({ store: memoryStore() });
  await expect(surmise.index([{ document: { id: 'a', text: 'short' }, blocks }])).rejects.toMatchObject({
    code: 'bad_data',
    message: expect.stringContaining('"a"'),
  });
});
