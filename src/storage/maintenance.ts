import { setImmediate as turn } from 'node:timers/promises';
import { SurmiseError } from '../core/errors.js';
import { type CheckProgress, checkAtOnce, checkIndex } from './check.js';
import type { Connection } from './connection.js';
import { type CheckProblem, type Findings, maxNamedDocuments } from './findings.js';
import { openDatabase } from './open.js';
import { asSurmiseError } from './sqlite-errors.js';

export interface CheckOptions {
  /** Removes what is damaged and makes anew what can be made. Needs an index that is open for writing. */
  readonly repair?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: CheckProgress) => void;
}

export interface CheckReport {
  /** Empty where the index is whole. */
  readonly problems: readonly CheckProblem[];
  readonly damaged: {
    readonly documents: number;
    /** Their ids, 1,000 at most. */
    readonly ids: readonly string[];
  };
  readonly repair?: RepairReport;
}

/** Documents that were removed are added again by the next `surmise index`, as long as their files are there. */
export interface RepairReport {
  readonly removed: number;
  /** Where the damaged file is kept, if it had to be replaced. */
  readonly kept?: string;
}

/** The event loop gets a turn so often. */
const turnMs = 50;

/** @throws SurmiseError `aborted`, and with `repair` `index_busy`, `index_damaged`, `storage_failed` */
export async function checkFile(connection: Connection, options: CheckOptions = {}): Promise<CheckReport> {
  const found = await look(connection, options);
  const damaged = { documents: found.damaged.size, ids: [...found.damaged.values()].slice(0, maxNamedDocuments) };
  const report = { problems: found.problems, damaged };
  if (options.repair !== true || found.problems.length === 0) return report;
  return { ...report, repair: await repair(connection, found) };
}

/** Looks through a connection of its own, which sees one moment while others read and write. */
async function look(connection: Connection, { signal, onProgress }: CheckOptions): Promise<Findings> {
  const { path, memory } = connection;
  if (memory) return connection.read(checkAtOnce);
  connection.check();
  const database = openDatabase(path, 'read');
  try {
    database.exec('BEGIN');
    const steps = checkIndex(database);
    for (let last = performance.now(); ; ) {
      const step = steps.next();
      if (step.done) return step.value;
      if (performance.now() - last < turnMs) continue;
      onProgress?.(step.value);
      await turn();
      if (signal?.aborted) throw new SurmiseError('aborted', 'The check was cancelled.', { cause: signal.reason });
      last = performance.now();
    }
  } catch (error) {
    throw asSurmiseError(error, path);
  } finally {
    database.close();
  }
}

/** Loads what makes postings anew, which nothing else here needs. */
async function repair(connection: Connection, found: Findings): Promise<RepairReport> {
  const { path, memory } = connection;
  if (!found.has('file') || memory) {
    const { repairRows } = await import('./repair.js');
    const repaired = await connection.write(repairRows);
    if (!repaired.has('file')) return { removed: repaired.damaged.size };
  }
  const { keepLog, salvage, stayAlone, swapFiles } = await import('./salvage.js');
  return connection.replace((database) => {
    const draft = `${path}.repair`;
    try {
      stayAlone(database);
      const { lost } = salvage(database, path, draft);
      return { removed: lost, kept: swapFiles(database, path, draft) };
    } catch (error) {
      if (database.open) keepLog(database);
      throw error;
    }
  });
}
