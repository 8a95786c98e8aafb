import { expect, test } from 'vitest';
import { createCallBudget } from '../../src/core/call-budget.js';

test('so many calls in any stretch of time', () => {
  let now = 0;
  const budget = createCallBudget({ calls: 2, perMs: 100 }, () => now);
  expect([budget.take(), budget.left(), budget.take(), budget.left(), budget.take()]).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  now = 99;
  expect(budget.take()).toBe(false);
  now = 100;
  expect([budget.take(), budget.take(), budget.take()]).toEqual([true, true, false]);
});

test('0 calls are none, no budget is no bound', () => {
  expect(createCallBudget({ calls: 0 }).take()).toBe(false);
  expect(createCallBudget(undefined).take()).toBe(true);
});

test.each([{ calls: -1 }, { calls: 1.5 }, { calls: Number.NaN }, { calls: 1, perMs: 0 }, { calls: 1, perMs: 1e9 }])(
  'out of range: %j',
  (budget) => {
    expect(() => createCallBudget(budget)).toThrow(expect.objectContaining({ code: 'bad_argument' }));
  },
);
