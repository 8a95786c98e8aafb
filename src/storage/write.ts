import type Database from 'better-sqlite3';
import {
  type DocumentRecord,
  describeFingerprint,
  type Fingerprint,
  fingerprintKey,
  indexText,
  SurmiseError,
} from '../core/index.js';
import { analyze, detectLanguage } from '../kernels/index.js';
import { toStoredHash } from './index-version.js';
import { appendSegment, countTerms, type PostingLists } from './segments.js';

/** The language of texts for which none is known: words are folded but not stemmed. */
export const undetermined = 'und';

/** SQLite would keep half a pair as three characters, and all offsets behind it would be wrong. */
const loneSurrogate = /\p{Surrogate}/gu;

/** Replaces and adds documents in one transaction: rows, vectors and postings appear together or not at all. */
export function putDocuments(
  database: Database.Database,
  records: readonly DocumentRecord[],
  fingerprint: Fingerprint | undefined,
): void {
  const removeDocument = database.prepare('DELETE FROM documents WHERE id = ?');
  const addDocument = database.prepare(
    'INSERT INTO documents (id, path, title, language, hash, metadata, characters, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const addChunk = database.prepare(
    'INSERT INTO chunks (document, ordinal, "start", "end", heading, length) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const addVector = database.prepare('INSERT INTO vectors (chunk, value) VALUES (?, ?)');
  const lists: PostingLists = new Map();

  database
    .transaction(() => {
      if (fingerprint !== undefined) keepFingerprint(database, fingerprint);
      for (const { document, hash, chunks } of records) {
        const { id, title = '', path = id, metadata = {} } = document;
        const text = document.text.replace(loneSurrogate, '\ufffd');
        const language = document.language ?? detectLanguage(text) ?? undetermined;
        removeDocument.run(id);
        if (chunks.length === 0) continue;
        const row = addDocument.run(
          id,
          path,
          title,
          language,
          toStoredHash(hash),
          JSON.stringify(metadata),
          text.length,
          text,
        ).lastInsertRowid;
        chunks.forEach(({ start, end, heading = [], vector }, ordinal) => {
          const terms = analyze(indexText(title, heading, text.slice(start, end)), language);
          // A length of 0 marks a row that does not exist.
          const length = Math.max(1, terms.length);
          const chunk = Number(addChunk.run(row, ordinal, start, end, JSON.stringify(heading), length).lastInsertRowid);
          countTerms(lists, chunk, terms);
          if (vector !== undefined) addVector.run(chunk, toBlob(vector, fingerprint));
        });
      }
      appendSegment(database, lists);
    })
    .immediate();
}

/** Removes documents with their chunks and vectors; returns how many there were. */
export function deleteDocuments(database: Database.Database, ids: readonly string[]): number {
  const remove = database.prepare('DELETE FROM documents WHERE id = ?');
  return database.transaction(() => ids.reduce((count, id) => count + remove.run(id).changes, 0)).immediate();
}

function keepFingerprint(database: Database.Database, fingerprint: Fingerprint): void {
  const stored = readFingerprint(database);
  const used = database.prepare('SELECT EXISTS (SELECT 1 FROM vectors)').pluck().get() as number;
  if (stored !== undefined && used === 1 && fingerprintKey(stored) !== fingerprintKey(fingerprint))
    throw new SurmiseError(
      'embedder_mismatch',
      `The index holds vectors of ${describeFingerprint(stored)}; vectors of ${describeFingerprint(fingerprint)} can not join them.`,
    );
  database
    .prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('fingerprint', ?)")
    .run(JSON.stringify(fingerprint));
}

export function readFingerprint(database: Database.Database): Fingerprint | undefined {
  const value = database.prepare("SELECT value FROM meta WHERE key = 'fingerprint'").pluck().get() as
    | string
    | undefined;
  return value === undefined ? undefined : (JSON.parse(value) as Fingerprint);
}

/** Float32, little-endian as on every platform that Node runs on. */
function toBlob(vector: Float32Array, fingerprint: Fingerprint | undefined): Uint8Array {
  if (fingerprint === undefined)
    throw new SurmiseError('bad_argument', 'Vectors need the fingerprint of their embedder.');
  if (vector.length !== fingerprint.dimensions)
    throw new SurmiseError(
      'bad_data',
      `A vector has ${vector.length} dimensions where ${fingerprint.dimensions} are stored.`,
    );
  if (!vector.every(Number.isFinite))
    throw new SurmiseError('bad_data', 'A vector holds a value that is not a finite number.');
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}
