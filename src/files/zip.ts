import { promisify } from 'node:util';
import { constants, inflateRaw } from 'node:zlib';
import { systemCode } from './system-error.js';

const inflate = promisify(inflateRaw);
const maxEntries = 10_000;

/** Packed bytes that the kind of a part is told by, and how many of the unpacked ones are looked at. */
const packedSample = 512;
const sample = 64;

/** A part as it lies in the archive. */
interface Part {
  readonly name: string;
  /** 0 as it is, 8 deflated. */
  readonly method: number;
  readonly packed: Buffer;
}

/**
 * Whether the parts of a ZIP archive that are text unpack to at most `limit` bytes together, found by unpacking them:
 * what an archive says of its own sizes may be false, and so may names. Throws for what is no archive, is encrypted, or
 * is packed in an unusual way.
 */
export async function unpacksWithin(bytes: Uint8Array, limit: number): Promise<boolean> {
  let left = limit;
  for (const part of partsOf(bytes)) {
    if (await isBinary(part)) continue;
    const text = await unpacked(part, left);
    if (text === undefined) return false;
    left -= text.length;
  }
  return true;
}

/** The text of a part in UTF-8; undefined where there is none of that name, or of at most `limit` bytes. */
export async function unpackPart(bytes: Uint8Array, name: string, limit: number): Promise<string | undefined> {
  for (const part of partsOf(bytes)) {
    if (part.name !== name) continue;
    return (await unpacked(part, limit))?.toString('utf8');
  }
  return undefined;
}

/** APPNOTE.TXT 6.3, sections 4.3.7, 4.3.12 and 4.3.16. */
function* partsOf(bytes: Uint8Array): Generator<Part> {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end < 0) throw new Error('it is no ZIP archive');
  const entries = zip.readUInt16LE(end + 10);
  if (entries > maxEntries) throw new Error(`it has more than ${maxEntries} parts`);
  let at = zip.readUInt32LE(end + 16);
  for (let entry = 0; entry < entries; entry++) {
    if (zip.readUInt32LE(at) !== 0x02014b50) throw new Error('its list of parts is damaged');
    const [flags, method, packed] = [zip.readUInt16LE(at + 8), zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)];
    const nameEnd = at + 46 + zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + 46, nameEnd);
    const local = zip.readUInt32LE(at + 42);
    at = nameEnd + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
    if (flags & 1) throw new Error('its parts are encrypted');
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    if (method !== 0 && method !== 8) throw new Error(`part ${name} is packed by method ${method}`);
    yield { name, method, packed: zip.subarray(start, start + packed) };
  }
}

/** Pictures, fonts and embedded files have control characters near their beginning; XML has none. */
async function isBinary({ method, packed }: Part): Promise<boolean> {
  const head = packed.subarray(0, packedSample);
  const begin = method === 0 ? head : await inflate(head, { finishFlush: constants.Z_SYNC_FLUSH });
  return begin.subarray(0, sample).some((byte) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 13);
}

/** The bytes of a part; undefined when they are more than `limit`. */
async function unpacked({ method, packed }: Part, limit: number): Promise<Buffer | undefined> {
  if (method === 0) return packed.length > limit ? undefined : packed;
  try {
    const bytes = await inflate(packed, { maxOutputLength: Math.max(1, limit) });
    return bytes.length > limit ? undefined : bytes;
  } catch (error) {
    if (systemCode(error) === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw error;
  }
}
