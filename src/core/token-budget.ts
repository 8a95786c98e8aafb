import { SurmiseError } from './errors.js';

/** How many tokens may be embedded, by one run of indexing or by several that share it. */
export interface TokenBudget {
  /** As it was given. */
  readonly tokens: number;
  /** Tokens of calls that were answered, or whose answer did not come in time: these may be charged as well. */
  readonly spent: number;
  /** What is neither spent nor set aside. */
  readonly left: number;
  /** Sets room aside for the first of these texts, as many as fit; returns how many. */
  reserve(sizes: readonly number[]): number;
  release(tokens: number): void;
  charge(tokens: number): void;
}

/**
 * Room is set aside before a call, so calls at a time do not exceed the budget together. Tokens are those that the
 * embedder counts, where it does not they are estimated.
 *
 * @param tokens a whole number from 0 on; with 0 nothing is embedded
 * @throws SurmiseError `bad_argument`
 */
export function createTokenBudget(tokens: number): TokenBudget {
  if (!Number.isSafeInteger(tokens) || tokens < 0)
    throw new SurmiseError('bad_argument', 'The tokens of a budget must be a whole number of 0 or more.');
  let spent = 0;
  let reserved = 0;
  const left = () => Math.max(0, tokens - spent - reserved);
  return {
    tokens,
    get spent() {
      return spent;
    },
    get left() {
      return left();
    },
    reserve(sizes) {
      let count = 0;
      let sum = 0;
      const room = left();
      for (const size of sizes) {
        if (sum + size > room) break;
        sum += size;
        count++;
      }
      reserved += sum;
      return count;
    },
    release(tokens) {
      reserved = Math.max(0, reserved - tokens);
    },
    charge(tokens) {
      spent += tokens;
    },
  };
}
