import type Database from 'better-sqlite3';
import { chunkId } from '../core/chunk-id.js';
import { corrupt } from './stored.js';

/** What is known of every chunk, by its row; 0 where there is no chunk. */
export interface ChunkRows {
  /** Chunks, and the terms of all of them. */
  readonly size: number;
  readonly terms: number;
  readonly lengths: Uint32Array;
  readonly documents: Uint32Array;
  /** Rows of documents are below this. */
  readonly documentRows: number;
  id(row: number): string;
}

/** Postings hold rows of 32 bits. */
const largestRow = 0xffff_ffff;
/** Rows that are read at once. */
const pageRows = 65_536;
/** Where there are no more documents, the ids of all are read at once: the best of a search are of thousands. */
const fewDocuments = 16_384;

/**
 * Reads the lengths of all chunks. They come as lists in JSON: to step through rows would take five times as long, a good
 * part of what the first search takes.
 */
export function readChunkRows(database: Database.Database): ChunkRows {
  const { bottom, top } = database
    .prepare(
      'SELECT coalesce((SELECT min(row) FROM chunks), 1) AS bottom, coalesce((SELECT max(row) FROM chunks), 0) AS top',
    )
    .get() as { bottom: number; top: number };
  if (bottom < 1 || top > largestRow) throw corrupt('A chunk with a row out of range');
  const lengths = new Uint32Array(top + 1);
  const documents = new Uint32Array(top + 1);
  const ordinals = new Uint32Array(top + 1);
  const columns = ['row', 'length', 'document', 'ordinal'];
  const page = database
    .prepare(
      `SELECT ${columns.map((column) => `json_group_array(${column})`).join(', ')}
       FROM (SELECT ${columns.join(', ')} FROM chunks WHERE row > ? ORDER BY row LIMIT ${pageRows})`,
    )
    .raw();
  let size = 0;
  let terms = 0;
  let lastDocument = 0;
  for (let after = 0; after < top; ) {
    const lists = (page.get(after) as string[]).map((json) => JSON.parse(json) as number[]);
    const [rows, lengthOf, documentOf, ordinalOf] = lists as [number[], number[], number[], number[]];
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at]!;
      if (!(lengthOf[at]! >= 1)) throw corrupt('A chunk with a length out of range');
      lengths[row] = lengthOf[at]!;
      documents[row] = documentOf[at]!;
      ordinals[row] = ordinalOf[at]!;
      terms += lengthOf[at]!;
      lastDocument = Math.max(lastDocument, documentOf[at]!);
    }
    size += rows.length;
    after = rows.at(-1) ?? top;
  }
  if (lastDocument >= largestRow) throw corrupt('A document with a row out of range');
  const documentId = documentIds(database, lastDocument);
  const ids: string[] = [];
  const id = (row: number) => (ids[row] ??= chunkId(documentId(documents[row] ?? 0), ordinals[row]!));
  return { size, terms, lengths, documents, documentRows: lastDocument + 1, id };
}

function documentIds(database: Database.Database, lastRow: number): (row: number) => string {
  const one = database.prepare('SELECT id FROM documents WHERE row = ?').pluck();
  let all: Map<number, string> | undefined;
  return (row) => {
    if (lastRow <= fewDocuments)
      all ??= new Map(database.prepare('SELECT row, id FROM documents').raw().all() as [number, string][]);
    const id = all === undefined ? (one.get(row) as string | undefined) : all.get(row);
    if (id === undefined) throw corrupt('A chunk or vector without its document');
    return id;
  };
}
