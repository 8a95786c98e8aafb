import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * SHA-256 of texts after a common beginning, in hex digits, two for each of the first `bytes` bytes. Not Web Crypto's: that
 * answers later, which for thousands of short texts takes longer than the hashing itself.
 */
export function digester(beginning = '', bytes = 32): (text: string) => string {
  const begun = sha256.create().update(utf8ToBytes(beginning));
  return (text) => bytesToHex(begun.clone().update(utf8ToBytes(text)).digest().subarray(0, bytes));
}
