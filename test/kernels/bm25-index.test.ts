import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBm25Index, loadBm25Index } from '../../src/kernels/bm25-index.js';

const plain = (...terms: string[]) => terms.map((term) => ({ term, weight: 1 }));

test('add replaces, remove forgets, counts follow', () => {
  const index = createBm25Index();
  index.add('1', ['red', 'boat']);
  index.add('2', ['red', 'red', 'barn', 'door']);
  expect([index.size, index.averageLength, index.frequency('red')]).toEqual([2, 3, 2]);
  index.add('1', ['blue']);
  expect([index.size, index.averageLength, index.frequency('red'), index.frequency('boat')]).toEqual([2, 2.5, 1, 0]);
  expect(index.remove('2')).toBe(true);
  expect(index.remove('2')).toBe(false);
  expect(index.has('2')).toBe(false);
  expect(index.search(plain('red', 'blue'), { k: 5 }).hits.map(({ id }) => id)).toEqual(['1']);
  expect(index.explain('2', plain('red'))).toBeUndefined();
});

test('an empty index and an empty document answer', () => {
  const index = createBm25Index();
  expect(index.search(plain('a'), { k: 1 })).toEqual({ hits: [], matched: 0, min: 0, max: 0 });
  index.add('empty', []);
  expect(index.size).toBe(1);
  expect(index.search(plain('a'), { k: 1 }).hits).toEqual([]);
});

test('allow restricts hits and range', () => {
  const index = createBm25Index();
  for (const id of ['a', 'b', 'c']) index.add(id, ['x']);
  const { hits, matched, min } = index.search(plain('x'), { k: 9, allow: (id) => id !== 'b' });
  expect(hits.map(({ id }) => id)).toEqual(['a', 'c']);
  expect(matched).toBe(2);
  expect(min).toBeGreaterThan(0);
});

const terms = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 6 });
const step = fc.record({ id: fc.integer({ min: 0, max: 99 }), terms: fc.option(terms) });

test('after any additions and removals it answers like an index built anew, and so does its saved form', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const index = createBm25Index();
      const expected = new Map<string, string[]>();
      for (const { id, terms: words } of steps) {
        if (words === null) {
          index.remove(`${id}`);
          expected.delete(`${id}`);
        } else {
          index.add(`${id}`, words);
          expected.set(`${id}`, words);
        }
      }
      const fresh = createBm25Index();
      for (const [id, words] of [...expected].toReversed()) fresh.add(id, words);
      const query = plain('a', 'c', 'e');
      const answer = fresh.search(query, { k: 20 });
      expect(index.search(query, { k: 20 })).toEqual(answer);
      expect(loadBm25Index(index.save()).search(query, { k: 20 })).toEqual(answer);
      expect(index.search(query, { k: 20 })).toEqual(answer);
    }),
    { numRuns: 50 },
  );
});

test('damaged bytes are an error, at every length and for every changed byte an answer', () => {
  const index = createBm25Index();
  index.add('één', ['a', 'b', 'b']);
  index.add('two', ['b']);
  const bytes = index.save();
  for (let length = 0; length < bytes.length; length++)
    expect(() => loadBm25Index(bytes.subarray(0, length))).toThrow(RangeError);
  expect(() => loadBm25Index(Uint8Array.of(...bytes, 0))).toThrow(/damaged/);
  for (let at = 0; at < bytes.length; at++) {
    const changed = bytes.slice();
    changed[at] = changed[at]! ^ 0xff;
    try {
      loadBm25Index(changed);
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
    }
  }
});
