import Table from 'cli-table3';
import { type EvaluationSummary, measures } from './eval-command.js';
import { oneLine } from './printable.js';

/** One row for each arm. */
export function renderEvaluation({ dataset, documents, skipped, queries, arms }: EvaluationSummary): string {
  const table = new Table({
    head: [oneLine(dataset, 60), ...measures],
    style: { head: [], border: [] },
    colAligns: ['left', ...measures.map(() => 'right' as const)],
  });
  for (const [name, values] of Object.entries(arms)) table.push([name, ...measures.map((m) => values[m].toFixed(4))]);
  const left = skipped === undefined ? '' : ` (${skipped} left out: there is nothing in them)`;
  return `${table.toString()}\n${queries} judged queries, ${documents} documents${left}; every value from 0 to 1, higher is better`;
}
