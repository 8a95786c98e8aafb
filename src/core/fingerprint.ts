import type { Fingerprint } from './ports.js';

/** One string for equal embedding spaces, whatever the order in which the fields were written. */
export function fingerprintKey(fingerprint: Fingerprint): string {
  const { provider, model, dimensions, normalised, prefixes } = fingerprint;
  return JSON.stringify([provider, model, dimensions, normalised, prefixes?.query ?? '', prefixes?.document ?? '']);
}

/** `provider/model (dimensions)`, for people. */
export function describeFingerprint(fingerprint: Fingerprint): string {
  return `${fingerprint.provider}/${fingerprint.model} (${fingerprint.dimensions} dimensions)`;
}
