/** Changes of a BM25 index at random, and what must hold of it whatever they were. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { type Bm25Index, createBm25Index } from '../../src/kernels/bm25-index.js';
import type { Bm25Query } from '../../src/kernels/bm25-query.js';
import type { Bm25Reader } from '../../src/kernels/bm25-reader.js';

export const options = { fields: { title: 2.5, body: 1 }, sequences: true };
export type Fields = Readonly<Record<'title' | 'body', string[]>>;
export type Documents = Map<string, Fields>;

const term = fc.constantFrom('a', 'ab', 'abc', 'b', 'ba', 'c', 'é', '😀', '\ud800');
const terms = fc.array(term, { maxLength: 5 });
const id = fc.nat(60).map((number) => (number === 0 ? '\udfff' : `${number}`));

export type Change =
  | { readonly kind: 'add'; readonly id: string; readonly terms: Fields }
  | { readonly kind: 'remove'; readonly id: string }
  | { readonly kind: 'save' | 'load' | 'search' | 'snapshot' }
  | { readonly kind: 'merge'; readonly postings: number };

const add = fc.record({ kind: fc.constant('add' as const), id, terms: fc.record({ title: terms, body: terms }) });
/** Segments are saved often, which makes many of them, so that they are merged while changes go on. */
export const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 6, arbitrary: add },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), id }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('save' as const, 'load', 'search', 'snapshot') }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('merge' as const), postings: fc.integer({ min: 1, max: 40 }) }),
  },
);

const plain = (...words: string[]) => words.map((word) => ({ term: word, weight: 1 }));
const queries: readonly Bm25Query[] = [
  { terms: [...plain('a', 'c'), { term: 'b', weight: 0.3 }] },
  { terms: plain('é', 'a'), prefixes: [{ prefix: 'a', terms: ['b'], weight: 0.7 }], not: [{ prefix: 'ba' }] },
  { terms: plain('a', 'b'), must: [[{ sequence: ['a', 'b'] }, { sequence: ['b', 'a'] }]] },
  { terms: plain('😀', '\ud800', 'c'), not: [{ sequence: ['c', 'c'] }, { sequence: ['ab'] }] },
];

/** Everything that can be asked. */
export function answers(reader: Bm25Reader) {
  const allow = (wanted: string) => wanted.length === 1 || wanted > '3';
  return {
    size: reader.size,
    averageLength: reader.averageLength,
    frequencies: ['a', 'abc', 'é', 'none'].map((word) => reader.frequency(word)),
    found: queries.map((query) => {
      const all = reader.search(query, { k: 100 });
      return { all, first: reader.search(query, { k: 3, allow }), explained: explained(reader, query, all.hits) };
    }),
  };
}

function explained(reader: Bm25Reader, query: Bm25Query, hits: readonly { id: string; score: number }[]) {
  return hits.slice(0, 5).map(({ id: hit, score }) => {
    const explanation = reader.explain(hit, query);
    expect(explanation?.score).toBe(score);
    return explanation;
  });
}

/** An index of the documents that was filled at once, in another order. */
export function builtAnew(documents: Documents): Bm25Index {
  const index = createBm25Index(options);
  for (const [name, words] of [...documents].toReversed()) index.add(name, words);
  return index;
}
