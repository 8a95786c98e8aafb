import type Database from 'better-sqlite3';

/** How far the vectors of an index are, in chunks; the three add up to the chunks of an index that has an embedder. */
export interface VectorCounts {
  readonly complete: number;
  /** Never asked for. */
  readonly pending: number;
  /** Of documents of which the embedder refused texts or stopped before their end; the next run asks for them again. */
  readonly failed: number;
  /** Documents with failed chunks. */
  readonly failedDocuments: number;
}

/** Counted from the rows that there are; nothing is pending where there is no vector at all. */
export function countVectors(database: Database.Database): VectorCounts {
  const count = (sql: string) => database.prepare(sql).pluck().get() as number;
  const complete =
    count('SELECT count(*) FROM vectors WHERE key IS NULL') +
    count('SELECT count(*) FROM vectors WHERE key IS NOT NULL');
  const missing = complete === 0 ? 0 : count('SELECT count(*) FROM chunks') - complete;
  if (missing === 0) return { complete, pending: 0, failed: 0, failedDocuments: 0 };
  // Only documents that are marked are looked into.
  const { failed, failedDocuments } = database
    .prepare(
      `SELECT count(*) AS failed, count(DISTINCT d.row) AS failedDocuments
       FROM documents d JOIN chunks c ON c.document = d.row
       WHERE typeof(d.hash) = 'text' AND d.hash LIKE '%:incomplete:%'
         AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.chunk = c.row)`,
    )
    .get() as { failed: number; failedDocuments: number };
  return { complete, pending: missing - failed, failed, failedDocuments };
}
