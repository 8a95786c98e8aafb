import type { Command } from 'commander';
import { amount, whole } from './option-values.js';

/** The options of every command that embeds texts of documents. */
export function withBudgetOptions(command: Command): Command {
  return command
    .option(
      '--max-tokens <n>',
      'embed no more tokens than this; the rest is found by words, and embedded by the next run',
      whole(0, 1e12),
    )
    .option('--max-cost <usd>', 'embed no more than this costs, in US dollars', amount)
    .option('--price <usd>', 'what a million tokens cost you (default: the list price, where it is known)', amount)
    .option('--no-cache', 'take no vectors from the cache beside the index, and keep none there');
}
