import { analyzerVersion } from '../kernels/index.js';
import { schemaVersion } from './schema.js';

/** Changes whenever the same documents would give another index file. */
export const indexVersion = `${schemaVersion}.${analyzerVersion}`;

/** A document's hash as it is stored: terms of another analyser version are out of date whatever the document says. */
export function toStoredHash(hash: string): string {
  return `${analyzerVersion}:${hash}`;
}

/** The document's own hash, empty (so that it equals none) where the terms are out of date. */
export function fromStoredHash(stored: string): string {
  const prefix = `${analyzerVersion}:`;
  return stored.startsWith(prefix) ? stored.slice(prefix.length) : '';
}
