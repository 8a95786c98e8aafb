import { SurmiseError } from './errors.js';

/** How many calls may be made in any stretch of time. */
export interface CallBudget {
  /** 0 to 100,000. */
  readonly calls: number;
  /** Milliseconds, 1 to 86,400,000. Default an hour. */
  readonly perMs?: number;
}

const maxCalls = 100_000;
const dayMs = 86_400_000;

/**
 * Counts calls against a budget: `take` says whether one more may be made in the `perMs` that end now, and counts it.
 *
 * @throws SurmiseError `bad_argument`
 */
export function createCallBudget(budget: CallBudget | undefined, now: () => number = () => performance.now()) {
  if (budget === undefined) return { take: () => true, left: () => true };
  const { calls, perMs = 3_600_000 } = budget;
  if (!Number.isInteger(calls) || calls < 0 || calls > maxCalls)
    throw new SurmiseError('bad_argument', `The calls of a budget must be a whole number from 0 to ${maxCalls}.`);
  if (!(perMs >= 1 && perMs <= dayMs))
    throw new SurmiseError('bad_argument', `"perMs" of a budget must be a number from 1 to ${dayMs}.`);
  const made: number[] = [];
  const left = () => {
    const since = now() - perMs;
    while (made[0] !== undefined && made[0] <= since) made.shift();
    return made.length < calls;
  };
  return {
    left,
    take() {
      const may = left();
      if (may) made.push(now());
      return may;
    },
  };
}
