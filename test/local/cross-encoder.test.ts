import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { crossEncoder } from '../../src/local/cross-encoder.js';
import { pairWriter } from '../../src/local/pair-tokens.js';
import { rerankerContract } from '../contract/reranker.js';
import { embedder, indexed } from '../core/library.js';
import { writeTinyCrossEncoder } from './tiny-cross-encoder.js';
import { writeTinyEncoder } from './tiny-encoder.js';

let folder: string;
let tiny: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'surmise-'));
  tiny = join(folder, 'tiny cross é');
  await writeTinyCrossEncoder(tiny);
});
afterAll(() => rm(folder, { recursive: true }));

const share = (logit: number) => expect.closeTo(1 / (1 + Math.exp(-logit)), 6);

rerankerContract('a cross-encoder in a folder', async () => ({ reranker: await crossEncoder({ model: tiny }) }));

test('question and text are read together: shared words count, in the order of the texts', async () => {
  const { id, rerank } = await crossEncoder({ model: tiny });
  expect(id).toMatch(/^local\/tiny cross é-fp32-[0-9a-f]{12}$/);
  // One logit less than the products of how often each word stands on either side.
  const scores = await rerank('ferry at noon', ['rose', 'ferry rose', 'noon ferry ferry', '', 'at sea'], {});
  expect(scores).toEqual([share(-1), share(0), share(2), share(-1), share(-1)]);
});

test('what does not fit is cut: the end of the text, and of the question what exceeds half of the room', async () => {
  const { rerank } = await crossEncoder({ model: tiny });
  // 32 tokens less 3 marks: 29, of which a long question gets 14 and the text 15.
  const long = 'noon '.repeat(40);
  expect(await rerank(long, [long], {})).toEqual([share(14 * 15 - 1)]);
  expect(await rerank('ferry', [`${'rose '.repeat(27)}ferry`, `${'rose '.repeat(28)}ferry`], {})).toEqual([
    share(0),
    share(-1),
  ]);
  const { rerank: shorter } = await crossEncoder({ model: tiny, maxTokens: 16 });
  expect(await shorter(long, [long], {})).toEqual([share(6 * 7 - 1)]);
});

test('behind a search it orders the hits', async () => {
  const reranker = await crossEncoder({ model: tiny });
  const documents = [
    { id: 'rose', text: 'The rose likes no frost.' },
    { id: 'ferry', text: 'A ferry goes to the island at noon.' },
  ];
  const { search } = await indexed(documents, { embedder, reranker });
  const { hits, trace, degraded } = await search('when is the ferry, at noon?');
  expect(degraded).toEqual([]);
  expect(trace.rerank).toMatchObject({ id: reranker.id, passages: 2 });
  expect(hits.map(({ document, score }) => [document, score])).toEqual([
    ['ferry', share(1)],
    ['rose', share(-1)],
  ]);
});

describe('marks', () => {
  test('of models with two marks between question and text', () => {
    const words = (text: string) => [...text].map((letter) => letter.charCodeAt(0));
    const encode = (text: string, options: { readonly text_pair?: string } = {}) =>
      options.text_pair === undefined
        ? [0, ...words(text), 2]
        : [0, ...words(text), 2, 2, ...words(options.text_pair), 2];
    const write = pairWriter({ encode }, (text) => encode(text), 12);
    expect(write('b', 'cd')).toEqual({ tokens: [0, 98, 2, 2, 99, 100, 2], second: 4 });
    expect(write('bbbbbbbb', 'cccccccc').tokens).toEqual([0, 98, 98, 98, 98, 2, 2, 99, 99, 99, 99, 2]);
    expect(write('', '').tokens).toEqual([0, 2, 2, 2]);
  });
});

describe('what is no cross-encoder', () => {
  test('is refused when it is opened', async () => {
    const encoder = join(folder, 'encoder');
    await writeTinyEncoder(encoder);
    const classes = join(folder, 'classes');
    await writeTinyCrossEncoder(classes, 3);
    for (const model of [encoder, classes])
      await expect(crossEncoder({ model })).rejects.toMatchObject({
        code: 'bad_data',
        message: expect.stringContaining('one logit'),
      });
  });

  test.each<[string, object, string]>([
    ['no folder', { model: '/nowhere/to/be/found' }, 'unreadable'],
    ['too small a limit', { maxTokens: 15 }, 'bad_argument'],
    ['a limit that the model can not take', { maxTokens: 33 }, 'bad_argument'],
    ['another number format', { dtype: 'q8' }, 'unreadable'],
  ])('%s', async (_, options, code) => {
    await expect(crossEncoder({ model: tiny, ...options })).rejects.toMatchObject({ code });
  });
});
