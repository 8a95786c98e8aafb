import { CommanderError } from 'commander';
import { errorCodes, isSurmiseError, messageOf } from '../core/index.js';
import { printable } from './printable.js';

/**
 * Tells the user what went wrong and returns the exit code: one sentence on stderr or, with `--json`, one object on
 * stdout: `{"error": {"code", "message", "retryable"}}`. The stack is shown with `--debug` only.
 */
export function reportError(error: unknown, argv: readonly string[]): number {
  // Help and version end the parsing with code 0; commander has written its own message in every case.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : errorCodes.bad_argument.exit;
  const code = isSurmiseError(error) ? error.code : 'internal';
  const message = isSurmiseError(error)
    ? error.message
    : `Surmise failed: ${messageOf(error)}. Run again with --debug and report it.`;
  const retryable = isSurmiseError(error) && error.retryable;
  if (argv.includes('--json')) console.log(JSON.stringify({ error: { code, message, retryable } }));
  else console.error(printable(message));
  if (argv.includes('--debug')) console.error(error);
  return errorCodes[code].exit;
}
