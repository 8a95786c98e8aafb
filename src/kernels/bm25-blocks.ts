import { damagedPart, deadName, manifestName, type PartSource } from './bm25-block-names.js';
import { encodeSegment } from './bm25-encode.js';
import type { Field } from './bm25-fields.js';
import { decodeManifest, encodeManifest, type SegmentEntry } from './bm25-manifest.js';
import { readPart } from './bm25-read-part.js';
import { openSegment } from './bm25-saved-segment.js';
import type { HeldSegment } from './bm25-segments.js';
import { crc32 } from './crc32.js';
import { type DeadRows, deadPageBytes, isDead, noDeadRows, rowsOfDeadPage } from './dead-rows.js';
import type { SavedChanges } from './vector-blocks.js';

/** What a saved copy knows of a segment. */
interface SavedSegment {
  readonly number: number;
  readonly checksum: number;
  readonly names: readonly string[];
  readonly dead: DeadRows;
}

/** What a saved copy of an index holds. */
export interface SavedState {
  readonly next: number;
  readonly segments: ReadonlyMap<HeldSegment, SavedSegment>;
}

export const nothingSaved: SavedState = { next: 0, segments: new Map() };

/** The parts by which `held` differs from what is saved; with `all`, every part. */
export function changesSince(
  saved: SavedState,
  held: readonly HeldSegment[],
  { fields, sequences }: { readonly fields: readonly Field[]; readonly sequences: boolean },
  all: boolean,
): { changes: SavedChanges; saved: SavedState } {
  const write = new Map<string, Uint8Array>();
  const segments = new Map<HeldSegment, SavedSegment>();
  const entries: SegmentEntry[] = [];
  let { next } = saved;
  for (const each of held) {
    const known = saved.segments.get(each);
    const number = known?.number ?? next++;
    let { checksum, names } = known ?? { checksum: 0, names: [] };
    if (known === undefined || all) {
      const encoded = encodeSegment(each.segment, number, fields.length, sequences);
      for (const [name, bytes] of encoded.parts) write.set(name, bytes);
      checksum = encoded.checksum;
      names = [...encoded.parts.keys()];
    }
    const dead: { page: number; checksum: number }[] = [];
    each.dead.pages.forEach((bytes, page) => {
      if (bytes === undefined) return;
      if (all || bytes !== known?.dead.pages[page]) write.set(deadName(number, page), bytes);
      dead.push({ page, checksum: crc32(bytes) });
    });
    segments.set(each, { number, checksum, names, dead: each.dead });
    entries.push({ number, checksum, dead });
  }
  write.set(manifestName, encodeManifest({ fields, sequences, next, segments: entries }));
  const remove: string[] = [];
  for (const [each, { number, names, dead }] of saved.segments) {
    if (segments.has(each)) continue;
    remove.push(...names);
    dead.pages.forEach((bytes, page) => {
      if (bytes !== undefined) remove.push(deadName(number, page));
    });
  }
  return { changes: { write, remove }, saved: { next, segments } };
}

/** What `changesSince` wrote. RangeError where parts are missing or damaged, now or when they are first needed. */
export function openBlocks(parts: PartSource) {
  const { fields, sequences, next, segments: entries } = decodeManifest(parts.get(manifestName));
  const segments = new Map<HeldSegment, SavedSegment>();
  let serials = 0;
  for (const { number, checksum, dead: pages } of entries) {
    const segment = openSegment(parts, number, checksum, fields.length, sequences);
    const { rows, names } = segment;
    const dead = openDeadRows(parts, number, rows, pages);
    const own = new Float64Array(rows);
    for (let row = 0; row < rows; row++) own[row] = serials++;
    const held = { segment, serials: own, dead };
    segments.set(held, { number, checksum, names, dead });
  }
  return { fields, sequences, held: [...segments.keys()], serials, saved: { next, segments } };
}

function openDeadRows(parts: PartSource, number: number, rows: number, entries: SegmentEntry['dead']): DeadRows {
  if (entries.length === 0) return noDeadRows;
  const pages: (Uint8Array | undefined)[] = new Array(Math.ceil(rows / rowsOfDeadPage)).fill(undefined);
  for (const { page, checksum } of entries) {
    const name = deadName(number, page);
    const bytes = readPart(parts, name, checksum);
    if (bytes.length !== deadPageBytes || page >= pages.length)
      throw damagedPart(name, 'is of a wrong length or place');
    pages[page] = bytes.slice();
  }
  let count = 0;
  const dead = { count, pages };
  for (let row = 0; row < pages.length * rowsOfDeadPage; row++) {
    if (!isDead(dead, row)) continue;
    if (row >= rows) throw damagedPart(deadName(number, Math.floor(row / rowsOfDeadPage)), 'marks a row out of range');
    count++;
  }
  return { count, pages };
}
