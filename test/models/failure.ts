import { expect } from 'vitest';
import { isSurmiseError, type SurmiseError } from '../../src/core/errors.js';

/** The key that tests send; no message may show it. */
export const key = 'sk-test-0b5d1e6f93a24c78';

/** The error with which a call ends. */
export async function failureOf(work: Promise<unknown>): Promise<SurmiseError> {
  const error = await work.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  );
  if (!isSurmiseError(error)) throw error;
  expect(error.message).not.toContain(key);
  return error;
}
