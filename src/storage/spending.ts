import type Database from 'better-sqlite3';

/** What an embedder was asked for this index, in all runs that could write it down. */
export interface Spending {
  /** `provider/model`. */
  readonly embedder: string;
  readonly texts: number;
  /** About. */
  readonly tokens: number;
  /** Where the price was known; what was embedded without one is not in it. */
  readonly cost?: { readonly amount: number; readonly currency: string };
}

/** In the order in which embedders were first used; what can not be read counts as nothing. */
export function readSpending(database: Database.Database): Spending[] {
  const json = database.prepare("SELECT value FROM meta WHERE key = 'spending'").pluck().get();
  try {
    const list: unknown = JSON.parse(String(json));
    return Array.isArray(list) ? list.filter(isSpending) : [];
  } catch {
    return [];
  }
}

/** Adds to what the same embedder was asked before; costs in another currency than before begin anew. */
export function addSpending(database: Database.Database, more: Spending): void {
  const list = readSpending(database);
  const before = list.find(({ embedder }) => embedder === more.embedder);
  const cost = more.cost ?? before?.cost;
  const sum: Spending = {
    embedder: more.embedder,
    texts: (before?.texts ?? 0) + more.texts,
    tokens: (before?.tokens ?? 0) + more.tokens,
    ...(cost && {
      cost: { amount: amountIn(before, cost.currency) + amountIn(more, cost.currency), currency: cost.currency },
    }),
  };
  const sums = before === undefined ? [...list, sum] : list.map((entry) => (entry === before ? sum : entry));
  database.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('spending', ?)").run(JSON.stringify(sums));
}

function amountIn(spending: Spending | undefined, currency: string): number {
  return spending?.cost?.currency === currency ? spending.cost.amount : 0;
}

function isSpending(value: unknown): value is Spending {
  const { embedder, texts, tokens, cost } = (value ?? {}) as Partial<Spending>;
  const isCount = (count: unknown) => typeof count === 'number' && count >= 0;
  return (
    typeof embedder === 'string' &&
    isCount(texts) &&
    isCount(tokens) &&
    (cost === undefined || (isCount(cost?.amount) && typeof cost.currency === 'string'))
  );
}
