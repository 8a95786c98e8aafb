import { crc32 } from './crc32.js';
import { createByteReader, createByteWriter } from './varint.js';

/** "SBP" and the version of the format. */
const magic = Uint8Array.of(0x53, 0x42, 0x50, 1);
const what = 'The bytes of this BM25 index';

/** Saved parts as one: magic, the CRC-32 of what follows, the number of parts, each with its name, both with lengths. */
export function packParts(parts: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const body = createByteWriter();
  body.unsigned(parts.size);
  for (const [name, bytes] of parts) {
    for (const block of [new TextEncoder().encode(name), bytes]) {
      body.unsigned(block.length);
      body.bytes(block);
    }
  }
  const bytes = body.finish();
  const writer = createByteWriter(bytes.length + 16);
  writer.bytes(magic);
  writer.unsigned(crc32(bytes));
  writer.bytes(bytes);
  return writer.finish();
}

/** What `packParts` joined, as views. RangeError when the bytes are damaged or of another format. */
export function unpackParts(bytes: Uint8Array): Map<string, Uint8Array> {
  if (bytes.length < magic.length || magic.some((byte, at) => byte !== bytes[at]))
    throw new RangeError('These bytes are not a BM25 index, or one of another version.');
  const reader = createByteReader(bytes.subarray(magic.length), what);
  const checksum = reader.unsigned();
  if (crc32(bytes.subarray(bytes.length - reader.remaining)) !== checksum)
    throw new RangeError(`${what} are damaged: their checksum is another.`);
  const parts = new Map<string, Uint8Array>();
  for (let left = reader.unsigned(); left > 0; left--) {
    const name = new TextDecoder().decode(reader.bytes(reader.unsigned()));
    parts.set(name, reader.bytes(reader.unsigned()));
  }
  return parts;
}
