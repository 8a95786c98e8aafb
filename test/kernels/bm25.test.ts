import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explainBm25, type PostingsSource, searchBm25 } from '../../src/kernels/bm25.js';

/** Rows given as their terms; undefined is a row that is gone. */
function sourceOf(rows: readonly (readonly string[] | undefined)[], id = (row: number) => `d${row}`): PostingsSource {
  const live = rows.filter((row) => row !== undefined);
  return {
    size: live.length,
    averageLength: live.reduce((sum, terms) => sum + terms.length, 0) / (live.length || 1),
    lengths: Uint32Array.from(rows, (terms) => terms?.length ?? 0),
    postings(term) {
      const found = rows.flatMap((terms, row) => {
        const count = terms?.filter((other) => other === term).length ?? 0;
        return count > 0 ? [[row, count] as const] : [];
      });
      if (found.length === 0) return undefined;
      return {
        rows: Uint32Array.from(found, ([row]) => row),
        frequencies: Uint32Array.from(found, ([, count]) => count),
      };
    },
    id,
  };
}

const plain = (...terms: string[]) => terms.map((term) => ({ term, weight: 1 }));

describe('scores', () => {
  test('are those of the formula, worked by hand', () => {
    const source = sourceOf([['a', 'a', 'b'], ['b'], ['c', 'c']]);
    // N = 3, df(a) = 1, average length 2, k1 = .9, b = .4
    const idf = Math.log(1 + 2.5 / 1.5);
    const expected = (idf * 2 * 1.9) / (2 + 0.9 * (0.6 + (0.4 * 3) / 2));
    const { hits } = searchBm25(source, plain('a'), { k: 5 });
    expect(hits).toHaveLength(1);
    expect(hits[0]).toMatchObject({ row: 0, id: 'd0' });
    expect(hits[0]!.score).toBeCloseTo(expected, 12);
  });

  test('a term that occurs once in a row of average length scores its idf', () => {
    const { hits } = searchBm25(
      sourceOf([
        ['a', 'b'],
        ['c', 'd'],
      ]),
      plain('a'),
      { k: 1 },
    );
    expect(hits[0]!.score).toBeCloseTo(Math.log(1 + 1.5 / 1.5), 12);
  });

  test('weights multiply, and terms that repeat add up', () => {
    const source = sourceOf([['a', 'b'], ['b'], ['c']]);
    const once = searchBm25(source, [{ term: 'a', weight: 3 }], { k: 1 }).hits[0]!.score;
    const thrice = searchBm25(source, plain('a', 'a', 'a'), { k: 1 }).hits[0]!.score;
    expect(thrice).toBe(once);
  });

  test('parameters change length and saturation', () => {
    const source = sourceOf([['a', 'a', 'a', 'b', 'b', 'b'], ['a']]);
    const { hits } = searchBm25(source, plain('a'), { k: 2, parameters: { k1: 0, b: 0 } });
    expect(hits[0]!.score).toBe(hits[1]!.score);
  });
});

describe('range and count', () => {
  const source = sourceOf([['a'], ['a', 'b'], ['c'], undefined]);
  test('rows without a match count 0', () => {
    expect(searchBm25(source, plain('a'), { k: 9 })).toMatchObject({ matched: 2, min: 0 });
  });
  test('where every allowed row matches the least is above 0', () => {
    const { matched, min, max, hits } = searchBm25(source, plain('a'), { k: 1, allow: Uint8Array.of(1, 1, 0, 0) });
    expect(matched).toBe(2);
    expect(max).toBe(hits[0]!.score);
    expect(min).toBeGreaterThan(0);
    expect(min).toBeLessThan(max);
  });
  test('nothing allowed, nothing matched, nothing there', () => {
    const empty = { hits: [], groupHits: [], matched: 0, min: 0, max: 0 };
    expect(searchBm25(source, plain('a'), { k: 1, allow: new Uint8Array(4) })).toEqual(empty);
    expect(searchBm25(source, plain('z'), { k: 1 })).toEqual(empty);
    expect(searchBm25(sourceOf([]), plain('a'), { k: 1 })).toEqual(empty);
  });
});

describe('order', () => {
  test('ties go by id, at the boundary of k as well, whatever the order of the rows', () => {
    const ids = ['d', 'B', 'a', 'c', 'é'];
    const source = sourceOf([['x'], ['x'], ['x'], ['x'], ['x']], (row) => ids[row]!);
    for (let k = 1; k <= 7; k++) {
      const { hits } = searchBm25(source, plain('x'), { k });
      expect(hits.map(({ id }) => id)).toEqual(['B', 'a', 'c', 'd', 'é'].slice(0, k));
    }
  });

  test('neither the order of the query nor that of the rows changes a bit of a score', () => {
    const rows = fc.array(fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 6 }), {
      minLength: 1,
      maxLength: 8,
    });
    const entry = fc.record({
      term: fc.constantFrom('a', 'b', 'c', 'd'),
      weight: fc.double({ min: 0.01, max: 3, noNaN: true }),
    });
    fc.assert(
      fc.property(rows, fc.array(entry, { minLength: 1, maxLength: 6 }), (documents, query) => {
        const names = documents.map((_, at) => `d${at}`);
        const bare = ({ id, score }: { id: string; score: number }) => ({ id, score });
        const found = searchBm25(sourceOf(documents), query, { k: 3 }).hits.map(bare);
        const turned = sourceOf(documents.toReversed(), (row) => names.toReversed()[row]!);
        expect(searchBm25(turned, query.toReversed(), { k: 3 }).hits.map(bare)).toEqual(found);
      }),
    );
  });
});

test('the parts of an explanation add up to the score', () => {
  const source = sourceOf([['a', 'b', 'b'], ['b', 'c'], ['a']]);
  const query = [...plain('b', 'a'), { term: 'b', weight: 0.5 }, { term: 'z', weight: 1 }];
  for (const { row, score } of searchBm25(source, query, { k: 3 }).hits) {
    const parts = explainBm25(source, query, row);
    expect(parts.reduce((sum, part) => sum + part.score, 0)).toBeCloseTo(score, 12);
    expect(parts.map(({ term }) => term)).toEqual(parts.map(({ term }) => term).toSorted());
  }
  expect(explainBm25(source, query, 0)[1]).toMatchObject({ term: 'b', weight: 1.5, frequency: 2, length: 3 });
  expect(explainBm25(source, query, 99)).toEqual([]);
});

test('arguments that make no sense are refused', () => {
  const source = sourceOf([['a']]);
  for (const weight of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => searchBm25(source, [{ term: 'a', weight }], { k: 1 })).toThrow(/weight of a query term.*"a"/);
  for (const k of [0, -1, 1.5, Number.NaN])
    expect(() => searchBm25(source, plain('a'), { k })).toThrow(/positive integer/);
  expect(() => searchBm25(source, plain('a'), { k: 1, parameters: { k1: -1, b: 0 } })).toThrow(/k1/);
  expect(() => searchBm25(source, plain('a'), { k: 1, parameters: { k1: 1, b: 2 } })).toThrow(/b must/);
});
