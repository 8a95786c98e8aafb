#!/usr/bin/env node
import { errorCodes } from '../core/errors.js';
import { createProgram } from './program.js';
import { reportError } from './report-error.js';

// A reader that closes early (`surmise search … | head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  console.error(`The answer can not be written: ${error.message}`);
  process.exit(errorCodes.storage_failed.exit);
});

// Nor is one of the messages: what is being done goes on.
process.stderr.on('error', () => {});

const abort = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // The second one does not wait for the work to end in order.
    if (abort.signal.aborted) process.exit(130);
    abort.abort();
  });
}

const json = process.argv.includes('--json');
try {
  await createProgram(abort.signal, json).parseAsync(process.argv);
} catch (error) {
  process.exitCode = reportError(error, { json, debug: process.argv.includes('--debug') });
}
