import { describe, expect, test } from 'vitest';
import { coolDown, indexingRetries, type Retries } from '../../src/core/cool-down.js';
import { SurmiseError } from '../../src/core/errors.js';

const quick: Retries = { attempts: 4, totalMs: 5_000, firstMs: 2, longestMs: 4 };
const busy = (retryAfterMs?: number) =>
  new SurmiseError('provider_failed', 'Busy.', {
    retryable: true,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });

/** A call that fails with these errors, one after another, and then answers. */
function failing(...errors: Error[]) {
  const times: number[] = [];
  const call = async () => {
    times.push(performance.now());
    const error = errors[times.length - 1];
    if (error !== undefined) throw error;
    return 'answer';
  };
  return { call, times };
}

test('what may pass is tried again, so often', async () => {
  const { call, times } = failing(busy(), busy(), busy());
  expect(await coolDown(quick).run(call, undefined)).toBe('answer');
  expect(times).toHaveLength(4);
  const last = new SurmiseError('timeout', 'Still busy.', { retryable: true });
  const longer = failing(busy(), busy(), busy(), last);
  await expect(coolDown(quick).run(longer.call, undefined)).rejects.toBe(last);
  expect(longer.times).toHaveLength(4);
});

test.each([Number.NaN, -5, Number.POSITIVE_INFINITY])(
  'a span of %s to wait is none that is asked for',
  async (span) => {
    const waits: number[] = [];
    const { call, times } = failing(...Array.from({ length: 9 }, () => busy(span)));
    const run = coolDown({ ...quick, firstMs: 20, longestMs: 20 }, (ms) => waits.push(ms)).run(call, undefined);
    await expect(run).rejects.toMatchObject({ message: 'Busy.', fatal: false });
    expect(times).toHaveLength(4);
    expect(waits.every((ms) => ms > 0 && ms <= 20)).toBe(true);
    expect(waits.length).toBeGreaterThan(0);
  },
);

test('a call that runs into its deadline is tried three times at most', async () => {
  const late = new SurmiseError('timeout', 'Late.', { retryable: true });
  const { call, times } = failing(late, late, late, late);
  await expect(coolDown({ ...quick, attempts: 8 }).run(call, undefined)).rejects.toBe(late);
  expect(times).toHaveLength(3);
});

test.each<[string, Error]>([
  ['not retryable', new SurmiseError('provider_failed', 'No.')],
  ['fatal', new SurmiseError('provider_failed', 'No.', { retryable: true, fatal: true })],
  ['of others', new TypeError('fetch failed')],
])('an error that is %s ends it at once', async (_, error) => {
  const { call, times } = failing(error);
  await expect(coolDown(quick).run(call, undefined)).rejects.toBe(error);
  expect(times).toHaveLength(1);
});

test('no call begins before the time that one of them was asked to wait', async () => {
  const told: [number, string][] = [];
  const shared = coolDown(quick, (ms, reason) => told.push([ms, reason]));
  const first = failing(busy(80));
  const begun = performance.now();
  const answers = [shared.run(first.call, undefined)];
  await expect.poll(() => told.length, { interval: 1 }).toBe(1);
  const others = [failing(), failing()];
  answers.push(...others.map(({ call }) => shared.run(call, undefined)));
  await Promise.all(answers);
  for (const time of [first.times[1]!, others[0]!.times[0]!, others[1]!.times[0]!])
    expect(time - begun).toBeGreaterThan(78);
  expect(told).toEqual([[expect.closeTo(81, -1), 'Busy.']]);
});

test('of many calls that share a small quota, each gets its turn', async () => {
  let open = performance.now();
  let served = 0;
  const call = async () => {
    const ms = open - performance.now();
    if (ms > 0) throw busy(ms);
    open = performance.now() + 5;
    return ++served;
  };
  const shared = coolDown({ ...quick, attempts: 2 });
  const turns = await Promise.all(Array.from({ length: 16 }, () => shared.run(call, undefined)));
  expect(turns.sort((a, b) => a - b)).toEqual(Array.from({ length: 16 }, (_, at) => at + 1));
});

describe('bounds', () => {
  test('a wait that is longer than all waiting may be is not begun', async () => {
    const { call, times } = failing(busy(3_600_000));
    await expect(coolDown(indexingRetries).run(call, undefined)).rejects.toMatchObject({
      fatal: true,
      retryable: true,
      retryAfterMs: 3_600_000,
      message: expect.stringMatching(/^Busy\. It asks to wait 3600 s/),
    });
    expect(times).toHaveLength(1);
  });

  test('time without success is bounded, and a success of another call counts', async () => {
    const short = { attempts: 100, totalMs: 60, firstMs: 20, longestMs: 20 };
    const waits: number[] = [];
    const never = async () => {
      throw busy();
    };
    const begun = performance.now();
    const shared = coolDown(short, (ms) => waits.push(ms));
    await expect(shared.run(never, undefined)).rejects.toMatchObject({ fatal: true });
    expect(waits.length).toBeGreaterThan(0);
    expect(waits.reduce((sum, ms) => sum + ms)).toBeLessThanOrEqual(short.totalMs);
    expect(shared.lastSuccess).toBe(Number.NEGATIVE_INFINITY);
    await shared.run(async () => 1, undefined);
    expect(shared.lastSuccess).toBeGreaterThan(begun);
  });
});

test('giving up ends a wait at once', async () => {
  const caller = new AbortController();
  const waits: number[] = [];
  const shared = coolDown(indexingRetries, (ms) => waits.push(ms));
  const { call, times } = failing(busy(300_000));
  const run = shared.run(call, caller.signal);
  await expect.poll(() => waits.length, { interval: 1 }).toBe(1);
  caller.abort();
  await expect(run).rejects.toMatchObject({ code: 'aborted' });
  await expect(shared.run(call, caller.signal)).rejects.toMatchObject({ code: 'aborted' });
  expect(times).toHaveLength(1);
});

test('steps double up to the longest, and the random part is that of the numbers handed in', async () => {
  const waits: number[] = [];
  const numbers = [0.5, 0.25, 0.75, 0.5];
  const retries = { attempts: 5, totalMs: 5_000, firstMs: 8, longestMs: 20 };
  const { call } = failing(busy(), busy(), busy(), busy(3));
  await coolDown(
    retries,
    (ms) => waits.push(ms),
    () => numbers.shift()!,
  ).run(call, undefined);
  expect(waits).toEqual([0.5 * 8, 0.25 * 16, 0.75 * 20, 3 + 0.5 * 20]);
});
