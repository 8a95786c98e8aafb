import type Database from 'better-sqlite3';
import type { DocumentRecord, Fingerprint } from '../core/index.js';
import { writeRecords } from './write.js';

/**
 * Analyses records and writes them as soon as `whenFree` lets it: while a transaction lasts, no other process can write.
 * What analyses is loaded with the first records.
 */
export async function putRecords(
  records: readonly DocumentRecord[],
  fingerprint: Fingerprint | undefined,
  whenFree: (work: (database: Database.Database) => void) => Promise<void>,
): Promise<void> {
  const { analyzeRecords } = await import('./analyze-records.js');
  const analyzed = analyzeRecords(records, fingerprint);
  await whenFree((database) => writeRecords(database, analyzed, fingerprint));
}
