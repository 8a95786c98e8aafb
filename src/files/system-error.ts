import { messageOf } from '../core/errors.js';

/** The code of an error of the system or of Node. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** What an error of the file system means, for people. */
export function systemReason(error: unknown): string {
  const code = systemCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such file or folder; check the spelling';
  if (code === 'EACCES' || code === 'EPERM') return 'you have no permission to read it';
  if (code === 'ELOOP') return 'it is a link that leads back to itself';
  return messageOf(error);
}
