import Table from 'cli-table3';
import { type EvaluationSummary, measures } from './eval-command.js';

/** One row for each arm. */
export function renderEvaluation({ dataset, documents, queries, arms }: EvaluationSummary): string {
  const table = new Table({
    head: [dataset, ...measures],
    style: { head: [], border: [] },
    colAligns: ['left', ...measures.map(() => 'right' as const)],
  });
  for (const [name, values] of Object.entries(arms)) table.push([name, ...measures.map((m) => values[m].toFixed(4))]);
  return `${table.toString()}\n${queries} judged queries, ${documents} documents; every value from 0 to 1, higher is better`;
}
