import { SurmiseError } from './errors.js';

/** A timer of more milliseconds, or of no end, would be over at once. */
const longestTimer = 2 ** 31 - 1;

/** The error for a caller that has given up. */
export function abortedBy(signal: AbortSignal | undefined): SurmiseError {
  return new SurmiseError('aborted', 'The work was cancelled.', { cause: signal?.reason });
}

/** Throws `aborted` when the caller has given up. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortedBy(signal);
}

/** Settles after `ms`, or rejects with `aborted` at once when the caller gives up. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  throwIfAborted(signal);
  let onAbort = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(resolve, ms);
      onAbort = () => reject(abortedBy(signal));
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/**
 * What `work` gives, or `aborted` when the caller gives up and `graceMs` have passed since: for work that may take no
 * notice of a signal. It goes on by itself then.
 */
export async function untilAbort<T>(work: Promise<T>, signal: AbortSignal | undefined, graceMs = 0): Promise<T> {
  if (signal === undefined) return work;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort = () => {};
  const ended = new Promise<never>((_, reject) => {
    onAbort = () => {
      const end = () => reject(abortedBy(signal));
      if (graceMs === 0) end();
      else timer = setTimeout(end, graceMs);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, ended]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * Runs `work` with a signal that fires when the caller aborts or `ms` have passed, and does not wait for work that
 * ignores its signal.
 *
 * @throws SurmiseError `timeout` after `ms`, `aborted` when the caller aborts; otherwise what `work` throws.
 */
export async function withDeadline<T>(
  what: string,
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  throwIfAborted(signal);
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort = () => {};
  const ended = new Promise<never>((_, reject) => {
    const end = (error: SurmiseError) => {
      reject(error);
      controller.abort(error);
    };
    timer = setTimeout(
      () => end(new SurmiseError('timeout', `${what} took longer than ${Math.round(ms)} ms.`, { retryable: true })),
      Math.min(ms, longestTimer),
    );
    onAbort = () => end(abortedBy(signal));
    signal?.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work(controller.signal), ended]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}
