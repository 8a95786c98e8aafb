import { damagedPart, type PartSource } from './bm25-block-names.js';
import { crc32 } from './crc32.js';
import type { ByteReader } from './varint.js';

/** Pieces of bytes: each lies between two offsets. */
export interface Slices {
  readonly offsets: Uint32Array;
  readonly bytes: Uint8Array;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The bytes of a part. RangeError where it is missing or has another checksum. */
export function readPart(parts: PartSource, name: string, checksum: number): Uint8Array {
  const bytes = parts.get(name);
  if (bytes === undefined) throw damagedPart(name, 'is missing');
  if (crc32(bytes) !== checksum) throw damagedPart(name, 'is damaged or of another state of the index');
  return bytes;
}

export function readStrings(reader: ByteReader, name: string): string[] {
  const list = parseJson(reader.bytes(reader.unsigned()));
  if (!Array.isArray(list) || list.some((text) => typeof text !== 'string'))
    throw damagedPart(name, 'has no list of texts where one is due');
  return list;
}

/** Undefined where the bytes are no JSON. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}

/** So many lengths and what they are of, which ends with the bytes. */
export function readSlices(reader: ByteReader, count: number, name: string): Slices {
  const offsets = new Uint32Array(count + 1);
  for (let at = 0; at < count; at++) {
    const end = offsets[at]! + reader.unsigned();
    if (end > reader.remaining) throw damagedPart(name, 'ends too early');
    offsets[at + 1] = end;
  }
  if (offsets[count] !== reader.remaining) throw damagedPart(name, 'ends in another place than it says');
  return { offsets, bytes: reader.bytes(reader.remaining) };
}

export function sliceOf({ offsets, bytes }: Slices, at: number): Uint8Array {
  return bytes.subarray(offsets[at]!, offsets[at + 1]!);
}
