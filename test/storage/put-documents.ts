import type Database from 'better-sqlite3';
import type { DocumentRecord, Fingerprint } from '../../src/core/ports.js';
import { analyzeRecords } from '../../src/storage/analyze-records.js';
import { writeRecords } from '../../src/storage/write.js';

/** Puts through a connection of the test's own. */
export function putDocuments(
  database: Database.Database,
  records: readonly DocumentRecord[],
  fingerprint: Fingerprint | undefined,
): void {
  writeRecords(database, analyzeRecords(records, fingerprint), fingerprint);
}
