import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLargest, createLargestOfGroups } from '../../src/kernels/largest.js';

const offers = fc.array(fc.tuple(fc.nat(6), fc.integer({ min: -5, max: 20 })), { maxLength: 60 });
const positive = fc.integer({ min: 1, max: 9 });
const kth = (values: readonly number[], k: number) => [...values].sort((a, b) => b - a)[k - 1] ?? -Infinity;

test('the k-th largest at every moment', () => {
  fc.assert(
    fc.property(offers, positive, (list, k) => {
      const largest = createLargest(k);
      list.forEach(([, value], at) => {
        largest.offer(value);
        expect(largest.least()).toBe(
          kth(
            list.slice(0, at + 1).map((offer) => offer[1]),
            k,
          ),
        );
      });
    }),
  );
});

test('the k-th largest of the largest of each group at every moment', () => {
  fc.assert(
    fc.property(offers, positive, (list, k) => {
      const largest = createLargestOfGroups(k, 7);
      const best = new Map<number, number>();
      for (const [group, value] of list) {
        largest.offer(group, value);
        best.set(group, Math.max(value, best.get(group) ?? -Infinity));
        expect(largest.least()).toBe(kth([...best.values()], k));
        expect(largest.of(group)).toBe(best.get(group));
      }
    }),
  );
});
