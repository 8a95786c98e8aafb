// Kills a process that indexes at a random moment, again and again, and looks what is left:
//   node scripts/kill-9.js [--times 100] [--documents 1500] [--seed 1]
// Every round: start, kill, open, check everything, start again and let it finish, check again. Some rounds kill while the
// file is compacted or a damaged one is repaired instead. Ends with 1 when a document was lost or is there twice, or when
// the index did not open.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, fstatSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createSurmise } from '../dist/core/index.js';
import { deterministicEmbedder } from '../dist/models/index.js';
import { openSqliteStore } from '../dist/storage/index.js';

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '100' },
    documents: { type: 'string', default: '1500' },
    seed: { type: 'string', default: '1' },
    child: { type: 'string' },
    index: { type: 'string' },
  },
});
const documents = Number(values.documents);
const embedder = deterministicEmbedder({});

function* inputs() {
  for (let at = 0; at < documents; at++) {
    const text = `Boat ${at} lies at pier ${at % 17}. `.repeat(20 + (at % 50));
    yield { document: { id: `/boats/${at}.md`, title: `Boat ${at}`, text } };
  }
}

const jobs = {
  async index(path) {
    const store = openSqliteStore({ path });
    process.stdout.write('started\n');
    await createSurmise({ store, embedder }).index(inputs());
    await store.close();
  },
  async compact(path) {
    const store = openSqliteStore({ path });
    await store.delete(Array.from({ length: 20 }, (_, at) => `/boats/${at * 7}.md`));
    process.stdout.write('started\n');
    await store.compact();
    await store.close();
  },
  async repair(path) {
    process.stdout.write('started\n');
    const store = openSqliteStore({ path });
    await store.check({ repair: true });
    await store.close();
  },
};

/** Runs a job in a process of its own; with `killAfter`, for so long at most. Gives how long it ran, in milliseconds. */
async function run(job, path, killAfter) {
  const program = fileURLToPath(import.meta.url);
  const child = spawn(process.execPath, [program, '--child', job, '--index', path, '--documents', `${documents}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), closed]);
  const started = performance.now();
  const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter);
  const [code, signal] = await closed;
  clearTimeout(timer);
  if (killAfter === undefined && code !== 0) throw new Error(`"${job}" ended with ${code ?? signal}`);
  return performance.now() - started;
}

/** Ids that are there, once each, and what the check finds. */
async function look(path) {
  const store = openSqliteStore({ path });
  try {
    const ids = [];
    for await (const { id } of store.documents()) ids.push(id);
    const { problems } = await store.check();
    const { chunks, vectors } = await store.info();
    const { hits } = await store.match([{ term: 'boat', weight: 1 }], { k: 100_000 });
    const twice = ids.length - new Set(ids).size + hits.length - new Set(hits.map(({ id }) => id)).size;
    return { ids: new Set(ids), twice, whole: problems.length === 0 && hits.length === chunks && vectors === chunks };
  } finally {
    await store.close();
  }
}

async function main() {
  let state = Number(values.seed);
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const folder = mkdtempSync(join(tmpdir(), 'surmise-kill-'));
  const count = {
    kills: 0,
    whileIndexing: 0,
    whileCompacting: 0,
    whileRepairing: 0,
    lost: 0,
    twice: 0,
    failedOpens: 0,
    notWhole: 0,
  };
  const examine = async (path, wanted) => {
    try {
      const { ids, twice, whole } = await look(path);
      count.lost += [...wanted].filter((id) => !ids.has(id)).length;
      count.twice += twice;
      if (!whole) count.notWhole++;
      return ids;
    } catch (error) {
      count.failedOpens++;
      console.error(error);
      return new Set();
    }
  };
  const full = join(folder, 'full.db');
  const took = { index: await run('index', full) };
  const all = (await look(full)).ids;
  const few = join(folder, 'few.db');
  copyFileSync(full, few);
  took.compact = await run('compact', few);
  const compacted = (await look(few)).ids;
  const damaged = join(folder, 'damaged.db');
  copyFileSync(full, damaged);
  // The second half of the file's last page, which holds rows and no root of a table.
  const file = openSync(damaged, 'r+');
  writeSync(file, Buffer.alloc(16_384, 0xa5), 0, 16_384, fstatSync(file).size - 16_384);
  const repaired = join(folder, 'repaired.db');
  copyFileSync(damaged, repaired);
  took.repair = await run('repair', repaired);
  const readable = (await look(repaired)).ids;

  for (let round = 0; count.kills < Number(values.times); round++) {
    const path = join(folder, `${round}.db`);
    const job = round % 5 === 3 ? 'compact' : round % 5 === 4 ? 'repair' : 'index';
    const source = { index: undefined, compact: full, repair: damaged }[job];
    if (source !== undefined) copyFileSync(source, path);
    const before = job === 'index' ? new Set() : job === 'compact' ? compacted : readable;
    const after = job === 'index' ? all : before;
    // What goes on after a kill is killed again.
    for (let kill = 0; kill < 3; kill++) {
      const limit = random() * took[job] * 1.05;
      const ran = await run(job, path, limit);
      if (ran < limit) break;
      count.kills++;
      count[job === 'index' ? 'whileIndexing' : job === 'compact' ? 'whileCompacting' : 'whileRepairing']++;
      if (!existsSync(path)) {
        if (job !== 'index') count.failedOpens++;
        continue;
      }
      if (job !== 'repair') await examine(path, before);
      if (job !== 'index') break;
    }
    await run(job, path);
    await examine(path, after);
    for (const suffix of ['', '-wal', '-shm', '.damaged', '.repair', '.repair-wal', '.repair-shm'])
      rmSync(path + suffix, { force: true });
    if (process.stderr.isTTY) process.stderr.write(`\r${count.kills} kills`);
  }
  rmSync(folder, { recursive: true });
  console.log(JSON.stringify({ documents: all.size, ...count }));
  if (count.lost + count.twice + count.failedOpens + count.notWhole > 0) process.exitCode = 1;
}

if (values.child === undefined) await main();
else await jobs[values.child](values.index);
