import { analyzerVersion } from '../kernels/index.js';
import { schemaVersion } from './schema.js';

/** Counts the ways in which a document's language, and with it its terms, were chosen here. */
const languageVersion = '2';
const termsVersion = `${analyzerVersion}.${languageVersion}`;

/** Changes whenever the same documents would give another index file. */
export const indexVersion = `${schemaVersion}.${termsVersion}`;

const hexDigits = /^(?:[\da-f]{2})+$/;

/**
 * A document's hash as it is stored: terms that were found in another way are out of date whatever the document says.
 * Hex digits are written as base64, which takes two thirds of the room.
 */
export function toStoredHash(hash: string): string {
  return hexDigits.test(hash)
    ? `${termsVersion}=${Buffer.from(hash, 'hex').toString('base64url')}`
    : `${termsVersion}:${hash}`;
}

/** The document's own hash, empty (so that it equals none) where the terms are out of date. */
export function fromStoredHash(stored: string): string {
  const rest = stored.slice(termsVersion.length + 1);
  if (stored.startsWith(`${termsVersion}=`)) return Buffer.from(rest, 'base64url').toString('hex');
  return stored.startsWith(`${termsVersion}:`) ? rest : '';
}
