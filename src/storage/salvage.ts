import { constants, copyFileSync, linkSync, renameSync, rmSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { SurmiseError } from '../core/errors.js';
import type { DocumentRecord, Fingerprint } from '../core/ports.js';
import { analyzeRecords } from './analyze-records.js';
import { checkAtOnce } from './check.js';
import { emptyLog } from './compact.js';
import { openDatabase } from './open.js';
import { readFingerprint } from './read.js';
import { recordReader } from './read-record.js';
import { corrupt } from './stored.js';
import { blocksPerDocument } from './text-blocks.js';
import { writeRecords } from './write.js';

const batchDocuments = 200;
/** Rows that are passed over at a time where pages can not be read; doubled up to this as long as nothing follows. */
const longestStep = 4_096;
/** So often in a row; what names the highest row may be damaged as well. */
const maxSteps = 5_000;

interface Salvage {
  readonly documents: number;
  /** Documents that could not be read, as far as they could be counted. */
  readonly lost: number;
}

/**
 * Writes what can be read of a damaged file into a new one at `draft`, and verifies that.
 *
 * @throws SurmiseError `index_damaged` where nothing can be read
 */
export function salvage(damaged: Database.Database, path: string, draft: string): Salvage {
  for (const file of filesOf(draft)) rmSync(file, { force: true });
  const fresh = openDatabase(draft, 'write');
  try {
    const fingerprint = attempt(() => readFingerprint(damaged));
    const result = copyDocuments(damaged, fresh, fingerprint);
    const rows = attempt(() => damaged.prepare('SELECT name, settings FROM collections').raw().all()) ?? [];
    const add = fresh.prepare('INSERT OR IGNORE INTO collections (name, settings) VALUES (?, ?)');
    for (const row of rows) attempt(() => add.run(...(row as [string, string])));
    if (result.documents === 0)
      throw new SurmiseError(
        'index_damaged',
        `Nothing can be read of the index ${path}. Move it away and index again, or restore a copy.`,
      );
    if (checkAtOnce(fresh).problems.length > 0) throw new SurmiseError('internal', 'The repaired index is not whole.');
    emptyLog(fresh);
    fresh.close();
    return result;
  } catch (error) {
    fresh.close();
    for (const file of filesOf(draft)) rmSync(file, { force: true });
    throw error;
  }
}

function copyDocuments(from: Database.Database, to: Database.Database, fingerprint: Fingerprint | undefined): Salvage {
  // Each way needs less of the file than the one before.
  const readers = [
    recordReader(from, fingerprint),
    recordReader(from, fingerprint, { indexed: false }),
    recordReader(from, fingerprint, { vectors: false }),
    recordReader(from, fingerprint, { indexed: false, vectors: false }),
  ];
  const readRecord = (row: number) => {
    for (const read of readers) {
      const record = attempt(() => read(row));
      if (record !== undefined) return record;
    }
    return undefined;
  };
  const next = from.prepare('SELECT row FROM documents WHERE row > ? ORDER BY row LIMIT 1').pluck();
  const highest = lastDocument(from);
  let batch: DocumentRecord[] = [];
  let documents = 0;
  let lost = 0;
  const write = (records: readonly DocumentRecord[]) => {
    writeRecords(to, analyzeRecords(records, fingerprint), fingerprint);
    documents += records.length;
    return true;
  };
  const flush = () => {
    // One that can be read but not be written again must not keep the others from it.
    if (!attempt(() => write(batch))) for (const record of batch) if (!attempt(() => write([record]))) lost++;
    batch = [];
  };
  let step = 1;
  let steps = 0;
  for (let after = 0; ; ) {
    let row: number | undefined;
    try {
      row = next.get(after) as number | undefined;
      if (row !== undefined && row <= after) throw corrupt('Rows that are not in order');
      step = 1;
      steps = 0;
    } catch {
      // The page that holds what follows can not be read: further on there may be pages that can.
      if (after >= highest || ++steps > maxSteps) break;
      after += step;
      step = Math.min(step * 2, longestStep);
      continue;
    }
    if (row === undefined) break;
    after = row;
    const record = readRecord(row);
    if (record === undefined) lost++;
    else batch.push(record);
    if (batch.length >= batchDocuments) flush();
  }
  flush();
  return { documents, lost };
}

/** A bound for the rows of documents: the highest that any table names. */
function lastDocument(database: Database.Database): number {
  const queries = [
    'SELECT max(row) FROM documents',
    'SELECT max(document) FROM chunks',
    `SELECT max(row) / ${blocksPerDocument} FROM texts`,
  ];
  const rows = queries.map((query) => attempt(() => database.prepare(query).pluck().get() as number | null) ?? 0);
  return Math.max(...rows);
}

/** Goes without a log, which only the one process may that has the file open. @throws SQLITE_BUSY where others have */
export function stayAlone(damaged: Database.Database): void {
  damaged.pragma('journal_mode = DELETE');
}

/** The opposite, as far as the damage allows. */
export function keepLog(damaged: Database.Database): void {
  attempt(() => damaged.pragma('journal_mode = WAL'));
}

/**
 * Puts the draft in the place of the index, which stays beside it; returns its new name. At every moment there is a whole
 * file at the place. `damaged` must be the only connection (`stayAlone`): a log that stayed would be taken for one of the
 * new file. It is closed.
 */
export function swapFiles(damaged: Database.Database, path: string, draft: string): string {
  damaged.close();
  const kept = keep(path);
  renameSync(draft, path);
  for (const file of filesOf(draft)) rmSync(file, { force: true });
  return kept;
}

/** A second name for the file, one that no earlier damaged file has. */
function keep(path: string): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? `${path}.damaged` : `${path}.damaged-${number}`;
    try {
      linkSync(path, name);
      return name;
    } catch (error) {
      if (isTaken(error)) continue;
    }
    try {
      // A file system without links.
      copyFileSync(path, name, constants.COPYFILE_EXCL);
      return name;
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
}

function isTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EEXIST';
}

function filesOf(path: string): string[] {
  return ['', '-wal', '-shm', '-journal'].map((suffix) => path + suffix);
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
