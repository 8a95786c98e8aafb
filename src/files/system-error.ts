import { messageOf } from '../core/errors.js';

/** The code of an error of the system or of Node. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Said of a name that Node gives with U+FFFD in the place of bytes, so that nothing is found under it. */
export const notUtf8 = 'the name is not valid UTF-8; rename it';

/** What an error of the file system about a path means, for people. */
export function systemReason(error: unknown, path = ''): string {
  const code = systemCode(error);
  if (code === 'ENOENT' && path.includes('\ufffd')) return notUtf8;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such file or folder; check the spelling';
  if (code === 'EACCES' || code === 'EPERM') return 'you have no permission to read it';
  if (code === 'EBADF') return 'it is closed';
  if (code === 'ELOOP') return 'it is a link that leads back to itself';
  return messageOf(error);
}
