/**
 * Each gives a function from a question to the rows of its k best. They are handed unit rows, row after row, and do
 * what their documentation shows for exact or default search, on one thread.
 */
import { createRequire } from 'node:module';

const root = createRequire(new URL('../../package.json', import.meta.url));

/** What anyone would write. */
function plainJs({ matrix, dimensions, rows }) {
  return (question, k) => {
    const scored = [];
    for (let row = 0; row < rows; row++) {
      let score = 0;
      for (let at = 0; at < dimensions; at++) score += matrix[row * dimensions + at] * question[at];
      scored.push({ row, score });
    }
    return scored
      .sort((a, b) => b.score - a.score)
      .slice(0, k)
      .map(({ row }) => row);
  };
}

async function usearchExact({ matrix, dimensions }) {
  const { exactSearch, MetricKind } = (await import('usearch')).default;
  return (question, k) => Array.from(exactSearch(matrix, question, dimensions, k, MetricKind.IP, 1).keys, Number);
}

async function sqliteVec({ matrix, dimensions, rows }) {
  // Of the package itself, which is built for this Node; the one beside it belongs to another peer.
  const Database = root('better-sqlite3');
  const database = new Database(':memory:');
  (await import('sqlite-vec')).load(database);
  database.exec(`CREATE VIRTUAL TABLE vectors USING vec0(vector float[${dimensions}] distance_metric=cosine)`);
  const add = database.prepare('INSERT INTO vectors (rowid, vector) VALUES (?, ?)');
  database.transaction(() => {
    for (let row = 0; row < rows; row++) add.run(BigInt(row), rowOf(matrix, dimensions, row));
  })();
  const find = database.prepare('SELECT rowid FROM vectors WHERE vector MATCH ? AND k = ?').pluck();
  return (question, k) => find.all(question, k);
}

async function pglite({ matrix, dimensions, rows }) {
  const { PGlite } = await import('@electric-sql/pglite');
  const { vector } = await import('@electric-sql/pglite-pgvector');
  const database = await PGlite.create({ extensions: { vector } });
  await database.exec(
    `CREATE EXTENSION vector; CREATE TABLE vectors (id int PRIMARY KEY, vector vector(${dimensions}))`,
  );
  for (let first = 0; first < rows; first += 2_000) {
    const lines = [];
    for (let row = first; row < Math.min(rows, first + 2_000); row++)
      lines.push(`${row}\t[${rowOf(matrix, dimensions, row).join()}]\n`);
    await database.query("COPY vectors FROM '/dev/blob'", [], { blob: new Blob(lines) });
  }
  await database.exec('ANALYZE vectors');
  return async (question, k) => {
    const sql = 'SELECT id FROM vectors ORDER BY vector <=> $1 LIMIT $2';
    return (await database.query(sql, [`[${question.join()}]`, k])).rows.map(({ id }) => id);
  };
}

/** M 16, efConstruction 200, ef 200. */
async function hnswlib({ matrix, dimensions, rows }) {
  const { HierarchicalNSW } = (await import('hnswlib-node')).default;
  const index = new HierarchicalNSW('ip', dimensions);
  index.initIndex(rows, 16, 200);
  for (let row = 0; row < rows; row++) index.addPoint(Array.from(rowOf(matrix, dimensions, row)), row);
  index.setEf(200);
  return (question, k) => index.searchKnn(Array.from(question), k).neighbors;
}

function rowOf(matrix, dimensions, row) {
  return matrix.subarray(row * dimensions, (row + 1) * dimensions);
}

export const vectorPeers = { plainJs, usearchExact, sqliteVec, pglite, hnswlib };
