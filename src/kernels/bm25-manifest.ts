import { damagedPart, manifestName, savedParts } from './bm25-block-names.js';
import { writeStrings } from './bm25-encode.js';
import { checkFields, type Field } from './bm25-fields.js';
import { readStrings } from './bm25-read-part.js';
import { crc32 } from './crc32.js';
import { createByteReader, createByteWriter } from './varint.js';

/** What is saved of an index: its segments, and the checksum of every part that belongs to them, directly or by another. */
export interface Manifest {
  readonly fields: readonly Field[];
  readonly sequences: boolean;
  /** The number of the next segment. */
  readonly next: number;
  readonly segments: readonly SegmentEntry[];
}

export interface SegmentEntry {
  readonly number: number;
  readonly checksum: number;
  /** Pages that have dead rows. */
  readonly dead: readonly { readonly page: number; readonly checksum: number }[];
}

/** "SBM" and the version of the format. */
const magic = Uint8Array.of(0x53, 0x42, 0x4d, 3);
const checksumBytes = 4;

/** Magic; names and boosts of fields as JSON; numbers in LEB128; the CRC-32 of all that, lowest byte first. */
export function encodeManifest({ fields, sequences, next, segments }: Manifest): Uint8Array {
  const writer = createByteWriter();
  writer.bytes(magic);
  writeStrings(
    writer,
    fields.flatMap(({ name, boost }) => [name, String(boost)]),
  );
  writer.unsigned(sequences ? 1 : 0);
  writer.unsigned(next);
  writer.unsigned(segments.length);
  for (const { number, checksum, dead } of segments) {
    writer.unsigned(number);
    writer.unsigned(checksum);
    writer.unsigned(dead.length);
    for (const { page, checksum: own } of dead) {
      writer.unsigned(page);
      writer.unsigned(own);
    }
  }
  const checksum = crc32(writer.finish());
  writer.bytes(Uint8Array.from({ length: checksumBytes }, (_, at) => checksum >>> (8 * at)));
  return writer.finish();
}

/** @throws RangeError for bytes that `encodeManifest` did not write */
export function decodeManifest(bytes: Uint8Array | undefined): Manifest {
  if (bytes === undefined) throw damagedPart(manifestName, 'is missing');
  if (bytes.length < magic.length + checksumBytes || magic.some((byte, at) => byte !== bytes[at]))
    throw damagedPart(manifestName, 'is no BM25 index, or one of another version');
  const body = bytes.subarray(0, -checksumBytes);
  const checksum = crc32(body);
  for (let at = 0; at < checksumBytes; at++)
    if (bytes[body.length + at] !== ((checksum >>> (8 * at)) & 255)) throw damagedPart(manifestName, 'is damaged');
  const reader = createByteReader(body, savedParts);
  reader.bytes(magic.length);
  const texts = readStrings(reader, manifestName);
  const fields: Field[] = [];
  for (let at = 0; at < texts.length; at += 2) fields.push({ name: texts[at]!, boost: Number(texts[at + 1]) });
  checkFields(fields);
  if (new Set(fields.map(({ name }) => name)).size < fields.length)
    throw damagedPart(manifestName, 'has a field twice');
  const sequences = reader.unsigned() === 1;
  const next = reader.unsigned();
  const segments: SegmentEntry[] = [];
  for (let left = reader.unsigned(); left > 0; left--) {
    const number = reader.unsigned();
    const own = reader.unsigned();
    const dead: SegmentEntry['dead'][number][] = [];
    for (let pages = reader.unsigned(); pages > 0; pages--)
      dead.push({ page: reader.unsigned(), checksum: reader.unsigned() });
    segments.push({ number, checksum: own, dead });
  }
  if (reader.remaining > 0) throw damagedPart(manifestName, `has ${reader.remaining} bytes too many`);
  return { fields, sequences, next, segments };
}
