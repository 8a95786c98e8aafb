import { expect, test } from 'vitest';
import { createBoundedCache } from '../../src/kernels/bounded-cache.js';

test('never holds more than its limit, and keeps what is asked for often', () => {
  const cache = createBoundedCache<number>(100);
  cache.set('often', -1);
  for (let at = 0; at < 1_000; at++) {
    cache.set(`${at}`, at);
    expect(cache.get('often')).toBe(-1);
  }
  let held = 0;
  for (let at = 0; at < 1_000; at++) held += cache.get(`${at}`) === at ? 1 : 0;
  expect(held).toBeLessThanOrEqual(100);
  expect(cache.get('999')).toBe(999);
});
