import pc from 'picocolors';
import { errorCodes } from '../core/index.js';
import { type CheckProblem, type CheckReport, openSqliteStore } from '../storage/index.js';
import { existingIndex } from './index-path.js';
import { oneLine, printable } from './printable.js';
import { startProgress } from './progress.js';

export interface CheckCommandOptions {
  readonly index?: string;
  readonly repair?: boolean;
  readonly json?: boolean;
}

const kinds: Readonly<Record<CheckProblem['kind'], string>> = {
  file: 'The file itself is damaged.',
  references: 'Rows belong to nothing.',
  document: 'A text, a chunk or a vector can not be read.',
  fingerprint: 'It is not known of which embedder the vectors are.',
  postings: 'Words are not found by what is in the texts.',
};

/** `--json` prints `{index, problems, damaged, repair?}`. Exit code 5 when there is something that was not repaired. */
export async function checkCommand(options: CheckCommandOptions, signal: AbortSignal): Promise<void> {
  const { repair = false, json = false } = options;
  const index = existingIndex(options.index);
  const store = openSqliteStore({ path: index, access: repair ? 'write' : 'read' });
  const progress = startProgress('Reading the index', json);
  try {
    const report = await store.check({
      repair,
      signal,
      onProgress: ({ documents, of }) => progress.update(`${documents} of ${of} documents read`),
    });
    progress.end();
    console.log(json ? JSON.stringify({ index, ...report }) : render(index, report));
    if (report.problems.length > 0 && report.repair === undefined) process.exitCode = errorCodes.index_damaged.exit;
  } finally {
    progress.end();
    await store.close();
  }
}

function render(index: string, { problems, damaged, repair }: CheckReport): string {
  if (problems.length === 0) return `${printable(index)} is whole.`;
  const lines = problems.flatMap(({ kind, count, examples }) => [
    `${String(count).padStart(6)} ${kind}: ${kinds[kind]}`,
    ...examples.slice(0, 3).map((example) => pc.dim(`       ${oneLine(example, 200)}`)),
  ]);
  if (repair === undefined)
    return [...lines, `${damaged.documents} documents are damaged. surmise check --repair mends the index.`].join('\n');
  const kept = repair.kept === undefined ? '' : ` The damaged file is kept as ${printable(repair.kept)}.`;
  return [
    ...lines,
    `Repaired; ${repair.removed} documents were removed. Run surmise index again to add them.${kept}`,
  ].join('\n');
}
