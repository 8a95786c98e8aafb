import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLru } from '../../src/core/lru.js';

test('what was used last stays', () => {
  const lru = createLru<number>(2);
  lru.set('a', 1);
  lru.set('b', 2);
  expect(lru.get('a')).toBe(1);
  lru.set('c', 3);
  expect(['a', 'b', 'c'].map((key) => lru.get(key))).toEqual([1, undefined, 3]);
  lru.clear();
  expect([lru.size, lru.get('a')]).toEqual([0, undefined]);
});

test('bounded in number and in size, whatever is put in', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.nat(12)), { maxLength: 60 });
  fc.assert(
    fc.property(steps, (given) => {
      const lru = createLru<number>(3, 10, (value) => value);
      for (const [key, value] of given) {
        lru.set(key, value);
        expect(lru.get(key)).toBe(value <= 10 ? value : undefined);
        const kept = ['a', 'b', 'c', 'd', 'e'].map((one) => lru.get(one)).filter((one) => one !== undefined);
        expect(kept.length).toBe(lru.size);
        expect(lru.size).toBeLessThanOrEqual(3);
        expect(kept.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(10);
      }
    }),
  );
});
