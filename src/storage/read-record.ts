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

/**
 * Reads whole documents as they were put, every part of them checked: throws where one is damaged. The function gives
 * undefined for a row that is not there.
 */
export function recordReader(
  database: Database.Database,
  fingerprint: Fingerprint | undefined,
): (row: number) => DocumentRecord | undefined {
  const readDocument = database.prepare(
    'SELECT row, id, path, title, language, collection, hash, metadata, characters, outline FROM documents WHERE row = ?',
  );
  const readChunks = database.prepare(
    `SELECT c.ordinal, c."start", c."end", c.heading, c.header, v.value AS vector, v.key
     FROM chunks c LEFT JOIN vectors v ON v.chunk = c.row WHERE c.document = ? ORDER BY c.ordinal`,
  );
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
    const chunks = readChunks.all(row.row) as ChunkRow[];
    if (chunks.length === 0) throw corrupt('A document without a chunk');
    const { id, path, title, language, collection, hash } = row;
    if (id === '') throw corrupt('A document without an id');
    return {
      document: { id, text, title, path, language, metadata: storedMetadata(row.metadata), collection },
      hash: fromStoredHash(hash),
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

/** Damage can put anything into a column, also nothing. */
function isPlace(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function keyOf(key: unknown): string {
  if (!(key instanceof Uint8Array) || key.length === 0) throw corrupt('A key of a vector that is no bytes');
  return Buffer.from(key).toString('hex');
}
