import type Database from 'better-sqlite3';
import { SurmiseError } from '../core/errors.js';
import { describeFingerprint, fingerprintKey } from '../core/fingerprint.js';
import type { Fingerprint } from '../core/ports.js';
import type { analyzeRecords } from './analyze-records.js';
import { fingerprintJson } from './check-records.js';
import { compactWhenDue, lastRow } from './compact.js';
import { toStoredHash } from './index-version.js';
import { readFingerprint } from './read.js';
import { appendSegment } from './segments.js';
import { textWriter } from './text-blocks.js';

/** Replaces and adds documents in one transaction: rows, vectors and postings appear together or not at all. */
export function writeRecords(
  database: Database.Database,
  analyzed: ReturnType<typeof analyzeRecords>,
  fingerprint: Fingerprint | undefined,
): void {
  const removeDocument = database.prepare('DELETE FROM documents WHERE id = ?');
  const addDocument = database.prepare(
    `INSERT INTO documents (id, own_path, title, language, collection, hash, metadata, characters, outline)
     VALUES (@id, @ownPath, @title, @language, @collection, @hash, @metadata, @characters, @outline)`,
  );
  const addText = textWriter(database);
  const addChunk = database.prepare(
    'INSERT INTO chunks (row, document, ordinal, "start", "end", heading, header, length) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const addVector = database.prepare('INSERT INTO vectors (chunk, value, key) VALUES (?, ?, ?)');

  database
    .transaction(() => {
      if (fingerprint !== undefined) keepFingerprint(database, fingerprint);
      const firstRow = lastRow(database) + 1;
      let row = firstRow;
      for (const { text, chunks, ...record } of analyzed.records) {
        removeDocument.run(record.id);
        if (chunks.length === 0) continue;
        const ownPath = record.path === record.id ? null : record.path;
        const added = addDocument.run({ ...record, ownPath, hash: toStoredHash(record.hash) });
        const document = Number(added.lastInsertRowid);
        addText(document, text);
        chunks.forEach(({ start, end, heading, header, length, vector, key }, ordinal) => {
          addChunk.run(row, document, ordinal, start, end, heading, header, length);
          if (vector !== undefined) addVector.run(row, vector, key);
          row++;
        });
      }
      appendSegment(database, analyzed.lists, firstRow);
      compactWhenDue(database);
    })
    .immediate();
}

function keepFingerprint(database: Database.Database, fingerprint: Fingerprint): void {
  const used = database.prepare('SELECT EXISTS (SELECT 1 FROM vectors)').pluck().get() as number;
  const stored = used === 1 ? readFingerprint(database) : undefined;
  if (stored !== undefined && fingerprintKey(stored) !== fingerprintKey(fingerprint))
    throw new SurmiseError(
      'embedder_mismatch',
      `The index holds vectors of ${describeFingerprint(stored)}; vectors of ${describeFingerprint(fingerprint)} can not join them.`,
    );
  database
    .prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('fingerprint', ?)")
    .run(fingerprintJson(fingerprint));
}
