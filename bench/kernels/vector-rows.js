import { createVectorIndex, createVectorMatrix, searchVectors } from '../../dist/kernels/index.js';
import { contest, present, recallOf, rowOf } from './contest.js';
import { float32Sum } from './float32-sum.js';
import { vectorPeers } from './vector-peers.js';
import { clustered, exactRows, questions, unclustered } from './vectors.js';

const k = 10;

/** One row for the int8 index with its peers, and two for the float32 scan where that is asked for. */
export async function vectorRows({
  name,
  rows,
  dimensions,
  isClustered = false,
  peerNames,
  float32,
  count,
  rounds,
  absent,
}) {
  const matrix = (isClustered ? clustered : unclustered)(rows, dimensions, 11);
  const asked = questions(matrix, dimensions, count, 12);
  const wanted = asked.map((question) => exactRows(matrix, dimensions, question, k));
  const sum = await float32Sum(matrix);
  const data = { matrix, dimensions, rows };
  const results = [];

  if (float32) {
    // In the memory of the kernel, and anywhere else, from where the rows have to be copied.
    const inPlace = createVectorMatrix(rows, dimensions);
    inPlace.set(matrix);
    const scanned = name.replace('int8', 'float32');
    for (const [row, source] of [
      [scanned, inPlace],
      [`${scanned}-copied`, matrix],
    ]) {
      const scan = (question) => numbers(searchVectors({ ...data, matrix: source, id: String }, question, { k }).hits);
      const times = await contest({ surmise: scan, float32Sum: sum }, asked, rounds);
      results.push(rowOf(row, times, recallOf(asked.map(scan), wanted)));
    }
  }

  // What is large keeps int8 rows only; the float32 rows stay where they are, here in the matrix.
  const isLarge = rows >= 1_000_000;
  const vectors = (ids) => ids.map((id) => replaced.get(id) ?? rowOfMatrix(matrix, dimensions, Number(id)));
  const replaced = new Map();
  const before = process.memoryUsage().rss;
  const started = performance.now();
  const index = createVectorIndex(dimensions, isLarge ? { vectors } : {});
  for (let row = 0; row < rows; row++) index.add(String(row), rowOfMatrix(matrix, dimensions, row));
  const buildMs = performance.now() - started;
  const memory = process.memoryUsage().rss - before;
  const search = (question) => numbers(index.search(question, { k }).hits);
  const contenders = { surmise: search, float32Sum: sum };
  const builds = {};
  const recalls = {};
  for (const peer of peerNames) {
    const made = await present(absent, peer, () => vectorPeers[peer](data));
    if (made === undefined) continue;
    contenders[peer] = (question) => made.search(question, k);
    builds[peer] = made.buildMs;
    const found = [];
    for (const question of asked) found.push(await made.search(question, k));
    recalls[peer] = recallOf(found, wanted);
  }
  const times = await contest(contenders, asked, rounds);
  const more = { buildMs, builds, recalls };
  const row = rowOf(name, times, recallOf(asked.map(search), wanted), more);
  results.push(row);
  if (isLarge) {
    // Ids with their map among it.
    row.ratio.int8Bytes = memory / (rows * dimensions);
    results.push(upsertRow(index, data, buildMs, replaced));
  }
  return results;
}

/** A thousand rows replaced in a large index that is saved, and saved again: against building it, and what is written. */
function upsertRow(index, { matrix, dimensions, rows }, buildMs, replaced) {
  const whole = bytesOf(index.toBlocks());
  const started = performance.now();
  for (let at = 0; at < 1_000; at++) {
    const row = Math.floor((at * rows) / 1_000);
    const vector = rowOfMatrix(matrix, dimensions, rows - 1 - row);
    replaced.set(String(row), vector);
    index.add(String(row), vector);
  }
  const written = bytesOf(index.toBlocks());
  const ms = performance.now() - started;
  const ratio = { build: ms / buildMs, writtenBytes: written / whole };
  return {
    name: 'upsert-1k-into-1m',
    recall: 1,
    ms,
    ratio,
    times: {},
    note: `${(written / 1e6).toFixed(2)} MB written`,
  };
}

function bytesOf({ write }) {
  return Array.from(write.values()).reduce((sum, { length }) => sum + length, 0);
}

function rowOfMatrix(matrix, dimensions, row) {
  return matrix.subarray(row * dimensions, (row + 1) * dimensions);
}

function numbers(hits) {
  return hits.map(({ id }) => Number(id));
}
