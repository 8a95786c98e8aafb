import { describe, expect, test } from 'vitest';
import type { Generation, Generator } from '../../src/core/ports.js';
import type { SearchPorts } from '../../src/core/run.js';
import { createSurmise } from '../../src/core/surmise.js';
import { embedder, generatorOf, indexed, memoryStore } from './library.js';

describe('generators that lie', () => {
  const answerOf = async (generate: Generator['generate'], id?: string) =>
    createSurmise({ store: (await indexed()).store, embedder, generator: generatorOf(generate, id) }).search(
      'when do bees leave the hive?',
      { hyde: 'on', feedback: false, n: 2 },
    );

  test.each<[string, () => unknown]>([
    ['nothing', () => []],
    ['no list', () => null],
    [
      'a passage that throws when it is read',
      () => [
        Object.defineProperty({}, 'text', {
          get: () => {
            throw new Error('no');
          },
        }),
      ],
    ],
    [
      'a vector of no numbers',
      () => [{ text: 'The swarm leaves the hive in early summer.', vector: new Float32Array(64).fill(Number.NaN) }],
    ],
  ])('%s: the plain hits stand and it is said', async (_, answer) => {
    const result = await answerOf(async () => answer() as Generation[]);
    expect(result.hits[0]!.document).toBe('bees');
    expect(result.degraded.map(({ part }) => part)).toEqual([expect.stringMatching(/generator|hypotheses/)]);
  });

  test('far too many passages: the first are taken', async () => {
    const many = Array.from({ length: 200_000 }, (_, at) => ({
      text: `The swarm number ${at} leaves the hive in May.`,
    }));
    const { trace, degraded } = await answerOf(async () => many);
    expect(trace.generator).toMatchObject({ wanted: 2, received: 2 });
    expect(degraded).toEqual([]);
  });

  test('a passage without end is dropped, and the trace stays small', async () => {
    const { trace } = await answerOf(async () => [{ text: 'bees '.repeat(2_000_000) }]);
    expect(trace.hypotheses).toMatchObject([{ used: false, dropped: 'too long' }]);
    expect(JSON.stringify(trace).length).toBeLessThan(10_000);
  });
});

test.each<[string, () => unknown]>([
  ['no store', () => createSurmise({} as SearchPorts)],
  ['a generator without a method', () => createSurmise({ store: memoryStore(), generator: { id: 'x' } as never })],
  ['feedback that is null', () => createSurmise({ store: memoryStore(), feedback: null as never })],
  ['a reranker that is a name', () => createSurmise({ store: memoryStore(), reranker: 'cohere' as never })],
  ['a reload with no generator', async () => (await indexed()).reload({ generator: {} as never })],
  ['documents that can not be iterated', () => createSurmise({ store: memoryStore() }).index(null as never)],
  ['ids that are no list', () => createSurmise({ store: memoryStore() }).remove('abc' as never)],
  [
    'an endless hypothesis of the caller',
    async () => (await indexed()).search('x', { hypotheses: ['w '.repeat(20_000)] }),
  ],
])('%s: a bad argument', async (_, act) => {
  await expect((async () => act())()).rejects.toMatchObject({ code: 'bad_argument' });
});
