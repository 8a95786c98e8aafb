import { SurmiseError } from '../core/errors.js';
import type { Document, DocumentRecord, Fingerprint } from '../core/ports.js';
import { isWellFormed } from '../core/well-formed.js';
import { isFingerprint, isMetadata } from './stored.js';

/**
 * Refuses what could be written but not read again.
 *
 * @throws SurmiseError `bad_data`, for the fingerprint `bad_argument`
 */
export function checkRecords(records: readonly DocumentRecord[], fingerprint: Fingerprint | undefined): void {
  if (fingerprint !== undefined) fingerprintJson(fingerprint);
  for (const { document, hash, chunks } of records) {
    const { id, text, title = '', path = id, collection = '' } = document;
    if (typeof id !== 'string' || id === '' || !isWellFormed(id))
      throw new SurmiseError('bad_data', 'A document needs an id that is a text, not empty and valid Unicode.');
    for (const [name, value] of Object.entries({ text, title, path, collection, hash }))
      if (typeof value !== 'string') throw new SurmiseError('bad_data', `The ${name} of document "${id}" is no text.`);
    for (const { heading = [], header = '' } of chunks) {
      if (!Array.isArray(heading) || !heading.every((part) => typeof part === 'string'))
        throw new SurmiseError('bad_data', `A heading in document "${id}" is no list of texts.`);
      if (typeof header !== 'string') throw new SurmiseError('bad_data', `A header in document "${id}" is no text.`);
    }
  }
}

/** @throws SurmiseError `bad_argument` for what is no fingerprint */
export function fingerprintJson(fingerprint: Fingerprint): string {
  const written = asJson(fingerprint);
  if (written === undefined || !isFingerprint(written.value))
    throw new SurmiseError(
      'bad_argument',
      'The fingerprint must have a provider, a model, dimensions of 1 or more, "normalised", and prefixes for both roles or none.',
    );
  return written.json;
}

/** @throws SurmiseError `bad_data` for metadata that JSON makes no object of */
export function metadataJson({ id, metadata = {} }: Document): string {
  const written = asJson(metadata);
  if (written === undefined || !isMetadata(written.value))
    throw new SurmiseError('bad_data', `The metadata of document "${id}" must be an object that JSON can hold.`);
  return written.json;
}

/** Undefined for what JSON can not hold. */
function asJson(value: unknown): { readonly json: string; readonly value: unknown } | undefined {
  try {
    const json = JSON.stringify(value) as string | undefined;
    return json === undefined ? undefined : { json, value: JSON.parse(json) as unknown };
  } catch {
    return undefined;
  }
}
