import { createTokenBudget, type Embedder, SurmiseError, type TokenBudget } from '../core/index.js';
import type { SqliteStore } from '../storage/index.js';

export interface BudgetOptions {
  readonly maxTokens?: number;
  /** US dollars. */
  readonly maxCost?: number;
}

/** What something costs, about. */
export interface Cost {
  readonly amount: number;
  readonly currency: string;
}

/**
 * What one command may embed, all of its sources and all runs of a watch together.
 *
 * @throws SurmiseError `bad_argument` for a cost where nothing is embedded or the price is not known
 */
export function indexBudget(
  { maxTokens, maxCost }: BudgetOptions,
  embedder: Embedder | undefined,
): TokenBudget | undefined {
  const bounds = [maxTokens, maxCost === undefined ? undefined : tokensFor(maxCost, embedder)];
  const least = Math.min(...bounds.map((bound) => bound ?? Number.POSITIVE_INFINITY));
  return Number.isFinite(least) ? createTokenBudget(least) : undefined;
}

function tokensFor(cost: number, embedder: Embedder | undefined): number {
  // Words cost nothing, and neither does what runs on this machine.
  if (embedder === undefined || isOwn(embedder)) return Number.POSITIVE_INFINITY;
  const { provider, model } = embedder.fingerprint;
  if (embedder.price === undefined)
    throw new SurmiseError(
      'bad_argument',
      `What ${provider}/${model} costs is not known, so --max-cost can not be kept. Give the price of a million tokens with --price, or bound tokens with --max-tokens.`,
    );
  const { perMillionTokens, currency } = embedder.price;
  if (currency !== 'USD')
    throw new SurmiseError('bad_argument', `--max-cost is in US dollars, the price of ${provider} in ${currency}.`);
  if (perMillionTokens === 0) return Number.POSITIVE_INFINITY;
  return Math.min(Number.MAX_SAFE_INTEGER, Math.floor((cost / perMillionTokens) * 1e6));
}

function isOwn({ fingerprint }: Embedder): boolean {
  return fingerprint.provider === 'static' || fingerprint.provider === 'local';
}

/** What so many tokens cost, where the price is known. */
export function costOf(tokens: number, embedder: Embedder | undefined): Cost | undefined {
  const price = embedder?.price;
  return price && { amount: (tokens / 1e6) * price.perMillionTokens, currency: price.currency };
}

/**
 * Writes down with the index what was asked of an embedder that is not our own. It is for people: a failure of it must
 * not hide that of the work.
 */
export async function noteSpending(
  store: SqliteStore,
  embedder: Embedder | undefined,
  { embedded, tokens }: { readonly embedded: number; readonly tokens: number },
): Promise<void> {
  if (embedder === undefined || isOwn(embedder) || embedded === 0) return;
  const { provider, model } = embedder.fingerprint;
  const cost = costOf(tokens, embedder);
  const spent = { embedder: `${provider}/${model}`, texts: embedded, tokens, ...(cost && { cost }) };
  await store.addSpending(spent).catch(() => {});
}
