import { statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { chunkId, parseChunkId } from '../core/chunk-id.js';
import type { Chunk, Fingerprint, StoreInfo } from '../core/ports.js';
import { readLegBalance } from './leg-balance.js';
import { storedOutline } from './outline.js';
import { storedFingerprint, storedVector } from './stored.js';
import { textReader } from './text-blocks.js';

/** Counts and identity, without reading a text. */
export function readInfo(database: Database.Database, path: string, version: string): StoreInfo {
  const counts = database
    .prepare(
      `SELECT (SELECT count(*) FROM documents) AS documents, (SELECT count(*) FROM chunks) AS chunks,
              (SELECT count(*) FROM vectors WHERE key IS NULL)
                + (SELECT count(*) FROM vectors WHERE key IS NOT NULL) AS vectors,
              (SELECT coalesce(sum(characters), 0) FROM documents) AS characters`,
    )
    .get() as { documents: number; chunks: number; vectors: number; characters: number };
  const languages = database
    .prepare(
      `SELECT language, sum(chunks) FROM documents
       JOIN (SELECT document, count(*) AS chunks FROM chunks GROUP BY document) ON document = row
       GROUP BY 1 ORDER BY 2 DESC, 1`,
    )
    .raw()
    .all() as [string, number][];
  const collections = database
    .prepare("SELECT collection, count(*) FROM documents WHERE collection != '' GROUP BY 1 ORDER BY 1")
    .raw()
    .all() as [string, number][];
  // Kept when the last vector goes, but then it binds nobody.
  const fingerprint = counts.vectors > 0 ? readFingerprint(database) : undefined;
  const legBalance = fingerprint === undefined ? undefined : readLegBalance(database);
  return {
    version,
    ...counts,
    ...(fingerprint && { fingerprint }),
    ...(legBalance && { legBalance }),
    languages: Object.fromEntries(languages),
    collections: Object.fromEntries(collections),
    location: path,
    bytes: path === ':memory:' ? 0 : sizeOf(path) + sizeOf(`${path}-wal`),
  };
}

/** What was written last may be in the log beside the file; the log is not always there. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

export function readFingerprint(database: Database.Database): Fingerprint | undefined {
  const value = database.prepare("SELECT value FROM meta WHERE key = 'fingerprint'").pluck().get() as
    | string
    | undefined;
  return value === undefined ? undefined : storedFingerprint(value);
}

interface DocumentRow {
  readonly row: number;
  readonly path: string;
  readonly title: string;
  readonly outline: number;
  readonly characters: number;
}

interface ChunkRow {
  readonly start: number;
  readonly end: number;
  readonly heading: number | null;
  readonly header: number | null;
  readonly vector: Buffer | null;
}

/** Chunks by id in the order asked; ids that are not there are left out. */
export function readChunks(database: Database.Database, ids: readonly string[], vectors: boolean): Chunk[] {
  const readDocument = database.prepare('SELECT row, path, title, outline, characters FROM documents WHERE id = ?');
  const readChunk = database.prepare(
    `SELECT c."start", c."end", c.heading, c.header, ${vectors ? 'v.value' : 'NULL'} AS vector
     FROM chunks c ${vectors ? 'LEFT JOIN vectors v ON v.chunk = c.row' : ''}
     WHERE c.document = ? AND c.ordinal = ?`,
  );
  const openText = textReader(database);
  const dimensions = vectors ? (readFingerprint(database)?.dimensions ?? 0) : 0;
  const found = new Map<string, Chunk>();
  // Document by document, so that what they share is read once.
  for (const [document, ordinals] of ordinalsByDocument(ids)) {
    const row = readDocument.get(document) as DocumentRow | undefined;
    if (row === undefined) continue;
    const { path, title } = row;
    const text = openText(row);
    const outline = storedOutline(text.outline);
    for (const ordinal of [...ordinals].sort((a, b) => a - b)) {
      const chunk = readChunk.get(row.row, ordinal) as ChunkRow | undefined;
      if (chunk === undefined) continue;
      const { start, end, vector } = chunk;
      const header = outline.header(chunk.header);
      const id = chunkId(document, ordinal);
      found.set(id, {
        id,
        document,
        path,
        title,
        start,
        end,
        heading: outline.heading(chunk.heading),
        ...(header !== '' && { header }),
        text: text.slice(start, end),
        ...(vector && { vector: storedVector(vector, dimensions) }),
      });
    }
  }
  return ids.flatMap((id) => found.get(id) ?? []);
}

function ordinalsByDocument(ids: readonly string[]): Map<string, Set<number>> {
  const grouped = new Map<string, Set<number>>();
  for (const { document, ordinal } of ids.map(parseChunkId)) {
    if (Number.isNaN(ordinal)) continue;
    const ordinals = grouped.get(document);
    if (ordinals === undefined) grouped.set(document, new Set([ordinal]));
    else ordinals.add(ordinal);
  }
  return grouped;
}
