import { expect, test } from 'vitest';
import type { Store } from '../../src/core/ports.js';
import { createSurmise } from '../../src/core/surmise.js';
import { memoryStore } from './library.js';

/** A store in which somebody writes between the ranking and the reading of the hits, so many times. */
async function written(times: number): Promise<{ store: Store; writes: () => number }> {
  const store = memoryStore();
  const inner = createSurmise({ store });
  await inner.index([
    { document: { id: 'a', text: 'The ferry leaves at noon.' } },
    { document: { id: 'b', text: 'The ferry of the other line leaves at one.' } },
  ]);
  let writes = 0;
  return {
    writes: () => writes,
    store: {
      ...store,
      async get(ids, options) {
        if (writes < times)
          await inner.index([{ document: { id: 'a', text: `A mill stands here, number ${++writes}.` } }]);
        return store.get(ids, options);
      },
    },
  };
}

test('hits and their texts are of one state of the index, though somebody writes meanwhile', async () => {
  const { store, writes } = await written(1);
  const { hits, degraded, trace } = await createSurmise({ store }).search('ferry', { feedback: false });
  expect(writes()).toBe(1);
  expect(hits.map(({ id, text }) => [id, text])).toEqual([['b#0', 'The ferry of the other line leaves at one.']]);
  expect(degraded).toEqual([]);
  expect(trace.legs.map(({ name }) => name)).toEqual(['lexical']);
});

test('when somebody never stops writing the answer comes all the same, and says so', async () => {
  const { store } = await written(100);
  const { hits, degraded } = await createSurmise({ store }).search('ferry', { feedback: false });
  expect(hits.length).toBeGreaterThan(0);
  expect(degraded).toEqual([{ part: 'index', reason: expect.stringMatching(/changed/) }]);
});
