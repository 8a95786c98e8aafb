import Table from 'cli-table3';
import { type EvaluationSummary, measures } from './eval-command.js';
import { oneLine } from './printable.js';

/** One row for each arm, then one for each comparison. */
export function renderEvaluation(summary: EvaluationSummary): string {
  const { dataset, documents, skipped, queries, arms, comparisons } = summary;
  const table = new Table({
    head: [oneLine(dataset, 60), ...measures],
    style: { head: [], border: [] },
    colAligns: ['left', ...measures.map(() => 'right' as const)],
  });
  for (const [name, values] of Object.entries(arms)) table.push([name, ...measures.map((m) => values[m].toFixed(4))]);
  const left = skipped === undefined ? '' : ` (${skipped} left out: there is nothing in them)`;
  const values = `${table.toString()}\n${queries} judged queries, ${documents} documents${left}; every value from 0 to 1, higher is better`;
  return comparisons.length === 0 ? values : `${values}\n\n${renderComparisons(comparisons)}`;
}

function renderComparisons(comparisons: EvaluationSummary['comparisons']): string {
  const table = new Table({
    head: ['nDCG@10', 'difference', '95 % interval', 'wins / losses / ties', 'p', ''],
    style: { head: [], border: [] },
    colAligns: ['left', 'right', 'left', 'right', 'right', 'left'],
  });
  for (const { arm, base, difference, interval, wins, losses, ties, pHolm, verdict } of comparisons)
    table.push([
      `${arm} − ${base}`,
      signed(difference),
      interval.map(signed).join(' to '),
      `${wins} / ${losses} / ${ties}`,
      pHolm.toFixed(4),
      verdict,
    ]);
  return `${table.toString()}\np: paired randomisation test, adjusted for all rows (Holm)`;
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(4)}`;
}
