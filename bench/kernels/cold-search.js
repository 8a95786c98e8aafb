import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasData, writeCorpus } from '../indexing/corpus.js';
import { measure, spread } from '../measure.js';
import { rowOf } from './contest.js';

const cli = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** A search of words by a new process in an index of 5,000 files, beside a process that does nothing. */
export async function coldSearch(data, rounds) {
  if (!hasData(data)) return [];
  const folder = mkdtempSync(join(tmpdir(), 'surmise-bench-'));
  try {
    const corpus = join(folder, 'corpus');
    const index = join(folder, 'index.db');
    writeCorpus(data, corpus);
    await measure(process.execPath, [cli, 'index', corpus, '--index', index]);
    const question = 'does vitamin D lower the risk of heart disease';
    const search = [cli, 'search', question, '--index', index, '--mode', 'lexical', '--hyde', 'off'];
    const times = { surmise: [], nodeStart: [] };
    for (let round = 0; round < rounds; round++) {
      times.surmise.push((await measure(process.execPath, search)).seconds * 1_000);
      times.nodeStart.push((await measure(process.execPath, ['-e', '0'])).seconds * 1_000);
    }
    const spreads = { surmise: spread(times.surmise), nodeStart: spread(times.nodeStart) };
    return [rowOf('cold-search-5k-files', spreads, 1)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
