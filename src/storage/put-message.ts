import { type ErrorCode, isSurmiseError, SurmiseError } from '../core/errors.js';
import type { DocumentRecord, Fingerprint } from '../core/ports.js';
import type { FileIdentity } from './open-file.js';

/** What the thread is started with. */
export interface PutThreadData {
  readonly path: string;
  readonly waitMs: number;
  /** One number, 1 as soon as nobody waits for other processes any more. */
  readonly closing: Int32Array;
  readonly opened: FileIdentity | undefined;
}

export type PutRequest =
  | { readonly kind: 'put'; readonly records: readonly DocumentRecord[]; readonly fingerprint: Fingerprint | undefined }
  | { readonly kind: 'end' };

/** The answer to a put. */
export type PutAnswer = { readonly failure?: PutFailure };

/** An error on its way from one thread to another, which would lose its class and fields. */
type PutFailure =
  | {
      readonly kind: 'surmise';
      readonly code: ErrorCode;
      readonly message: string;
      readonly retryable: boolean;
      readonly cause: string | undefined;
    }
  | { readonly kind: 'other'; readonly name: string; readonly message: string };

export function toFailure(error: unknown): PutFailure {
  if (isSurmiseError(error)) {
    const { code, message, retryable, cause } = error;
    return { kind: 'surmise', code, message, retryable, cause: cause instanceof Error ? cause.message : undefined };
  }
  return error instanceof Error
    ? { kind: 'other', name: error.name, message: error.message }
    : { kind: 'other', name: 'Error', message: String(error) };
}

export function fromFailure(failure: PutFailure): Error {
  if (failure.kind === 'other') return Object.assign(new Error(failure.message), { name: failure.name });
  const { code, message, retryable, cause } = failure;
  return new SurmiseError(code, message, { retryable, ...(cause !== undefined && { cause: new Error(cause) }) });
}
