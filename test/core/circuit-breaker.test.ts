import { expect, test } from 'vitest';
import { createCircuitBreaker } from '../../src/core/circuit-breaker.js';

function breakerAt() {
  const clock = { now: 0 };
  const breaker = createCircuitBreaker({ failures: 2, openMs: 100, maxOpenMs: 300, now: () => clock.now });
  return { clock, breaker, fail: () => breaker.attempt()!.failed() };
}

test('opens after failures in a row, not before, and a success begins the count anew', () => {
  const { breaker, fail } = breakerAt();
  fail();
  breaker.attempt()!.succeeded();
  fail();
  expect(breaker.waitMs()).toBe(0);
  fail();
  expect([breaker.waitMs(), breaker.attempt()]).toEqual([100, undefined]);
});

test('half-open: one call goes, its success closes, its failure opens for twice as long, up to a bound', () => {
  const { clock, breaker, fail } = breakerAt();
  fail();
  fail();
  for (const wait of [200, 300, 300]) {
    clock.now += breaker.waitMs();
    const trial = breaker.attempt()!;
    expect(breaker.attempt()).toBeUndefined();
    expect(breaker.waitMs()).toBeGreaterThan(0);
    trial.failed();
    trial.succeeded();
    expect(breaker.waitMs()).toBe(wait);
  }
  clock.now += breaker.waitMs();
  breaker.attempt()!.succeeded();
  expect(breaker.waitMs()).toBe(0);
  fail();
  fail();
  expect(breaker.waitMs()).toBe(100);
});

test('calls that were under way when it opened do not count as trials', () => {
  const { clock, breaker } = breakerAt();
  const attempts = Array.from({ length: 9 }, () => breaker.attempt()!);
  for (const attempt of attempts) attempt.failed();
  expect(breaker.waitMs()).toBe(100);
  clock.now += 100;
  breaker.attempt()!.failed();
  expect(breaker.waitMs()).toBe(200);
});

test('a trial that the caller cancels lets the next one go', () => {
  const { clock, breaker, fail } = breakerAt();
  fail();
  fail();
  clock.now += 100;
  breaker.attempt()!.cancelled();
  expect(breaker.attempt()).toBeDefined();
});
