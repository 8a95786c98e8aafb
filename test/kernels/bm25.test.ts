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

describe('accumulators are reused', () => {
  test('nothing of a search is left for the next one, of an index of another size or after a failure', () => {
    const large = sourceOf(Array.from({ length: 50 }, () => ['a', 'b']));
    const small = sourceOf([['b'], ['a']]);
    const alone = searchBm25(small, plain('a'), { k: 9 });
    searchBm25(large, plain('a', 'b'), { k: 3 });
    expect(searchBm25(small, plain('a'), { k: 9 })).toEqual(alone);
    const broken: PostingsSource = {
      ...large,
      postings(term) {
        if (term === 'b') throw new Error('unreadable');
        return large.postings(term);
      },
    };
    expect(() => searchBm25(broken, plain('a', 'b'), { k: 3 })).toThrow('unreadable');
    expect(searchBm25(small, plain('a'), { k: 9 })).toEqual(alone);
    // Rows beyond the index.
    const stray = { ...small, postings: (term: string) => (term === 'a' ? large.postings(term) : undefined) };
    searchBm25(stray, plain('a'), { k: 3 });
    expect(searchBm25(large, plain('b'), { k: 50 }).matched).toBe(50);
    expect(searchBm25(large, plain('z'), { k: 50 }).matched).toBe(0);
  });

  test('a search within a search has its own', () => {
    const source = sourceOf([['a', 'b'], ['b']]);
    const expected = searchBm25(source, plain('a', 'b'), { k: 2 });
    const nesting: PostingsSource = {
      ...source,
      postings(term) {
        if (term === 'b') searchBm25(source, plain('a'), { k: 1 });
        return source.postings(term);
      },
    };
    expect(searchBm25(nesting, plain('a', 'b'), { k: 2 })).toEqual(expected);
  });
});

describe('few and many postings, with and without groups and filters', () => {
  const rows = fc.array(fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 4 }), { maxLength: 40 });
  test('give what looking at every row gives', () => {
    fc.assert(
      fc.property(rows, fc.nat(), fc.integer({ min: 1, max: 12 }), (documents, seed, k) => {
        const source = sourceOf(documents);
        const query = plain('a', 'c');
        const marks = (salt: number) =>
          Uint8Array.from(documents, (_, row) => ((seed >> ((row + salt) % 20)) & 1) as number);
        const scored = documents.flatMap((_, row) => {
          const score = explainBm25(source, query, row).reduce((sum, part) => sum + part.score, 0);
          return score > 0 ? [{ row, id: `d${row}`, score }] : [];
        });
        for (const allow of [undefined, marks(1)])
          for (const exclude of [undefined, marks(2)]) {
            const passes = (row: number) => (allow === undefined || allow[row] === 1) && exclude?.[row] !== 1;
            const found = searchBm25(source, query, { k, ...(allow && { allow }), ...(exclude && { exclude }) });
            const expected = scored.filter(({ row }) => passes(row));
            expected.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
            expect(found.hits).toEqual(expected.slice(0, k));
            expect(found.matched).toBe(expected.length);
            expect(found.max).toBe(expected[0]?.score ?? 0);
            const live = documents.filter((_, row) => passes(row)).length;
            expect(found.min).toBe(expected.length === live ? (expected.at(-1)?.score ?? 0) : 0);
          }
      }),
    );
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
