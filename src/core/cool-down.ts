import { pause, throwIfAborted } from './deadline.js';
import { isSurmiseError, SurmiseError, withMessage } from './errors.js';

/** How long a failure that may pass is worked against. */
export interface Retries {
  /** Calls for the same thing, the first included, 1 to 100. */
  readonly attempts: number;
  /** Milliseconds that may pass without any success, 0 to 86,400,000. */
  readonly totalMs: number;
  /** Milliseconds of the first wait at most, 0 to 3,600,000; each further one may be twice as long. */
  readonly firstMs: number;
  /** No wait is longer, except where the provider asks for it; 0 to 3,600,000 milliseconds. */
  readonly longestMs: number;
}

/** Somebody waits for the answer. */
export const searchRetries: Retries = { attempts: 3, totalMs: 2_000, firstMs: 200, longestMs: 1_000 };
/** Outlives a quota that is counted by the minute. */
export const indexingRetries: Retries = { attempts: 8, totalMs: 600_000, firstMs: 1_000, longestMs: 60_000 };

/** A call that ran into its deadline has waited already. */
const timeoutAttempts = 3;

export interface CoolDown {
  /** When a call last succeeded, by `performance.now()`. */
  readonly lastSuccess: number;
  /**
   * The answer of `call`, which is made again while it fails with a retryable error.
   *
   * @throws the last error; as `fatal` where waiting longer would exceed `totalMs`. `aborted` at once, also in a wait.
   */
  run<T>(call: () => Promise<T>, signal: AbortSignal | undefined, attempts?: number): Promise<T>;
}

/**
 * Retries that share their waits: when one call is asked to slow down, no other begins before the wait is over. A wait
 * is what the provider asks for, and a random part of an exponentially growing step ("full jitter").
 *
 * @param onWait told when a wait begins: its length in milliseconds, and why
 * @param random gives numbers from 0 to 1, exclusive
 */
export function coolDown(
  retries: Retries,
  onWait?: (ms: number, reason: string) => void,
  random: () => number = Math.random,
): CoolDown {
  const { totalMs, firstMs, longestMs } = retries;
  let until = 0;
  let lastSuccess = Number.NEGATIVE_INFINITY;

  const cooled = async (signal: AbortSignal | undefined): Promise<void> => {
    throwIfAborted(signal);
    // Another call may have made it longer meanwhile.
    for (let ms = until - performance.now(); ms > 0; ms = until - performance.now()) await pause(ms, signal);
  };

  return {
    get lastSuccess() {
      return lastSuccess;
    },
    async run(call, signal, attempts = retries.attempts) {
      const started = performance.now();
      let tried = started;
      for (let failures = 0; ; ) {
        await cooled(signal);
        try {
          const answer = await call();
          lastSuccess = performance.now();
          return answer;
        } catch (error) {
          throwIfAborted(signal);
          if (!isSurmiseError(error) || !error.retryable || error.fatal) throw error;
          // Of several that share a quota, one that others were faster than has not failed.
          const asked = askedWait(error);
          if (asked === undefined || lastSuccess <= tried) failures++;
          const step = Math.min(longestMs, firstMs * 2 ** Math.max(0, failures - 1));
          const wait = (asked ?? 0) + random() * step;
          const now = performance.now();
          tried = now;
          const failing = now - Math.max(started, lastSuccess);
          if (failing + wait > totalMs) throw givenUp(error, failing);
          if (now + wait > until) {
            until = now + wait;
            onWait?.(wait, error.message);
          }
          if (failures >= (error.code === 'timeout' ? Math.min(attempts, timeoutAttempts) : attempts)) throw error;
        }
      }
    },
  };
}

/** The retries with what the caller sets otherwise; `undefined` counts as not given. @throws SurmiseError `bad_argument` */
export function checkRetries(given: Partial<Retries>, defaults: Retries): Retries {
  const bounds: Record<keyof Retries, readonly [number, number]> = {
    attempts: [1, 100],
    totalMs: [0, 86_400_000],
    firstMs: [0, 3_600_000],
    longestMs: [0, 3_600_000],
  };
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new SurmiseError('bad_argument', 'The retries must be an object.');
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [name, value] of named) {
    if (!Object.hasOwn(bounds, name))
      throw new SurmiseError(
        'bad_argument',
        `Unknown setting "${name}" of retries. Known: ${Object.keys(bounds).join(', ')}.`,
      );
    const [low, high] = bounds[name as keyof Retries];
    if (!Number.isInteger(value) || value < low || value > high)
      throw new SurmiseError('bad_argument', `"${name}" of retries must be a whole number from ${low} to ${high}.`);
  }
  return { ...defaults, ...Object.fromEntries(named) };
}

/** How long the failed one asks to be left alone; what is no span of time is as if it asked nothing. */
function askedWait({ retryAfterMs }: SurmiseError): number | undefined {
  return Number.isFinite(retryAfterMs) && retryAfterMs! >= 0 ? retryAfterMs : undefined;
}

function givenUp(error: SurmiseError, failingMs: number): SurmiseError {
  const { message } = error;
  const asked = askedWait(error);
  const seconds = (ms: number) => `${Math.ceil(ms / 1_000)} s`;
  const why =
    asked === undefined
      ? `It was tried for ${seconds(failingMs)}.`
      : `It asks to wait ${seconds(asked)}, longer than we do; try again then.`;
  return withMessage(error, `${message} ${why}`, { fatal: true });
}
