import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBm25Index, loadBm25Index } from '../../src/kernels/bm25-index.js';

const plain = (...terms: string[]) => terms.map((term) => ({ term, weight: 1 }));
const word = fc.constantFrom('a', 'b', 'c', 'd');
const terms = fc.array(word, { maxLength: 6 });
const documents = fc.array(fc.record({ title: terms, heading: terms, body: terms }), { maxLength: 12 });

test('a field counts as if it stood there as often as its boost says', () => {
  fc.assert(
    fc.property(documents, fc.array(fc.nat(11), { maxLength: 6 }), (all, removed) => {
      const index = createBm25Index({ fields: { title: 3, heading: 2, body: 1 } });
      const repeated = createBm25Index();
      all.forEach(({ title, heading, body }, at) => {
        index.add(`${at}`, { title, heading, body });
        repeated.add(`${at}`, [...title, ...title, ...title, ...heading, ...heading, ...body]);
      });
      index.search(plain('a'), { k: 1 });
      for (const at of removed) {
        index.remove(`${at}`);
        repeated.remove(`${at}`);
      }
      const query = plain('a', 'b');
      expect(index.averageLength).toBe(repeated.averageLength);
      expect(index.search(query, { k: 20 })).toEqual(repeated.search(query, { k: 20 }));
      expect(loadBm25Index(index.save()).search(query, { k: 20 })).toEqual(repeated.search(query, { k: 20 }));
    }),
  );
});

test('boosts may be fractions, and order titles before bodies', () => {
  const index = createBm25Index({ fields: { title: 2.5, body: 0.5 } });
  index.add('body', { title: ['note'], body: ['lake', 'shore'] });
  index.add('title', { title: ['lake'], body: ['note', 'shore'] });
  expect(index.search(plain('lake'), { k: 2 }).hits.map(({ id }) => id)).toEqual(['title', 'body']);
  expect(index.averageLength).toBe(3.5);
});

test('an explanation is a tree whose parts add up', () => {
  fc.assert(
    fc.property(documents, (all) => {
      const index = createBm25Index({ fields: { title: 2.5, heading: 1.5, body: 1 } });
      all.forEach((document, at) => {
        index.add(`${at}`, document);
      });
      const query = [...plain('a', 'c'), { term: 'b', weight: 0.3 }];
      for (const { id, score } of index.search(query, { k: 20 }).hits) {
        const explained = index.explain(id, query)!;
        expect(explained.score).toBe(score);
        expect(explained.parts.reduce((sum, part) => sum + part.score, 0)).toBe(score);
        for (const part of explained.parts) {
          expect(part.parts.reduce((sum, field) => sum + field.score, 0)).toBeCloseTo(part.score, 12);
          const weighted = part.parts.reduce((sum, field) => sum + field.boost * field.frequency, 0);
          expect(weighted).toBeCloseTo(part.frequency, 12);
        }
      }
    }),
  );
});

test('a list of terms is the last field; phrases do not go from one field into the next', () => {
  const index = createBm25Index({ fields: { title: 2, body: 1 }, sequences: true });
  index.add('split', { title: ['old'], body: ['mill', 'pond'] });
  index.add('whole', ['old', 'mill']);
  expect(index.explain('whole', plain('old'))!.parts[0]!.parts.map(({ field }) => field)).toEqual(['body']);
  const query = { terms: plain('old'), must: [[{ sequence: ['old', 'mill'] }]] };
  expect(index.search(query, { k: 5 }).hits.map(({ id }) => id)).toEqual(['whole']);
  expect(loadBm25Index(index.save()).search(query, { k: 5 })).toEqual(index.search(query, { k: 5 }));
});

test('fields that make no sense are refused, and change nothing', () => {
  for (const boost of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => createBm25Index({ fields: { title: boost } })).toThrow(/boost of the field "title"/);
  expect(() => createBm25Index({ fields: {} })).toThrow(/1 to 64 fields/);
  const index = createBm25Index({ fields: { title: 2, body: 1 } });
  index.add('a', { body: ['x'] });
  expect(() => index.add('a', { subject: ['y'] })).toThrow(/no field "subject"; it has: title, body/);
  expect(index.search(plain('x'), { k: 1 }).hits).toHaveLength(1);
});
