import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** What Node has and a browser does not; this room knows no types of either. */
interface Platform {
  readonly process?: { readonly getBuiltinModule?: (name: string) => unknown };
}

interface NativeCrypto {
  createHash(name: 'sha256'): NativeHash;
}

interface NativeHash {
  update(text: string, encoding: 'utf8'): NativeHash;
  digest(encoding: 'hex'): string;
}

/**
 * SHA-256 of texts after a common beginning, in hex digits, two for each of the first `bytes` bytes. Not Web Crypto's: that
 * answers later, which for thousands of short texts takes longer than the hashing itself. Node's own takes a tenth of the
 * time that JavaScript does; both take half of a surrogate pair for U+FFFD.
 */
export function digester(beginning = '', bytes = 32): (text: string) => string {
  return nativeDigester(beginning, bytes) ?? plainDigester(beginning, bytes);
}

/** Nothing where the platform is not Node, or has no such hash. */
export function nativeDigester(beginning: string, bytes: number): ((text: string) => string) | undefined {
  try {
    const crypto = (globalThis as Platform).process?.getBuiltinModule?.('node:crypto') as NativeCrypto | undefined;
    if (crypto === undefined) return undefined;
    const digest = (text: string) =>
      crypto
        .createHash('sha256')
        .update(beginning, 'utf8')
        .update(text, 'utf8')
        .digest('hex')
        .slice(0, 2 * bytes);
    digest('');
    return digest;
  } catch {
    return undefined;
  }
}

export function plainDigester(beginning: string, bytes: number): (text: string) => string {
  const begun = sha256.create().update(utf8ToBytes(beginning));
  return (text) => bytesToHex(begun.clone().update(utf8ToBytes(text)).digest().subarray(0, bytes));
}
