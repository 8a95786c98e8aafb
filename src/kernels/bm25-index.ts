import {
  type Bm25Parameters,
  type Bm25TermScore,
  checkBm25Parameters,
  defaultBm25Parameters,
  explainBm25,
  type PostingsSource,
  type QueryTerm,
  searchBm25,
} from './bm25.js';
import { decodeBm25, encodeBm25 } from './bm25-bytes.js';
import { createPostingsList, type PostingsList } from './postings-list.js';

export interface Bm25Hit {
  readonly id: string;
  readonly score: number;
}

export interface Bm25Index {
  readonly parameters: Bm25Parameters;
  /** Documents, those without a term included. */
  readonly size: number;
  /** Mean number of terms of a document; 0 for an empty index. */
  readonly averageLength: number;
  /** Replaces the document of that id. */
  add(id: string, terms: readonly string[]): void;
  /** False where there is no such id. */
  remove(id: string): boolean;
  has(id: string): boolean;
  /** Documents that hold the term. */
  frequency(term: string): number;
  /** `allow` sees each id once. Scores, range and order as in `searchBm25`. */
  search(
    query: readonly QueryTerm[],
    options: { readonly k: number; readonly allow?: (id: string) => boolean },
  ): { hits: Bm25Hit[]; matched: number; min: number; max: number };
  /** As `explainBm25`; undefined where there is no such id. */
  explain(id: string, query: readonly QueryTerm[]): Bm25TermScore[] | undefined;
  /** The contents as bytes for `loadBm25Index`; parameters are not part of them. */
  save(): Uint8Array;
}

/** BM25 over lists of terms, in memory. Removed rows leave the lists when they are next read or half of all rows are gone. */
export function createBm25Index(parameters: Bm25Parameters = defaultBm25Parameters): Bm25Index {
  return bm25IndexOf({ ids: [], lengths: [], lists: new Map() }, parameters);
}

/** The index that `save` wrote. RangeError when the bytes are damaged or of another format. */
export function loadBm25Index(bytes: Uint8Array, parameters: Bm25Parameters = defaultBm25Parameters): Bm25Index {
  const { ids, lengths, postings } = decodeBm25(bytes);
  const lists = new Map<string, PostingsList>();
  for (const [term, list] of postings) lists.set(term, createPostingsList(list));
  return bm25IndexOf({ ids, lengths, lists }, parameters);
}

interface Contents {
  readonly ids: (string | undefined)[];
  readonly lengths: number[];
  readonly lists: Map<string, PostingsList>;
}

function bm25IndexOf(contents: Contents, parameters: Bm25Parameters): Bm25Index {
  checkBm25Parameters(parameters);
  let { ids, lengths } = contents;
  const { lists } = contents;
  const rowOf = new Map<string, number>();
  ids.forEach((id, row) => {
    if (id !== undefined) rowOf.set(id, row);
  });
  let total = lengths.reduce((sum, length) => sum + length, 0);
  let removals = 0;
  let lengthArray: Uint32Array | undefined;

  const isLive = (row: number) => ids[row] !== undefined;
  const averageLength = () => (rowOf.size === 0 ? 0 : total / rowOf.size);
  const postings = (term: string) => lists.get(term)?.read(removals, isLive);

  function source(): PostingsSource {
    lengthArray ??= Uint32Array.from(lengths);
    return { size: rowOf.size, averageLength: averageLength(), lengths: lengthArray, postings, id: (row) => ids[row]! };
  }

  function remove(id: string): boolean {
    const row = rowOf.get(id);
    if (row === undefined) return false;
    rowOf.delete(id);
    total -= lengths[row]!;
    ids[row] = undefined;
    lengths[row] = 0;
    lengthArray = undefined;
    removals++;
    if (ids.length > 64 && rowOf.size * 2 < ids.length) compact();
    return true;
  }

  function compact(): void {
    const places = new Uint32Array(ids.length);
    let next = 0;
    for (let row = 0; row < ids.length; row++) places[row] = isLive(row) ? next++ : 0;
    for (const [term, list] of lists) {
      const { rows, frequencies } = list.read(removals, isLive);
      if (rows.length === 0) lists.delete(term);
      else lists.set(term, createPostingsList({ rows: rows.map((row) => places[row]!), frequencies }));
    }
    lengths = lengths.filter((_, row) => isLive(row));
    ids = ids.filter((id) => id !== undefined);
    ids.forEach((id, row) => {
      if (id !== undefined) rowOf.set(id, row);
    });
    lengthArray = undefined;
    removals = 0;
  }

  function add(id: string, terms: readonly string[]): void {
    remove(id);
    const row = ids.length;
    ids.push(id);
    lengths.push(terms.length);
    rowOf.set(id, row);
    total += terms.length;
    lengthArray = undefined;
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    for (const [term, count] of counts) {
      let list = lists.get(term);
      if (list === undefined) {
        list = createPostingsList();
        lists.set(term, list);
      }
      list.append(row, count);
    }
  }

  return {
    parameters,
    get size() {
      return rowOf.size;
    },
    get averageLength() {
      return averageLength();
    },
    add,
    remove,
    has: (id) => rowOf.has(id),
    frequency: (term) => postings(term)?.rows.length ?? 0,
    search(query, { k, allow }) {
      const allowed =
        allow === undefined ? {} : { allow: Uint8Array.from(ids, (id) => (id !== undefined && allow(id) ? 1 : 0)) };
      const { hits, matched, min, max } = searchBm25(source(), query, { k, parameters, ...allowed });
      return { hits: hits.map(({ id, score }) => ({ id, score })), matched, min, max };
    },
    explain(id, query) {
      const row = rowOf.get(id);
      return row === undefined ? undefined : explainBm25(source(), query, row, parameters);
    },
    save() {
      compact();
      return encodeBm25({
        ids: ids.filter((id) => id !== undefined),
        lengths,
        postings: Array.from(lists, ([term, list]) => [term, list.read(removals, isLive)] as const),
      });
    },
  };
}
