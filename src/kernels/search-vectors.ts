import { createBestOfGroups } from './best-of-groups.js';
import { float32Scan } from './float32-scan.js';
import { createScoreBounds, firstRows } from './score-bounds.js';
import { checkK, createTopK } from './top-k.js';
import {
  checkVector,
  scoreOf,
  unitVector,
  type VectorOptions,
  type VectorResult,
  type VectorSource,
} from './vectors.js';

/**
 * Exact cosine similarity of a query (any length, normalised here) with every allowed row. Zero vectors score 0. The
 * kernel bounds the scores of all rows, those that may matter are computed by `scoreOf`, so JavaScript finds the same.
 * It reads a matrix of `createVectorMatrix` where it is, and copies the rows of others.
 *
 * @throws RangeError for a bad k, a query of other dimensions or with numbers that are not finite, a matrix that is too
 *   small, and a row whose score is no number; TypeError for a kernel that is none
 */
export function searchVectors(source: VectorSource, query: Float32Array, options: VectorOptions): VectorResult {
  const { matrix, dimensions, rows } = source;
  const { k, groups } = options;
  const id = (row: number) => source.id(row);
  checkK(k);
  checkVector(query, dimensions, 'The query vector');
  if (rows * dimensions > matrix.length) throw new RangeError(`The matrix is too small for ${rows} rows.`);
  const unit = unitVector(query);
  const top = createTopK(k, id);
  const grouped = groups && createBestOfGroups(k, id, groups);
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  const { matched, wanted } = wantedRows(source, unit, options);
  for (const row of wanted) {
    const score = scoreOf(matrix, row * dimensions, unit);
    if (Number.isNaN(score)) throw new RangeError(`The score of row ${row} ("${id(row)}") is not a number.`);
    if (score < min) min = score;
    if (score > max) max = score;
    top.offer(row, score);
    grouped?.offer(row, score);
  }
  const range = matched === 0 ? { min: 0, max: 0 } : { min, max };
  return { hits: top.ranked(), groupHits: grouped?.ranked() ?? [], matched, ...range };
}

/** How many rows are allowed, and those of them whose score has to be computed. */
function wantedRows(
  { matrix, rows, kernel }: VectorSource,
  unit: Float32Array,
  { k, allow, groups }: VectorOptions,
): { readonly matched: number; readonly wanted: readonly number[] } {
  const allowed = allow?.subarray(0, rows);
  const matched = allowed === undefined ? rows : marked(allowed);
  const bounded = float32Scan(matrix, unit, kernel);
  if (bounded === undefined) return { matched, wanted: allowedRows(rows, allowed) };
  const bounds = createScoreBounds({ k, minScore: -1, groups });
  for (let from = 0, to = 0; from < rows; from = to) {
    to = Math.min(rows, from + Math.min(bounded.turnRows, firstRows + from));
    const found = bounded.scan({ from, to, allow: allowed, top: bounds.top, least: bounds.least });
    if (found > 0) bounds.offer(bounded.found, found, from);
  }
  return { matched, wanted: bounds.candidates().rows };
}

function marked(marks: Uint8Array): number {
  let count = 0;
  for (let row = 0; row < marks.length; row++) if (marks[row] !== 0) count++;
  return count;
}

function allowedRows(rows: number, allowed: Uint8Array | undefined): number[] {
  const all = Array.from({ length: rows }, (_, row) => row);
  return allowed === undefined ? all : all.filter((row) => allowed[row]);
}
