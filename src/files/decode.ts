import type { Json } from '../core/ports.js';

export interface Decoded {
  /** Without a byte order mark; NUL characters, which stores and parsers cut at, as U+2400, so that offsets stay. */
  readonly text: string;
  readonly metadata: Readonly<Record<string, Json>>;
  readonly notes: readonly string[];
}

const sampleBytes = 8_192;
/** Shares of the sample above which it is no text. */
const maxControl = 0.05;
const maxReplaced = 0.3;
/** Share of bytes over 0x7f up to which bytes that are no UTF-8 are taken for a Western European text. */
const maxAccented = 0.2;

/**
 * The text of bytes in UTF-8, or in UTF-16 with a byte order mark; undefined when they are no text. Bytes that are not
 * valid are no error: a text with no valid UTF-8 beyond ASCII is read as windows-1252, in another they become U+FFFD.
 * Both are noted and marked with `lossy: true` in the metadata.
 */
export function decode(bytes: Uint8Array): Decoded | undefined {
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : undefined;
  if (utf16 === undefined && share(bytes.subarray(0, sampleBytes), isControl) > maxControl) return undefined;
  const notes: string[] = [];
  const metadata: Record<string, Json> = {};
  let text: string;
  try {
    text = new TextDecoder(utf16 ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    text = new TextDecoder(utf16 ?? 'utf-8').decode(bytes);
    metadata.lossy = true;
    if (utf16 === undefined && isWestern(bytes, text)) {
      text = new TextDecoder('windows-1252').decode(bytes);
      metadata.encoding = 'windows-1252';
      notes.push('not UTF-8, read as windows-1252');
    } else {
      if (isBroken(text)) return undefined;
      notes.push(`invalid ${utf16 === undefined ? 'UTF-8' : 'UTF-16'} replaced`);
    }
  }
  if (utf16 !== undefined) {
    if (text.slice(0, sampleBytes).includes('\0')) return undefined;
    metadata.encoding = utf16;
  }
  if (text.includes('\0')) {
    text = text.replaceAll('\0', '\u2400');
    notes.push('NUL characters shown as \u2400');
  }
  return { text, metadata, notes };
}

/** Control characters that no text has; NUL is one of them, so that a single one in a long text does not matter. */
function isControl(byte: number): boolean {
  return (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27) || byte === 127;
}

/** `lossy` is the text read as UTF-8. A file that was cut inside its last character is UTF-8. */
function isWestern(bytes: Uint8Array, lossy: string): boolean {
  const body = lossy.slice(0, -1);
  return body.includes('\ufffd') && !/[^\0-\x7f\ufffd]/.test(body) && share(bytes, (byte) => byte > 127) <= maxAccented;
}

function isBroken(text: string): boolean {
  const sample = text.slice(0, sampleBytes);
  return sample.split('\ufffd').length - 1 > sample.length * maxReplaced;
}

function share(bytes: Uint8Array, test: (byte: number) => boolean): number {
  let count = 0;
  // By place: iterators of bytes take ten times as long.
  for (let at = 0; at < bytes.length; at++) if (test(bytes[at]!)) count++;
  return bytes.length === 0 ? 0 : count / bytes.length;
}
