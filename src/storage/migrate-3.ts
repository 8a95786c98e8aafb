import type Database from 'better-sqlite3';
import { decodePostings, type Postings } from '../kernels/postings.js';
import { encodeList, type List } from './list-bytes.js';
import { createOutline } from './outline.js';
import { livePostings, writeSegment } from './segments.js';
import { corrupt, decoded } from './stored.js';
import { textWriter, toTextBlocks } from './text-blocks.js';

/** The tables of version 3 that are new or changed. The number in the trigger is that of `text-blocks.ts`. */
const tables = `
  CREATE TABLE collections (name TEXT PRIMARY KEY, settings TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE documents (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    own_path TEXT,
    path TEXT NOT NULL GENERATED ALWAYS AS (coalesce(own_path, id)) VIRTUAL,
    title TEXT NOT NULL,
    language TEXT NOT NULL,
    collection TEXT NOT NULL,
    hash TEXT NOT NULL,
    metadata TEXT NOT NULL,
    characters INTEGER NOT NULL,
    outline INTEGER NOT NULL
  );
  CREATE TABLE texts (row INTEGER PRIMARY KEY, "start" INTEGER NOT NULL, data BLOB NOT NULL);
  CREATE TRIGGER texts_go_with_documents AFTER DELETE ON documents BEGIN
    DELETE FROM texts WHERE row BETWEEN old.row * 1048576 AND old.row * 1048576 + 1048575;
  END;
  CREATE TABLE chunks (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL REFERENCES documents (row) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    "start" INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    heading INTEGER,
    header INTEGER,
    length INTEGER NOT NULL,
    UNIQUE (document, ordinal)
  );
  CREATE TABLE segments (
    id INTEGER PRIMARY KEY,
    tier INTEGER NOT NULL,
    first_row INTEGER NOT NULL,
    last_row INTEGER NOT NULL
  );
  CREATE TABLE postings (
    row INTEGER PRIMARY KEY,
    segment INTEGER NOT NULL REFERENCES segments (id),
    first_term BLOB NOT NULL,
    data BLOB NOT NULL,
    UNIQUE (segment, first_term)
  );
`;

/** Four bytes of a key leave few vectors to look at, and take a quarter of the room. */
const keys = `
  DROP INDEX vectors_by_key;
  CREATE INDEX vectors_by_key ON vectors (substr(key, 1, 4)) WHERE key IS NOT NULL;
`;

const changed = ['documents', 'chunks', 'segments', 'postings'] as const;

/** Texts out of the documents into compressed blocks, postings into blocks of terms, headings once for each document. */
export function moveTo3(database: Database.Database): void {
  // Names in references of other tables stay as they are.
  database.pragma('legacy_alter_table = ON');
  for (const table of changed) database.exec(`ALTER TABLE ${table} RENAME TO old_${table}`);
  database.exec(tables);
  database.exec(keys);
  const lastRow = moveDocuments(database);
  const live = new Set(database.prepare('SELECT row FROM chunks').pluck().all() as number[]);
  if (live.size > 0) writeSegment(database, { tier: 0, first: 1, last: lastRow }, liveLists(database, live));
  for (const table of changed.toReversed()) database.exec(`DROP TABLE old_${table}`);
  database.pragma('legacy_alter_table = OFF');
}

/** Returns the highest row that was ever given to a chunk. */
function moveDocuments(database: Database.Database): number {
  const addDocument = database.prepare(
    `INSERT INTO documents (row, id, own_path, title, language, collection, hash, metadata, characters, outline)
     SELECT row, id, nullif(path, id), title, language, '', hash, metadata, characters, ? FROM old_documents WHERE row = ?`,
  );
  const addText = textWriter(database);
  const chunksOf = database
    .prepare('SELECT row, ordinal, "start", "end", heading, length FROM old_chunks WHERE document = ? ORDER BY ordinal')
    .raw();
  const addChunk = database.prepare(
    'INSERT INTO chunks (row, document, ordinal, "start", "end", heading, length) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const next = database
    .prepare('SELECT row, text, characters FROM old_documents WHERE row > ? ORDER BY row LIMIT 1')
    .raw();
  // One by one: an open statement would keep others from writing.
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const found = next.get(after) as [number, unknown, number] | undefined;
    if (found === undefined) break;
    const [document, text, characters] = found;
    if (typeof text !== 'string' || text.length !== characters)
      throw corrupt('A text that is longer or shorter than it was');
    const outline = createOutline();
    const chunks = (chunksOf.all(document) as [number, number, number, number, string, number][]).map(
      ([row, ordinal, start, end, json, length]) => {
        const heading = decoded('a heading', () => JSON.parse(json) as string[]);
        return [row, document, ordinal, start, end, outline.place(heading), length];
      },
    );
    addDocument.run(outline.json().length, document);
    addText(document, toTextBlocks(outline.json(), text));
    for (const chunk of chunks) addChunk.run(...chunk);
    after = document;
  }
  const given = database.prepare("SELECT max(seq) FROM sqlite_sequence WHERE name IN ('chunks', 'old_chunks')").pluck();
  const lastRow = (given.get() as number | null) ?? 0;
  database.prepare("UPDATE sqlite_sequence SET seq = ? WHERE name = 'chunks'").run(lastRow);
  return lastRow;
}

function* liveLists(database: Database.Database, live: ReadonlySet<number>): Generator<readonly [Buffer, List]> {
  const next = database.prepare('SELECT term FROM old_postings WHERE term > ? ORDER BY term LIMIT 1').pluck();
  const select = database.prepare('SELECT data FROM old_postings WHERE term = ? ORDER BY segment').pluck();
  // SQLite orders texts by their bytes, as the blocks are.
  for (let term = ''; ; ) {
    const found = next.get(term) as string | undefined;
    if (found === undefined) return;
    term = found;
    const parts = (select.all(term) as Buffer[]).map((data) => decoded('postings', () => decodePostings(data)));
    const postings = livePostings(concatenated(parts), (row) => live.has(row));
    if (postings.rows.length > 0) yield [Buffer.from(term), encodeList(postings)];
  }
}

function concatenated(parts: readonly Postings[]): Postings {
  const join = (arrays: readonly Uint32Array[]) => Uint32Array.from(arrays.flatMap((array) => [...array]));
  return { rows: join(parts.map(({ rows }) => rows)), frequencies: join(parts.map(({ frequencies }) => frequencies)) };
}
