import { analyzerVersion } from '../kernels/index.js';
import { schemaVersion } from './schema.js';

/** Counts the ways in which a document's language, and with it its terms, were chosen here. */
const languageVersion = '2';
const termsVersion = `${analyzerVersion}.${languageVersion}`;

/** Changes whenever the same documents would give another index file. */
export const indexVersion = `${schemaVersion}.${termsVersion}`;

/** A document's hash as it is stored: terms that were found in another way are out of date whatever the document says. */
export function toStoredHash(hash: string): string {
  return `${termsVersion}:${hash}`;
}

/** The document's own hash, empty (so that it equals none) where the terms are out of date. */
export function fromStoredHash(stored: string): string {
  const prefix = `${termsVersion}:`;
  return stored.startsWith(prefix) ? stored.slice(prefix.length) : '';
}
