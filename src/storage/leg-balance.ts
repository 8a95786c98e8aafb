import type Database from 'better-sqlite3';
import type { LegBalance } from '../core/index.js';

const isShare = (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1;

/** What was measured of the legs, where it was and can be read; it can always be measured again. */
export function readLegBalance(database: Database.Database): LegBalance | undefined {
  const json = database.prepare("SELECT value FROM meta WHERE key = 'leg-balance'").pluck().get();
  try {
    const value = JSON.parse(String(json)) as LegBalance;
    const shares = [value.lexical, value.dense, value.denseWeight];
    return shares.every(isShare) && value.samples > 0 && value.chunks > 0 && typeof value.embedder === 'string'
      ? value
      : undefined;
  } catch {
    return undefined;
  }
}

export function writeLegBalance(database: Database.Database, balance: LegBalance): void {
  database.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('leg-balance', ?)").run(JSON.stringify(balance));
}
