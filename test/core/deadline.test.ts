import { expect, test } from 'vitest';
import { throwIfAborted, withDeadline } from '../../src/core/deadline.js';

const never = (): Promise<never> => new Promise(() => {});

test('the answer of work that is done in time', async () => {
  expect(await withDeadline('Work', 10_000, undefined, async () => 7)).toBe(7);
});

test.each([2 ** 40, Number.POSITIVE_INFINITY])('%d milliseconds are not over at once', async (ms) => {
  const work = () => new Promise((resolve) => setTimeout(() => resolve(7), 20));
  expect(await withDeadline('Work', ms, undefined, work)).toBe(7);
});

test('work that ignores its signal is not waited for; the error says what took how long', async () => {
  await expect(withDeadline('Counting sheep', 5, undefined, never)).rejects.toMatchObject({
    code: 'timeout',
    retryable: true,
    message: expect.stringMatching(/Counting sheep.*5 ms/),
  });
});

test('the signal fires at the deadline and when the caller aborts', async () => {
  const signals: AbortSignal[] = [];
  const keep = (signal: AbortSignal) => {
    signals.push(signal);
    return never();
  };
  await expect(withDeadline('Work', 5, undefined, keep)).rejects.toMatchObject({ code: 'timeout' });
  const caller = new AbortController();
  const waiting = withDeadline('Work', 60_000, caller.signal, keep);
  caller.abort('enough');
  await expect(waiting).rejects.toMatchObject({ code: 'aborted', cause: 'enough' });
  expect(signals.map((signal) => signal.aborted)).toEqual([true, true]);
});

test('a caller that has aborted before is told at once, and the work is not begun', async () => {
  let begun = false;
  const work = async () => {
    begun = true;
  };
  await expect(withDeadline('Work', 5, AbortSignal.abort(), work)).rejects.toMatchObject({ code: 'aborted' });
  expect(begun).toBe(false);
});

test('what the work throws passes, thrown at once or later', async () => {
  const thrown = new Error('no');
  await expect(withDeadline('Work', 100, undefined, () => Promise.reject(thrown))).rejects.toBe(thrown);
  const atOnce = () => {
    throw thrown;
  };
  await expect(withDeadline('Work', 100, undefined, atOnce)).rejects.toBe(thrown);
});

test('a failure after the deadline troubles nobody, and no listener stays behind', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  const caller = new AbortController();
  let added = 0;
  let removed = 0;
  const { signal } = caller;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    added++;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    removed++;
    remove(...args);
  };
  let fail: (error: Error) => void = () => {};
  const late = new Promise<never>((_, reject) => {
    fail = reject;
  });
  await expect(withDeadline('Work', 5, signal, () => late)).rejects.toMatchObject({ code: 'timeout' });
  fail(new Error('late'));
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
  expect([added, removed]).toEqual([1, 1]);
});

test('throwIfAborted', () => {
  expect(() => throwIfAborted(undefined)).not.toThrow();
  expect(() => throwIfAborted(new AbortController().signal)).not.toThrow();
  expect(() => throwIfAborted(AbortSignal.abort('stop'))).toThrow(
    expect.objectContaining({ code: 'aborted', cause: 'stop' }),
  );
});
