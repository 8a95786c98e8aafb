/**
 * npm run bench:kernels [-- --quick] [-- --json]
 *
 * Times the vector index and the BM25 index beside their peers, in one process, on the same data, in turn; the recall is
 * against a scan in float64 (for words: against the formula over every passage). Writes RESULTS.md; with --quick, which
 * leaves out a million rows and the peers that take minutes to fill, it does not. Ends with one line of JSON with --json.
 * Reads SURMISE_DATA (default ../shared/data) for passages; without it there are no rows for words.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { coldSearch } from './cold-search.js';
import { hasPassages } from './passages.js';
import { printResults, writeResults } from './results.js';
import { textRows } from './text-rows.js';
import { vectorRows } from './vector-rows.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bench = fileURLToPath(new URL('..', import.meta.url));
const data = resolve(process.env.INIT_CWD ?? root, process.env.SURMISE_DATA ?? join(root, '../shared/data'));
const quick = process.argv.includes('--quick');

if (!existsSync(join(bench, 'node_modules', 'minisearch'))) {
  console.error('npm ci in bench …');
  execFileSync('npm', ['ci'], { cwd: bench, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
}

const absent = {};
const common = { absent, count: quick ? 5 : 20, rounds: quick ? 3 : 9 };
const slow = quick ? [] : ['pglite'];
const exact = ['usearchExact', 'sqliteVec', ...slow, 'plainJs'];
const sets = [
  {
    name: 'int8-100k-384',
    rows: 100_000,
    dimensions: 384,
    peerNames: [...exact, ...(quick ? [] : ['hnswlib'])],
    float32: true,
  },
  { name: 'int8-100k-384-clustered', rows: 100_000, dimensions: 384, isClustered: true, peerNames: ['usearchExact'] },
  { name: 'int8-100k-1024', rows: 100_000, dimensions: 1_024, peerNames: exact },
  ...(quick ? [] : [{ name: 'int8-1m-384', rows: 1_000_000, dimensions: 384, peerNames: ['usearchExact'] }]),
];
const rows = [];
for (const set of sets) {
  console.error(`${set.name} …`);
  rows.push(...(await vectorRows({ ...common, ...set })));
}
if (hasPassages(data)) {
  console.error('bm25-100k …');
  rows.push(...(await textRows({ ...common, data, peerNames: ['fts5', 'minisearch'] })));
  console.error('cold-search …');
  rows.push(...(await coldSearch(data, common.rounds)));
} else absent.passages = `The collection trec-dl-pool is not in ${data}; set SURMISE_DATA.`;
if (quick) for (const name of ['pglite', 'hnswlib', 'int8-1m-384']) absent[name] = 'left out by --quick';

printResults(rows, absent);
if (!quick) writeResults(join(bench, 'RESULTS.md'), rows, absent, common);
if (process.argv.includes('--json'))
  console.log(JSON.stringify({ rows: rows.map(({ name, recall, ms, ratio }) => ({ name, recall, ms, ratio })) }));
