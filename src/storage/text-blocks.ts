import { brotliDecompressSync, crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import type Database from 'better-sqlite3';
import { messageOf } from '../core/errors.js';
import { corrupt } from './stored.js';

/**
 * UTF-16 units of a block. A chunk reads the blocks that it touches only; of English this makes some 7 KB, several of which
 * fill a page. Twice as much saves 2 % and wastes more of the pages.
 */
const blockUnits = 16_384;
/** The blocks of document d are the rows `d * 2^20` and following, so they need no index. The SQL of the schema has the number. */
export const blocksPerDocument = 2 ** 20;
/** A unit is at most three bytes of UTF-8. */
const maxBlockBytes = 3 * (blockUnits + 1);
/** Brotli makes 6 % less of short texts and takes twice the time. No buffer much beyond what comes out. */
const deflateOptions = { level: 6, chunkSize: 4_096 };
/** In front of the compressed bytes: the CRC-32 of what they are of, little-endian; deflate has no checksum. */
const checksumBytes = 4;
/**
 * Then how they are compressed. Version 3 wrote Brotli without such a byte, with a window of 16 bits: its streams begin with
 * a bit of 0, so with an even byte.
 */
const deflated = 1;

export interface TextBlock {
  /** UTF-16 units before it, those of the outline among them. */
  readonly start: number;
  readonly data: Uint8Array;
}

/**
 * An outline and the text behind it in compressed blocks: headings repeat what the text says, so there they take next to
 * no room. No block begins in the middle of a surrogate pair. What has no length has no blocks.
 */
export function toTextBlocks(outline: string, body: string): TextBlock[] {
  const text = outline + body;
  if (text.length >= blockUnits * blocksPerDocument) throw new RangeError('The text is too long.');
  const blocks: TextBlock[] = [];
  for (let start = 0, index = 1; start < text.length; index++) {
    const end = endsPair(text, index * blockUnits) ? index * blockUnits + 1 : index * blockUnits;
    blocks.push({ start, data: compressed(Buffer.from(text.slice(start, end))) });
    start = end;
  }
  return blocks;
}

function compressed(bytes: Uint8Array): Uint8Array {
  const packed = deflateRawSync(bytes, deflateOptions);
  const data = Buffer.allocUnsafe(checksumBytes + 1 + packed.length);
  data.writeUInt32LE(crc32(bytes));
  data[checksumBytes] = deflated;
  data.set(packed, checksumBytes + 1);
  return data;
}

export function textWriter(database: Database.Database): (document: number, blocks: readonly TextBlock[]) => void {
  const insert = database.prepare('INSERT INTO texts (row, "start", data) VALUES (?, ?, ?)');
  return (document, blocks) => {
    blocks.forEach(({ start, data }, index) => {
      insert.run(document * blocksPerDocument + index, start, data);
    });
  };
}

/** The row of a document, how long its outline is, and how long its text. */
export interface StoredDocument {
  readonly row: number;
  readonly outline: number;
  readonly characters: number;
}

export interface StoredText {
  readonly outline: string;
  /** How many blocks it has at most: a pair at its very end may make the last one needless. */
  readonly blocks: number;
  /** A part of the text. */
  slice(start: number, end: number): string;
}

/** Opens the texts of documents; of each only the blocks that are asked for are read, and the last one is kept. */
export function textReader(database: Database.Database): (document: StoredDocument) => StoredText {
  const select = database.prepare('SELECT "start", data FROM texts WHERE row = ?').raw();
  return ({ row, outline, characters: bodyUnits }) => {
    const characters = outline + bodyUnits;
    let kept: { readonly index: number; readonly start: number; readonly text: string } | undefined;
    const block = (index: number) => {
      if (kept?.index === index) return kept;
      const found = select.get(row * blocksPerDocument + index) as [number, unknown] | undefined;
      if (found === undefined) throw corrupt('A text of which a part is missing');
      const [start, data] = found;
      const text = storedBlock(data);
      const expected = Math.min(characters, (index + 1) * blockUnits);
      const end = start + text.length;
      const begins = index === 0 ? start === 0 : start === index * blockUnits || start === index * blockUnits + 1;
      if (!begins || (end !== expected && !(end === expected + 1 && end <= characters)))
        throw corrupt('A text that is longer or shorter than it was');
      kept = { index, start, text };
      return kept;
    };
    const read = (start: number, end: number) => {
      const parts: string[] = [];
      for (let at = start; at < end; ) {
        let { index, start: from, text } = block(Math.floor(at / blockUnits));
        // The second half of a pair at the border belongs to the block before.
        if (at < from) ({ start: from, text } = block(index - 1));
        const part = text.slice(at - from, end - from);
        if (part === '') throw corrupt('A text of which a part is missing');
        parts.push(part);
        at += part.length;
      }
      // A slice would keep the whole block alive.
      return Buffer.from(parts.join(''), 'utf16le').toString('utf16le');
    };
    return {
      outline: read(0, outline),
      blocks: Math.ceil(characters / blockUnits),
      slice(start, end) {
        if (!(start >= 0 && start <= end && end <= bodyUnits)) throw corrupt('A chunk that is not in its text');
        return read(outline + start, outline + end);
      },
    };
  };
}

function storedBlock(data: unknown): string {
  if (!(data instanceof Uint8Array) || data.length < checksumBytes) throw corrupt('A text that is no bytes');
  let bytes: Buffer;
  try {
    bytes =
      data[checksumBytes] === deflated
        ? inflateRawSync(data.subarray(checksumBytes + 1), { maxOutputLength: maxBlockBytes })
        : brotliDecompressSync(data.subarray(checksumBytes), { maxOutputLength: maxBlockBytes });
  } catch (error) {
    throw corrupt(`A text that can not be decompressed: ${messageOf(error)}`);
  }
  const checksum = new DataView(data.buffer, data.byteOffset).getUint32(0, true);
  if (crc32(bytes) !== checksum) throw corrupt('A text with another checksum than it had');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw corrupt('A text that is not UTF-8');
  }
}

function endsPair(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  return unit >= 0xdc00 && unit <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
}
