import { analyzerVersion } from '../kernels/analyzer-version.js';
import { schemaVersion } from './schema.js';

/** Counts the ways in which a document's language, and with it its terms, were chosen here. */
const languageVersion = '2';
const termsVersion = `${analyzerVersion}.${languageVersion}`;

/** Counts the ways in which the same tables were filled. */
const layoutVersion = '2';

/** Changes whenever the same documents would give another index file. */
export const indexVersion = `${schemaVersion}.${layoutVersion}.${termsVersion}`;

/** In front of the bytes of a hash. */
const hexMark = Buffer.from(`${termsVersion}=`);

const hexDigits = /^(?:[\da-f]{2})+$/;

/**
 * A document's hash as it is stored: terms that were found in another way are out of date whatever the document says.
 * Hex digits are written as bytes, which takes half of the room.
 */
export function toStoredHash(hash: string): string | Uint8Array {
  return hexDigits.test(hash) ? Buffer.concat([hexMark, Buffer.from(hash, 'hex')]) : `${termsVersion}:${hash}`;
}

/** The document's own hash, empty (so that it equals none) where the terms are out of date. */
export function fromStoredHash(stored: unknown): string {
  if (stored instanceof Uint8Array) {
    const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.length);
    const current = bytes.subarray(0, hexMark.length).equals(hexMark);
    return current ? bytes.subarray(hexMark.length).toString('hex') : '';
  }
  const mark = `${termsVersion}:`;
  return typeof stored === 'string' && stored.startsWith(mark) ? stored.slice(mark.length) : '';
}
