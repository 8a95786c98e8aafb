import { CommanderError } from 'commander';
import { type ErrorCode, errorCodes, isSurmiseError, messageOf } from '../core/errors.js';
import { printable } from './printable.js';

/**
 * Tells the user what went wrong and returns the exit code: one sentence on stderr or, with `json`, one object on
 * stdout: `{"error": {"code", "message", "retryable"}}`. The stack is shown with `debug` only.
 */
export function reportError(
  error: unknown,
  { json, debug }: { readonly json: boolean; readonly debug: boolean },
): number {
  if (error instanceof CommanderError) {
    // Help and version end the parsing too; they and usage errors were written by commander unless it is quiet.
    if (error.exitCode === 0) return 0;
    if (json) printJson('bad_argument', error.message.replace(/^error: /, ''), false);
    return errorCodes.bad_argument.exit;
  }
  const code = isSurmiseError(error) ? error.code : 'internal';
  const message = isSurmiseError(error)
    ? error.message
    : `Surmise failed: ${messageOf(error)}. Run again with --debug and report it.`;
  if (json) printJson(code, message, isSurmiseError(error) && error.retryable);
  else console.error(printable(message));
  if (debug) console.error(error);
  return errorCodes[code].exit;
}

function printJson(code: ErrorCode, message: string, retryable: boolean): void {
  console.log(JSON.stringify({ error: { code, message, retryable } }));
}
