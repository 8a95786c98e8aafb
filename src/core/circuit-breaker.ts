export interface BreakerOptions {
  /** Failures in a row that open it. Default 3. */
  readonly failures?: number;
  /** How long it stays open the first time, in milliseconds; each failed trial doubles that. Default 30,000. */
  readonly openMs?: number;
  /** The longest time it stays open, in milliseconds. Default 300,000. */
  readonly maxOpenMs?: number;
  /** Milliseconds that never run backwards. Default: those since the process began. */
  readonly now?: () => number;
}

/** What became of one call; only the first word counts. */
export interface Attempt {
  succeeded(): void;
  failed(): void;
  /** Ended by the caller: says nothing about the other side. */
  cancelled(): void;
}

/**
 * Keeps calls from something that fails (Nygard, Release It!, 2007). Closed: every call goes. Open, after some failures
 * in a row: none goes. Half-open, when the time is over: one goes, and its end decides.
 */
export interface CircuitBreaker {
  /** Leave to make one call, or `undefined` where none may be made. */
  attempt(): Attempt | undefined;
  /** Milliseconds until a call may be tried; 0 where one may be made now. */
  waitMs(): number;
}

export function createCircuitBreaker(options: BreakerOptions = {}): CircuitBreaker {
  const { failures = 3, openMs = 30_000, maxOpenMs = 300_000, now = () => performance.now() } = options;
  let inARow = 0;
  let openFor = openMs;
  let openUntil = 0;
  let trial: Attempt | undefined;
  const isOpen = () => inARow >= failures;
  return {
    attempt() {
      if (isOpen() && (trial !== undefined || now() < openUntil)) return undefined;
      let said = false;
      const once = (change: (wasTrial: boolean) => void) => () => {
        if (said) return;
        said = true;
        const wasTrial = trial === attempt;
        if (wasTrial) trial = undefined;
        change(wasTrial);
      };
      const attempt: Attempt = {
        succeeded: once(() => {
          inARow = 0;
          openFor = openMs;
        }),
        failed: once((wasTrial) => {
          inARow++;
          if (!isOpen()) return;
          // Not for calls that were under way when it opened: a hundred at once are one outage.
          if (wasTrial) openFor = Math.min(maxOpenMs, 2 * openFor);
          openUntil = now() + openFor;
        }),
        cancelled: once(() => {}),
      };
      if (isOpen()) trial = attempt;
      return attempt;
    },
    waitMs: () => (isOpen() ? Math.max(trial === undefined ? 0 : 1, openUntil - now()) : 0),
  };
}

/** A breaker for each of several things: what takes the place of one that failed begins anew. */
export function createCircuitBreakers(options?: BreakerOptions): (of: object) => CircuitBreaker {
  const breakers = new WeakMap<object, CircuitBreaker>();
  return (of) => {
    const breaker = breakers.get(of) ?? createCircuitBreaker(options);
    breakers.set(of, breaker);
    return breaker;
  };
}
