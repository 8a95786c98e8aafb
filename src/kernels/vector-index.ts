import { checkVector, searchVectors, unitVector } from './vectors.js';

export interface VectorHit {
  readonly id: string;
  readonly score: number;
}

export interface VectorIndex {
  readonly dimensions: number;
  readonly size: number;
  /** Replaces the vector of that id. RangeError naming the id for a wrong length or a number that is not finite. */
  add(id: string, vector: Float32Array): void;
  /** False where there is no such id. */
  remove(id: string): boolean;
  has(id: string): boolean;
  /** A copy of the stored vector, which has length 1 or 0. */
  get(id: string): Float32Array | undefined;
  /** `allow` sees each id once. Range and order as in `searchVectors`. */
  search(
    vector: Float32Array,
    options: { readonly k: number; readonly allow?: (id: string) => boolean },
  ): { hits: VectorHit[]; matched: number; min: number; max: number };
}

/** Exact nearest neighbours by cosine similarity, in memory. */
export function createVectorIndex(dimensions: number): VectorIndex {
  if (!Number.isSafeInteger(dimensions) || dimensions < 1) {
    throw new RangeError(`dimensions must be a positive integer, got ${dimensions}.`);
  }
  let matrix = new Float32Array(dimensions * 16);
  const ids: string[] = [];
  const rowOf = new Map<string, number>();

  function rowFor(id: string): number {
    const known = rowOf.get(id);
    if (known !== undefined) return known;
    const row = ids.length;
    if ((row + 1) * dimensions > matrix.length) {
      const larger = new Float32Array(matrix.length * 2);
      larger.set(matrix);
      matrix = larger;
    }
    ids.push(id);
    rowOf.set(id, row);
    return row;
  }

  return {
    dimensions,
    get size() {
      return ids.length;
    },
    add(id, vector) {
      checkVector(vector, dimensions, `The vector of "${id}"`);
      // The row first: making it may replace the matrix.
      const row = rowFor(id);
      matrix.set(unitVector(vector), row * dimensions);
    },
    remove(id) {
      const row = rowOf.get(id);
      if (row === undefined) return false;
      // The last row takes the place: rows have no meaning outside, order comes from score and id.
      const last = ids.length - 1;
      const lastId = ids[last]!;
      matrix.copyWithin(row * dimensions, last * dimensions, (last + 1) * dimensions);
      ids[row] = lastId;
      rowOf.set(lastId, row);
      ids.pop();
      rowOf.delete(id);
      return true;
    },
    has: (id) => rowOf.has(id),
    get(id) {
      const row = rowOf.get(id);
      return row === undefined ? undefined : matrix.slice(row * dimensions, (row + 1) * dimensions);
    },
    search(vector, { k, allow }) {
      const source = { matrix, dimensions, rows: ids.length, id: (row: number) => ids[row]! };
      const allowed = allow === undefined ? {} : { allow: Uint8Array.from(ids, (id) => (allow(id) ? 1 : 0)) };
      const { hits, matched, min, max } = searchVectors(source, vector, { k, ...allowed });
      return { hits: hits.map(({ id, score }) => ({ id, score })), matched, min, max };
    },
  };
}
