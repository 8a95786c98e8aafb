import type Database from 'better-sqlite3';
import type { DocumentRecord, Fingerprint } from '../core/index.js';
import { fromStoredHash } from './index-version.js';
import { storedOutline } from './outline.js';
import { corrupt, storedMetadata, storedVector } from './stored.js';
import { blocksPerDocument, type StoredDocument, textReader } from './text-blocks.js';

interface Row extends StoredDocument {
  readonly id: string;
  readonly path: string;
  readonly title: string;
  readonly language: string;
  readonly collection: string;
  readonly hash: unknown;
  readonly metadata: string;
}

interface ChunkRow {
  readonly ordinal: number;
  readonly start: number;
  readonly end: number;
  readonly heading: number | null;
  readonly header: number | null;
  readonly vector: unknown;
  readonly key: Buffer | null;
}

export interface RecordReaderOptions {
  /** False finds chunks without the index of their table, reading all of them once. Default true. */
  readonly indexed?: boolean;
  /** False leaves vectors out. Default true. */
  readonly vectors?: boolean;
}

/** In front of the hash of a document of which not all was read: it equals none, so the next run does it again. */
const incomplete = 'incomplete:';

/**
 * Reads whole documents as they were put, every part of them checked: throws where one is damaged. The function gives
 * undefined for a row that is not there. The hash of a document that was read without a part equals none.
 */
export function recordReader(
  database: Database.Database,
  fingerprint: Fingerprint | undefined,
  { indexed = true, vectors = true }: RecordReaderOptions = {},
): (row: number) => DocumentRecord | undefined {
  const readDocument = database.prepare(
    'SELECT row, id, path, title, language, collection, hash, metadata, characters, outline FROM documents WHERE row = ?',
  );
  const chunksOf = indexed ? chunksByIndex(database, vectors) : chunksByScan(database, vectors);
  const countBlocks = database
    .prepare('SELECT count(*) FROM texts WHERE row >= @first AND row < @first + @most')
    .pluck();
  const open = textReader(database);
  return (wanted) => {
    const row = readDocument.get(wanted) as Row | undefined;
    if (row === undefined) return undefined;
    const stored = open(row);
    const text = stored.slice(0, row.characters);
    if ((countBlocks.get({ first: row.row * blocksPerDocument, most: blocksPerDocument }) as number) > stored.blocks)
      throw corrupt('A text with parts that are not its own');
    const outline = storedOutline(stored.outline);
    const chunks = chunksOf(row.row);
    if (chunks.length === 0) throw corrupt('A document without a chunk');
    const { id, path, title, language, collection, hash } = row;
    if (id === '') throw corrupt('A document without an id');
    return {
      document: { id, text, title, path, language, metadata: storedMetadata(row.metadata), collection },
      hash: (indexed && vectors ? '' : incomplete) + fromStoredHash(hash),
      chunks: chunks.map(({ ordinal, start, end, heading, header, vector, key }, place) => {
        if (ordinal !== place) throw corrupt('A chunk is missing');
        if (!(isPlace(start) && isPlace(end) && start <= end && end <= row.characters))
          throw corrupt('A chunk that is not in its text');
        if (vector !== null && fingerprint === undefined) throw corrupt('A vector of an unknown embedder');
        return {
          start,
          end,
          heading: outline.heading(heading),
          header: outline.header(header),
          ...(vector !== null && { vector: storedVector(vector, fingerprint!.dimensions) }),
          ...(key !== null && { key: keyOf(key) }),
        };
      }),
    };
  };
}

/** What of a chunk is read; the vector is looked up by its own key. */
function chunkColumns(vectors: boolean): string {
  const [value, join] = vectors
    ? ['v.value AS vector, v.key', 'LEFT JOIN vectors v ON v.chunk = c.row']
    : ['NULL AS vector, NULL AS key', ''];
  return `SELECT c.ordinal, c."start", c."end", c.heading, c.header, ${value} FROM chunks c ${join}`;
}

function chunksByIndex(database: Database.Database, vectors: boolean): (document: number) => readonly ChunkRow[] {
  const select = database.prepare(`${chunkColumns(vectors)} WHERE c.document = ? ORDER BY c.ordinal`);
  return (document) => select.all(document) as ChunkRow[];
}

/** Places of chunks in order of their table, kept; their vectors are read when asked for. */
function chunksByScan(database: Database.Database, vectors: boolean): (document: number) => readonly ChunkRow[] {
  let rows: Map<number, number[]> | undefined;
  const select = database.prepare(`${chunkColumns(vectors)} WHERE c.row = ?`);
  return (document) => {
    rows ??= rowsByDocument(database);
    const chunks = (rows.get(document) ?? []).map((row) => select.get(row) as ChunkRow);
    return chunks.sort((a, b) => a.ordinal - b.ordinal);
  };
}

function rowsByDocument(database: Database.Database): Map<number, number[]> {
  const rows = new Map<number, number[]>();
  const all = database.prepare('SELECT row, document FROM chunks NOT INDEXED').raw().iterate();
  let last: number | undefined;
  try {
    for (const [row, document] of all as Iterable<[number, number]>) {
      last = document;
      const own = rows.get(document);
      if (own === undefined) rows.set(document, [row]);
      else own.push(row);
    }
  } catch {
    // What lies behind the damage is lost, perhaps also of the document that it begins in.
    if (last !== undefined) rows.delete(last);
  }
  return rows;
}

/** Damage can put anything into a column, also nothing. */
function isPlace(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function keyOf(key: unknown): string {
  if (!(key instanceof Uint8Array) || key.length === 0) throw corrupt('A key of a vector that is no bytes');
  return Buffer.from(key).toString('hex');
}
