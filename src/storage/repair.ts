import type Database from 'better-sqlite3';
import { checkAtOnce, orphans } from './check.js';
import { chunkTerms } from './chunk-terms.js';
import { renumber } from './compact.js';
import type { Findings } from './findings.js';
import { storedOutline } from './outline.js';
import { createPostingLists } from './posting-lists.js';
import { appendSegment } from './segments.js';
import { type StoredDocument, type StoredText, textReader } from './text-blocks.js';

/** Chunks of one segment. */
const segmentChunks = 5_000;

/**
 * Removes documents that are damaged and rows that belong to nothing, and makes the postings anew from the texts. One
 * transaction, which looks itself: what was seen before may have changed. SQLite's pages must be whole.
 */
export function repairRows(database: Database.Database): Findings {
  return database
    .transaction(() => {
      const findings = checkAtOnce(database);
      if (findings.problems.length === 0) return findings;
      const removeDocument = database.prepare('DELETE FROM documents WHERE row = ?');
      for (const row of findings.damaged.keys()) removeDocument.run(row);
      for (const { table, where } of orphans) database.exec(`DELETE FROM ${table} WHERE ${where}`);
      if (findings.has('fingerprint'))
        // Nobody can say what these vectors are of; without their hash the documents are embedded again.
        database.exec(
          "DELETE FROM vectors; DELETE FROM meta WHERE key = 'fingerprint'; UPDATE documents SET hash = ''",
        );
      rebuildPostings(database);
      return findings;
    })
    .immediate();
}

function rebuildPostings(database: Database.Database): void {
  database.exec('DELETE FROM postings; DELETE FROM segments');
  renumber(database);
  const readDocument = database.prepare(
    'SELECT row, title, language, characters, outline FROM documents WHERE row = ?',
  );
  const next = database.prepare(
    'SELECT row, document, "start", "end", heading, header, length FROM chunks WHERE row > ? ORDER BY row LIMIT 1',
  );
  const setLength = database.prepare('UPDATE chunks SET length = ? WHERE row = ?');
  const open = textReader(database);
  let document: (StoredDocument & { title: string; language: string; text: StoredText }) | undefined;
  let lists = createPostingLists();
  let firstRow = 1;
  const flush = () => {
    appendSegment(database, lists, firstRow);
    firstRow += lists.chunks;
    lists = createPostingLists();
  };
  for (let chunk = next.get(0) as ChunkRow | undefined; chunk !== undefined; ) {
    if (document?.row !== chunk.document) {
      const row = readDocument.get(chunk.document) as StoredDocument & { title: string; language: string };
      document = { ...row, text: open(row) };
    }
    const { text } = document;
    const outline = storedOutline(text.outline);
    const { terms, length } = chunkTerms(document, {
      heading: outline.heading(chunk.heading),
      header: outline.header(chunk.header),
      said: text.slice(chunk.start, chunk.end),
    });
    lists.add(terms);
    if (length !== chunk.length) setLength.run(length, chunk.row);
    if (lists.chunks >= segmentChunks) flush();
    chunk = next.get(chunk.row) as ChunkRow | undefined;
  }
  flush();
}

interface ChunkRow {
  readonly row: number;
  readonly document: number;
  readonly start: number;
  readonly end: number;
  readonly heading: number | null;
  readonly header: number | null;
  readonly length: number;
}
