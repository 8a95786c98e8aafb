/**
 * npm run quality [-- SET …]    measures search on the collections in SURMISE_DATA and compares with the targets
 *
 * Exit code 0 when every target holds, 13 when one does not, 8 when the collections are not there.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import Table from 'cli-table3';
import { runs } from './quality-targets.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const cli = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const data = resolve(root, process.env.SURMISE_DATA ?? '../shared/data');
const wanted = process.argv.slice(2);

if (!existsSync(data)) {
  console.error(`The collections are not at ${data}. Set SURMISE_DATA to a folder with collections in BEIR form.`);
  process.exit(8);
}
const unknown = wanted.find((name) => !runs.some(({ set }) => set === name));
if (unknown !== undefined) {
  console.error(
    `There are no targets for "${unknown}". There are for: ${[...new Set(runs.map(({ set }) => set))].join(', ')}.`,
  );
  process.exit(2);
}

/** @param {import('./quality-targets.js').QualityRun} run */
function evaluate({ set, arms, hypotheses }) {
  const args = [cli, 'eval', join(data, set), '--arms', arms.join(','), '--json'];
  if (hypotheses !== undefined) args.push('--hypotheses', join(data, set, `hypotheses.${hypotheses}.jsonl`));
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) {
    console.error(`surmise eval ${set} failed: ${stdout}`);
    process.exit(status ?? 70);
  }
  return JSON.parse(stdout);
}

let missed = 0;
for (const run of runs.filter(({ set }) => wanted.length === 0 || wanted.includes(set))) {
  if (!existsSync(join(data, run.set))) {
    console.error(`The collection ${run.set} is not at ${data}.`);
    process.exit(8);
  }
  const { arms, queries, documents } = evaluate(run);
  const title = `${run.set}${run.hypotheses === undefined ? '' : ` with ${run.hypotheses}`}`;
  const table = new Table({
    head: [title, 'nDCG@10', 'R@100', 'RR@10', 'AP', 'target', ''],
    style: { head: [], border: [] },
    colAligns: ['left', 'right', 'right', 'right', 'right', 'left', 'left'],
  });
  for (const name of run.arms) {
    const values = arms[name];
    const targets = run.targets.filter((target) => target.arm === name);
    const bounds = targets.map(({ measure, least }) => ({
      measure,
      bound: typeof least === 'number' ? least : least(arms),
    }));
    const bad = bounds.filter(({ measure, bound }) => values[measure] < bound);
    missed += bad.length;
    table.push([
      name,
      ...['nDCG@10', 'R@100', 'RR@10', 'AP'].map((measure) => values[measure].toFixed(4)),
      bounds.map(({ measure, bound }) => `${measure} ≥ ${bound.toFixed(4)}`).join(', '),
      bounds.length === 0 ? '' : bad.length === 0 ? 'holds' : 'MISSED',
    ]);
  }
  console.log(`${table.toString()}\n${queries} queries, ${documents} documents\n`);
}
console.log(missed === 0 ? 'Every target holds.' : `${missed} targets missed.`);
process.exitCode = missed === 0 ? 0 : 13;
