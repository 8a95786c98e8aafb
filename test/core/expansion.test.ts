import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expandTerms, repeatTerms } from '../../src/core/expansion.js';
import type { TermCount } from '../../src/core/ports.js';

const count = (term: string, weight: number, chunks = 1): TermCount => ({ term, weight, chunks });
const options = { beta: 0.5, terms: 10 };

test('the formula, by hand: q + β · ‖q‖ · mean(h / ‖h‖)', () => {
  const query = [
    { term: 'crane', weight: 3 },
    { term: 'lift', weight: 4 },
  ];
  const first = [count('crane', 3), count('hook', 4)];
  const second = [count('hook', 1)];
  const terms = expandTerms(query, [first, second], 100, options);
  // ‖q‖ = 5; the means are crane (3/5)/2 = .3 and hook (4/5 + 1)/2 = .9.
  expect(terms).toEqual([
    { term: 'crane', weight: 3 + 0.5 * 5 * 0.3 },
    { term: 'hook', weight: 0.5 * 5 * 0.9 },
    { term: 'lift', weight: 4 },
  ]);
});

test('a text that has more words has no more weight', () => {
  const short = [count('moss', 1)];
  const long = [count('fern', 500)];
  const [fern, moss] = expandTerms([{ term: 'zoo', weight: 1 }], [short, long], 100, options);
  expect(fern!.weight).toBeCloseTo(moss!.weight, 12);
});

test('terms that are common, unknown, too short or too long do not join; the question keeps its own', () => {
  const query = [{ term: 'the', weight: 1 }];
  const text = [
    count('common', 5, 11),
    count('edge', 1, 10),
    count('nowhere', 5, 0),
    count('x', 5),
    count('x'.repeat(21), 5),
    count('the', 9, 100),
  ];
  expect(expandTerms(query, [text], 100, options).map(({ term }) => term)).toEqual(['edge', 'the']);
  expect(expandTerms(query, [text], 100, options).at(-1)).toEqual({ term: 'the', weight: 1 });
});

test('in a very small index a term in one chunk is not common', () => {
  expect(expandTerms([], [[count('only', 1, 1), count('both', 1, 2)]], 2, options)).toEqual([
    { term: 'only', weight: 0.5 },
  ]);
});

test('only the best join, ties among them by term', () => {
  const text = ['d', 'b', 'a', 'c'].map((letter) => count(`term-${letter}`, 1));
  const terms = expandTerms([], [[...text, count('top-term', 2)]], 100, { beta: 1, terms: 3 });
  expect(terms.map(({ term }) => term)).toEqual(['term-a', 'term-b', 'top-term']);
});

test('no texts, or texts that say nothing, leave the question as it was', () => {
  const query = [
    { term: 'b', weight: 2 },
    { term: 'a', weight: 1 },
  ];
  const sorted = [
    { term: 'a', weight: 1 },
    { term: 'b', weight: 2 },
  ];
  expect(expandTerms(query, [], 100, options)).toEqual(sorted);
  expect(expandTerms(query, [[], []], 100, options)).toEqual(sorted);
});

test('every weight is finite and above 0, every term stands once, in order', () => {
  const term = fc.string({ minLength: 0, maxLength: 24 });
  const counts = fc.uniqueArray(fc.record({ term, weight: fc.integer({ min: 1, max: 50 }), chunks: fc.nat(200) }), {
    selector: (one) => one.term,
  });
  const query = fc.uniqueArray(fc.record({ term, weight: fc.double({ min: 0.1, max: 9, noNaN: true }) }), {
    selector: (one) => one.term,
  });
  fc.assert(
    fc.property(query, fc.array(counts, { maxLength: 5 }), fc.nat(20), (asked, texts, terms) => {
      const expanded = expandTerms(asked, texts, 1_000, { beta: 0.5, terms });
      const names = expanded.map((one) => one.term);
      expect(names).toEqual([...new Set(names)].sort());
      expect(expanded.length).toBeLessThanOrEqual(asked.length + terms);
      for (const { weight } of expanded) expect(weight > 0 && Number.isFinite(weight)).toBe(true);
      for (const { term: own, weight } of asked)
        expect(expanded.find((one) => one.term === own)!.weight).toBeGreaterThanOrEqual(weight);
    }),
  );
});

test('query2doc by hand: five times the question, once the mean of the passages', () => {
  const texts = [[count('crane', 3), count('hook', 4), count('nowhere', 9, 0)], [count('hook', 2)]];
  expect(repeatTerms([{ term: 'crane', weight: 1 }], texts)).toEqual([
    { term: 'crane', weight: 5 + 1.5 },
    { term: 'hook', weight: 3 },
  ]);
  expect(repeatTerms([], texts, [3, 1])).toEqual([
    { term: 'crane', weight: 2.25 },
    { term: 'hook', weight: 3.5 },
  ]);
  expect(repeatTerms([{ term: 'a', weight: 2 }], [])).toEqual([{ term: 'a', weight: 10 }]);
});
