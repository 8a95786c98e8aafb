/**
 * npm run bench:indexing [-- --quick] [-- --json]
 *
 * Indexes 5,000 Markdown files with Surmise (words and the built-in vectors) and with qmd (`collection add`, words only)
 * in turn, each time from nothing, then both again with nothing changed, then twice the files with Surmise alone.
 * Prints minimum, median and maximum of each and the ratio of the medians. Reads SURMISE_DATA (default ../shared/data).
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measure, spread } from '../measure.js';
import { hasData, writeCorpus } from './corpus.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bench = fileURLToPath(new URL('..', import.meta.url));
const data = resolve(process.env.INIT_CWD ?? root, process.env.SURMISE_DATA ?? join(root, '../shared/data'));
const runs = process.argv.includes('--quick') ? 1 : 5;
if (!hasData(data)) {
  console.error(
    `The collections scifact and nfcorpus are not in ${data}. Set SURMISE_DATA to the folder that holds them.`,
  );
  process.exit(1);
}

const modules = join(bench, 'node_modules');
if (!existsSync(join(modules, '@tobilu/qmd'))) npm(process.execPath, 'ci');
const peerNode = newerNode();
const peer = join(modules, '@tobilu/qmd', 'dist', 'cli', 'qmd.js');
const cli = join(root, 'dist', 'cli', 'main.js');
const folder = mkdtempSync(join(tmpdir(), 'surmise-bench-'));
try {
  await run();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function run() {
  const corpus = join(folder, 'corpus');
  const bytes = writeCorpus(data, corpus);
  const found = { surmise: [], peer: [], surmiseAgain: [], peerAgain: [] };
  const index = join(folder, 'index.db');
  for (let i = 0; i < runs; i++) {
    for (const name of readdirSync(folder)) if (name.startsWith('index.db')) rmSync(join(folder, name));
    found.surmise.push(await measure(process.execPath, [cli, 'index', corpus, '--index', index]));
    found.surmiseAgain.push(await measure(process.execPath, [cli, 'index', corpus, '--index', index]));
    const home = join(folder, 'qmd');
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home);
    const env = { XDG_CACHE_HOME: home, XDG_CONFIG_HOME: home, HOME: home, QMD_CONFIG_DIR: join(home, 'qmd') };
    found.peer.push(await measure(peerNode, [peer, 'collection', 'add', corpus, '--name', 'bench'], env));
    found.peerAgain.push(await measure(peerNode, [peer, 'update'], env));
  }
  expectOutput(found.peer[0], /5000 new/);
  expectOutput(found.surmise[0], /5000 added/);
  expectOutput(found.surmiseAgain[0], /5000 unchanged/);
  const size = sizeOf(index);
  const double = join(folder, 'double');
  const doubleBytes = writeCorpus(data, double, { copies: 2 });
  const twice = await measure(process.execPath, [cli, 'index', double, '--index', join(folder, 'double.db')]);
  expectOutput(twice, /10000 added/);

  const seconds = (name) => spread(found[name].map((one) => one.seconds));
  const memory = (name) => spread(found[name].map((one) => one.megabytes));
  const result = {
    machine: { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version, peerNode: versionOf(peerNode) },
    corpus: { files: 5_000, bytes },
    seconds: Object.fromEntries(Object.keys(found).map((name) => [name, seconds(name)])),
    megabytes: { surmise: memory('surmise'), peer: memory('peer'), surmiseDouble: twice.megabytes },
    doubleSeconds: twice.seconds,
    doubleBytes,
    file: { bytes: size, perText: size / bytes },
    ratio: {
      timesAsFast: seconds('peer').median / seconds('surmise').median,
      timesAsFastAgain: seconds('peerAgain').median / seconds('surmiseAgain').median,
    },
  };
  print(result);
  if (process.argv.includes('--json')) console.log(JSON.stringify(result));
}

function print({ machine, corpus, seconds, megabytes, doubleSeconds, file, ratio }) {
  const line = ({ min, median, max }, digits) => [min, median, max].map((value) => value.toFixed(digits)).join(' / ');
  console.log(
    [
      `${machine.cpu}, ${machine.cores} cores; Node ${machine.node}, qmd 2.8.3 on Node ${machine.peerNode}`,
      `${corpus.files} Markdown files, ${(corpus.bytes / 1e6).toFixed(1)} MB; ${runs} runs in turn; minimum / median / maximum`,
      `surmise index, words and vectors   ${line(seconds.surmise, 2)} s, peak ${line(megabytes.surmise, 0)} MB`,
      `qmd collection add, words          ${line(seconds.peer, 2)} s, peak ${line(megabytes.peer, 0)} MB`,
      `surmise index, nothing changed     ${line(seconds.surmiseAgain, 2)} s`,
      `qmd update, nothing changed        ${line(seconds.peerAgain, 2)} s`,
      `surmise, twice the files           ${doubleSeconds.toFixed(2)} s, peak ${megabytes.surmiseDouble.toFixed(0)} MB`,
      `index file                         ${(file.bytes / 1e6).toFixed(1)} MB, ${file.perText.toFixed(2)} times the text`,
      `Surmise is ${ratio.timesAsFast.toFixed(2)} times as fast; with nothing changed ${ratio.timesAsFastAgain.toFixed(2)} times`,
    ].join('\n'),
  );
}

function sizeOf(path) {
  return ['', '-wal'].reduce((sum, end) => sum + (statSync(path + end, { throwIfNoEntry: false })?.size ?? 0), 0);
}

/** qmd needs Node 22: this one where it is new enough, else the one that the bench installs. */
function newerNode() {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const path = join(modules, name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(path)) throw new Error('qmd needs Node 22 or later: run this benchmark with it.');
  // Its native parts must be of the same version.
  if (!runs22(path)) npm(path, 'rebuild', 'better-sqlite3');
  return path;
}

function runs22(node) {
  const probe = `require(${JSON.stringify(join(modules, 'better-sqlite3'))})(':memory:')`;
  return spawnSync(node, ['-e', probe]).status === 0;
}

function npm(node, ...args) {
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  console.error(`npm ${args.join(' ')} in bench …`);
  execFileSync('npm', args, { cwd: bench, env, stdio: 'inherit', shell: process.platform === 'win32' });
}

function versionOf(node) {
  return execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
}

function expectOutput({ output }, pattern) {
  if (!pattern.test(output)) throw new Error(`Expected ${pattern} in:\n${output}`);
}
