import type Database from 'better-sqlite3';
import { messageOf } from '../core/errors.js';
import { checkPostings } from './check-postings.js';
import { createFindings, type Findings } from './findings.js';
import { readFingerprint } from './read.js';
import { recordReader } from './read-record.js';
import { corrupt } from './stored.js';
import { blocksPerDocument } from './text-blocks.js';

export interface CheckProgress {
  readonly documents: number;
  readonly of: number;
}

/** Rows that refer to what is not there; SQLite's own check knows those of declared references only. */
export const orphans = [
  { table: 'chunks', where: 'document NOT IN (SELECT row FROM documents)' },
  { table: 'vectors', where: 'chunk NOT IN (SELECT row FROM chunks)' },
  { table: 'texts', where: `row / ${blocksPerDocument} NOT IN (SELECT row FROM documents)` },
  { table: 'postings', where: 'segment NOT IN (SELECT id FROM segments)' },
] as const;

/** SQLite stops looking after so many. */
const maxFileProblems = 100;

/**
 * Looks at everything: SQLite's pages, that every reference leads somewhere, every document with its text, chunks and
 * vectors, all postings, and that the terms of each chunk are as many as its length says. Yields while it works, so that
 * its caller may do something else; runs inside the caller's transaction.
 *
 * What it can not see: texts have a checksum, other values have none. A byte that has changed in a vector, a title, a path,
 * metadata, a hash or a position is seen only where the value then has a form that it can not have (a number that is not
 * finite, metadata that is no JSON, a chunk outside of its text).
 */
export function* checkIndex(database: Database.Database): Generator<CheckProgress, Findings> {
  const findings = createFindings();
  const attempt = <T>(kind: 'file' | 'fingerprint', work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      findings.add(kind, messageOf(error));
      return undefined;
    }
  };
  attempt('file', () => {
    const said = database.prepare(`PRAGMA integrity_check(${maxFileProblems})`).pluck().all() as string[];
    for (const problem of said) if (problem !== 'ok') findings.add('file', problem);
  });
  for (const { table, where } of orphans) {
    const count = `SELECT count(*) FROM ${table} WHERE ${where}`;
    const lost = attempt('file', () => database.prepare(count).pluck().get() as number) ?? 0;
    if (lost > 0) findings.add('references', `${lost} rows of ${table} belong to nothing`, lost);
  }
  const fingerprint = attempt('fingerprint', () => readFingerprint(database));
  const known = attempt('file', () => database.prepare('SELECT count(*) FROM documents').pluck().get() as number) ?? 0;
  yield* checkDocuments(database, findings, recordReader(database, fingerprint), known);
  yield* checkPostings(database, findings, { documents: known, of: known });
  return findings;
}

/** The whole check at once. */
export function checkAtOnce(database: Database.Database): Findings {
  const steps = checkIndex(database);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

function* checkDocuments(
  database: Database.Database,
  findings: Findings,
  readRecord: ReturnType<typeof recordReader>,
  of: number,
): Generator<CheckProgress> {
  const next = database.prepare('SELECT row, id FROM documents WHERE row > ? ORDER BY row LIMIT 1').raw();
  let documents = 0;
  for (let after = Number.MIN_SAFE_INTEGER; ; documents++) {
    let found: [number, string] | undefined;
    try {
      found = next.get(after) as [number, string] | undefined;
      if (found !== undefined && found[0] <= after) throw corrupt('Rows of documents that are not in order');
    } catch (error) {
      findings.add('file', messageOf(error));
      return;
    }
    if (found === undefined) return;
    const [row, id] = found;
    try {
      readRecord(row);
    } catch (error) {
      findings.addDocument(row, id, messageOf(error));
    }
    after = row;
    yield { documents, of };
  }
}
