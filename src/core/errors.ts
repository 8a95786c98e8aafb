/** Every error that a user may see has a code; the number is the exit code of the command line. */
export const errorCodes = {
  bad_argument: { exit: 2, meaning: 'An option or argument is missing, unknown or out of range.' },
  no_index: { exit: 3, meaning: 'There is no index at this place yet.' },
  index_too_new: { exit: 4, meaning: 'The index was written by a newer version of Surmise.' },
  index_damaged: { exit: 5, meaning: 'The index file is not a Surmise index or is damaged.' },
  index_busy: { exit: 6, meaning: 'Another process holds the index longer than we wait.' },
  embedder_mismatch: { exit: 7, meaning: 'The index was built with another embedder.' },
  unreadable: { exit: 8, meaning: 'A file or folder can not be read.' },
  bad_data: { exit: 9, meaning: 'Input data does not have the expected form.' },
  provider_failed: { exit: 10, meaning: 'A model provider failed or answered with something unusable.' },
  timeout: { exit: 11, meaning: 'Something took longer than its limit.' },
  storage_failed: { exit: 12, meaning: 'The index can not be written or read (disk full, no permission).' },
  below_target: { exit: 13, meaning: 'A measured figure is below the target that was asked for.' },
  over_budget: { exit: 14, meaning: 'A budget is used up; what was done is kept.' },
  internal: { exit: 70, meaning: 'A fault in Surmise itself.' },
  aborted: { exit: 130, meaning: 'The work was cancelled.' },
} as const satisfies Record<string, { exit: number; meaning: string }>;

export type ErrorCode = keyof typeof errorCodes;

const brand = Symbol.for('surmise.error');

/** The one error class. `message` says what to do; `code` is stable; `retryable` says that trying again may help. */
export class SurmiseError extends Error {
  override readonly name = 'SurmiseError';
  readonly [brand] = true;
  readonly code: ErrorCode;
  readonly retryable: boolean;
  /** How long whoever failed asks to be left alone, in milliseconds. */
  readonly retryAfterMs?: number;
  /** Whatever else is asked of whoever failed would fail likewise: no such model, credentials refused. */
  readonly fatal: boolean;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; retryable?: boolean; retryAfterMs?: number; fatal?: boolean } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.fatal = options.fatal ?? false;
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
  }
}

/** The error with another message, itself as the cause; `fatal` where that is known by now. */
export function withMessage(error: SurmiseError, message: string, { fatal } = { fatal: error.fatal }): SurmiseError {
  const { code, retryable, retryAfterMs } = error;
  const options = { cause: error, retryable, fatal, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  return new SurmiseError(code, message, options);
}

/** True for errors of this class, also those of another copy of the package. */
export function isSurmiseError(value: unknown): value is SurmiseError {
  return typeof value === 'object' && value !== null && brand in value;
}

/** The message of anything that was thrown, on one line of at most 300 characters: errors of others may quote a page. */
export function reasonOf(error: unknown): string {
  return messageOf(error).slice(0, 300).replace(/\s+/g, ' ');
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    // An object without a prototype, or one whose own way to be a text fails.
    return 'something was thrown that can not be shown';
  }
}
