import { statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { type Chunk, chunkId, parseChunkId, type StoreInfo } from '../core/index.js';
import { readFingerprint } from './write.js';

/** Counts and identity, without reading a text. */
export function readInfo(database: Database.Database, path: string): StoreInfo {
  const counts = database
    .prepare(
      `SELECT (SELECT count(*) FROM documents) AS documents, (SELECT count(*) FROM chunks) AS chunks,
              (SELECT count(*) FROM vectors) AS vectors, (SELECT coalesce(sum(characters), 0) FROM documents) AS characters`,
    )
    .get() as { documents: number; chunks: number; vectors: number; characters: number };
  const languages = database
    .prepare(
      'SELECT d.language, count(*) AS chunks FROM chunks c JOIN documents d ON d.row = c.document GROUP BY 1 ORDER BY 2 DESC, 1',
    )
    .raw()
    .all() as [string, number][];
  // Kept when the last vector goes, but then it binds nobody.
  const fingerprint = counts.vectors > 0 ? readFingerprint(database) : undefined;
  return {
    ...counts,
    ...(fingerprint && { fingerprint }),
    languages: Object.fromEntries(languages),
    location: path,
    bytes: path === ':memory:' ? 0 : statSync(path).size,
  };
}

interface ChunkRow {
  readonly document: string;
  readonly path: string;
  readonly title: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly heading: string;
  readonly vector: Buffer | null;
}

/** Chunks by id in the order asked; ids that are not there are left out. */
export function readChunks(database: Database.Database, ids: readonly string[], vectors: boolean): Chunk[] {
  const read = database.prepare(
    `SELECT d.id AS document, d.path, d.title, d.text, c."start", c."end", c.heading, ${vectors ? 'v.value' : 'NULL'} AS vector
     FROM documents d JOIN chunks c ON c.document = d.row ${vectors ? 'LEFT JOIN vectors v ON v.chunk = c.row' : ''}
     WHERE d.id = ? AND c.ordinal = ?`,
  );
  return ids.flatMap((id) => {
    const { document, ordinal } = parseChunkId(id);
    const row = read.get(document, ordinal) as ChunkRow | undefined;
    if (row === undefined) return [];
    const { text, vector, heading, ...rest } = row;
    return [
      {
        ...rest,
        id: chunkId(document, ordinal),
        heading: JSON.parse(heading) as string[],
        text: text.slice(row.start, row.end),
        ...(vector && { vector: new Float32Array(Uint8Array.from(vector).buffer) }),
      },
    ];
  });
}
