import type Database from 'better-sqlite3';
import type { Postings } from '../kernels/postings.js';
import { decodeList, joinLists, type List, listOfOne } from './list-bytes.js';
import { addPosting, closePostingBlock, type PostingBlock, postingBlockWriter } from './posting-block-writer.js';
import { type BlockEntry, findInBlock, readPostingBlock, toPostingBlocks } from './posting-blocks.js';
import { postingCursor } from './posting-cursor.js';
import { emptyEntry, setList, type TermEntry } from './posting-entry.js';
import type { PostingLists } from './posting-lists.js';
import { mergePostings } from './posting-merge.js';
import { corrupt, decoded } from './stored.js';

/** So many segments of one tier become one of the next. */
const mergeFactor = 8;
/** Merged segments of up to so many rows (some 200 bytes each) are kept in memory, so that they take the room of the old ones. */
const rowsInMemory = 65_536;

interface Segment {
  readonly id: number;
  readonly tier: number;
  readonly first: number;
  readonly last: number;
}

/** Where the row of a chunk goes; undefined for a chunk that is gone. Places ascend as rows do. */
type PlaceOf = (row: number) => number | undefined;

/** Writes the lists as a new segment whose chunks begin at a row, and merges what is due. Runs inside the caller's transaction. */
export function appendSegment(database: Database.Database, lists: PostingLists, firstRow: number): void {
  if (lists.chunks === 0) return;
  writeBlocks(database, { tier: 0, first: firstRow, last: firstRow + lists.chunks - 1 }, lists.blocks(firstRow));
  for (let tier = 0; mergeTier(database, tier); tier++);
}

/** Writes entries, terms in the order of their bytes, as a segment above all that are there. */
export function writeSegment(
  database: Database.Database,
  segment: Omit<Segment, 'id'>,
  entries: Iterable<readonly [Buffer, List]>,
): void {
  writeBlocks(database, segment, toPostingBlocks(entries));
}

function writeBlocks(database: Database.Database, segment: Omit<Segment, 'id'>, blocks: Iterable<PostingBlock>): void {
  const insert = blockInsert(database, segment);
  for (const block of blocks) insert(block);
}

/** Makes a segment, and what writes its blocks. */
function blockInsert(
  database: Database.Database,
  { tier, first, last }: Omit<Segment, 'id'>,
): (block: PostingBlock) => void {
  const addSegment = database.prepare('INSERT INTO segments (tier, first_row, last_row) VALUES (?, ?, ?)');
  const { lastInsertRowid } = addSegment.run(tier, first, last);
  const addBlock = database.prepare('INSERT INTO postings (segment, first_term, data) VALUES (?, ?, ?)');
  return (block) => addBlock.run(lastInsertRowid, block.first, block.data);
}

/** Reads the postings of terms, rows that are gone among them. Sees the segments that are there when it is made. */
export function postingsReader(database: Database.Database): (term: string) => Postings | undefined {
  const segments = readSegments(database);
  const select = database
    .prepare('SELECT data FROM postings WHERE segment = ? AND first_term <= ? ORDER BY first_term DESC LIMIT 1')
    .pluck();
  return (term) => {
    const wanted = Buffer.from(term);
    const lists: List[] = [];
    for (const { id } of segments) {
      const data = select.get(id, wanted);
      const list = data === undefined ? undefined : decoded('postings', () => findInBlock(bytesOf(data), wanted));
      if (list !== undefined) lists.push(list);
    }
    return lists.length === 0 ? undefined : decoded('postings', () => decodeList(joinLists(lists)));
  };
}

/** Finds the terms that begin so, those of chunks that are gone among them. Sees the segments of when it is made. */
export function termsReader(database: Database.Database): (prefix: string) => Set<string> {
  const segments = readSegments(database);
  // The block before may end with such terms.
  const select = database
    .prepare(
      `SELECT data FROM postings WHERE segment = @segment AND first_term >= coalesce(
         (SELECT max(first_term) FROM postings WHERE segment = @segment AND first_term <= @from), @from)
       ORDER BY first_term`,
    )
    .pluck();
  return (prefix) => {
    const from = Buffer.from(prefix);
    const found = new Set<string>();
    for (const { id } of segments)
      for (const data of select.iterate({ segment: id, from })) {
        const terms = decoded('postings', () => [...readPostingBlock(bytesOf(data))].map(({ term }) => term));
        for (const term of terms) if (term.subarray(0, from.length).equals(from)) found.add(term.toString());
        if (Buffer.compare(terms.at(-1)!.subarray(0, from.length), from) > 0) break;
      }
    return found;
  };
}

/** Keeps the postings whose row `alive` accepts. */
export function livePostings(postings: Postings, alive: (row: number) => boolean): Postings {
  let count = 0;
  for (const row of postings.rows) if (alive(row)) count++;
  if (count === postings.rows.length) return postings;
  const kept = { rows: new Uint32Array(count), frequencies: new Uint32Array(count) };
  let next = 0;
  postings.rows.forEach((row, index) => {
    if (!alive(row)) return;
    kept.rows[next] = row;
    kept.frequencies[next++] = postings.frequencies[index]!;
  });
  return kept;
}

/** Makes one segment of all. */
export function mergeAll(database: Database.Database, placeOf: PlaceOf, lastPlace: number): void {
  const segments = readSegments(database);
  const tier = Math.max(0, ...segments.map((segment) => segment.tier));
  merge(database, segments, { tier, first: 1, last: lastPlace }, placeOf);
}

export function readSegments(database: Database.Database): Segment[] {
  return database
    .prepare('SELECT id, tier, first_row AS first, last_row AS last FROM segments ORDER BY id')
    .all() as Segment[];
}

/** Merges the segments of a tier when there are enough; they follow one another in order of row. */
function mergeTier(database: Database.Database, tier: number): boolean {
  const segments = readSegments(database).filter((segment) => segment.tier === tier);
  if (segments.length < mergeFactor) return false;
  const [first, last] = [segments[0]!.first, segments.at(-1)!.last];
  const rows = database.prepare('SELECT row FROM chunks WHERE row BETWEEN ? AND ?').pluck();
  const live = rows.all(first, last) as number[];
  const whole = live.length === segments.reduce((sum, segment) => sum + segment.last - segment.first + 1, 0);
  merge(database, segments, { tier: tier + 1, first, last }, whole ? undefined : placesOf(live, first));
  return true;
}

/** Every row stays where it is, if it is there. */
function placesOf(live: readonly number[], first: number): PlaceOf {
  const there = new Uint8Array((live.at(-1) ?? first) - first + 1);
  for (const row of live) there[row - first] = 1;
  return (row) => (there[row - first] === 1 ? row : undefined);
}

/** Segments that follow one another become one; without `placeOf` all of their rows are there and stay. */
function merge(
  database: Database.Database,
  segments: readonly Segment[],
  target: Omit<Segment, 'id'>,
  placeOf: PlaceOf | undefined,
): void {
  const cursors = segments.map(({ id }) => postingCursor(blocksOf(database, id)));
  const mergeTo = (take: (block: PostingBlock) => void) => {
    const writer = postingBlockWriter(take);
    const write = (entry: Readonly<TermEntry>) => addPosting(writer, entry);
    const add = placeOf === undefined ? write : placed(placeOf, write);
    decoded('postings', () => mergePostings(cursors, add));
    closePostingBlock(writer);
  };
  const isEmpty = target.last < target.first;
  // The new one is the last, and stands where the old ones stood: these are the last as well, or all there are.
  if (isEmpty || target.last - target.first < rowsInMemory) {
    const kept: PostingBlock[] = [];
    mergeTo((block) => kept.push(block));
    removeSegments(database, segments);
    if (!isEmpty) writeBlocks(database, target, kept);
  } else {
    mergeTo(blockInsert(database, target));
    removeSegments(database, segments);
  }
}

function removeSegments(database: Database.Database, segments: readonly Segment[]): void {
  const removeBlocks = database.prepare('DELETE FROM postings WHERE segment = ?');
  const removeSegment = database.prepare('DELETE FROM segments WHERE id = ?');
  for (const { id } of segments) {
    removeBlocks.run(id);
    removeSegment.run(id);
  }
}

/** The blocks of a segment, one by one: a statement that is being read would keep others from writing. */
function blocksOf(database: Database.Database, segment: number): () => Uint8Array | undefined {
  const select = database
    .prepare('SELECT first_term, data FROM postings WHERE segment = ? AND first_term > ? ORDER BY first_term LIMIT 1')
    .raw();
  let after: Buffer = Buffer.alloc(0);
  return () => {
    const block = select.get(segment, after) as [Buffer, unknown] | undefined;
    if (block === undefined) return undefined;
    if (Buffer.compare(block[0], after) <= 0) throw corrupt('Blocks of postings that are not in order');
    after = block[0];
    return bytesOf(block[1]);
  };
}

/** The entries of a segment. */
export function* entriesOf(database: Database.Database, segment: number): Generator<BlockEntry> {
  const next = blocksOf(database, segment);
  for (let block = next(); block !== undefined; block = next()) yield* readPostingBlock(block);
}

/** Hands on what is left of entries when rows go where they are to be. */
function placed(placeOf: PlaceOf, take: (entry: TermEntry) => void): (entry: Readonly<TermEntry>) => void {
  const moved = emptyEntry();
  return (entry) => {
    const { rows, frequencies } = livePostings(decodeList(listOf(entry)), (row) => placeOf(row) !== undefined);
    if (rows.length === 0) return;
    moved.term = entry.term;
    moved.termLength = entry.termLength;
    const places = rows.map((row) => placeOf(row)!);
    setList(moved, places, frequencies, 0, places.length);
    take(moved);
  };
}

function listOf({ count, first, last, frequency, entries, start, end }: TermEntry): List {
  return count === 1 ? listOfOne(first, frequency) : { count, first, last, entries: entries.subarray(start, end) };
}

function bytesOf(data: unknown): Uint8Array {
  if (!(data instanceof Uint8Array)) throw corrupt('Postings that are no bytes');
  return data;
}
