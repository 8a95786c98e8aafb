import { type Bm25Parameters, checkBm25Parameters, defaultBm25Parameters, type QueryTerm } from './bm25.js';
import { decodeBm25, encodeBm25 } from './bm25-bytes.js';
import { type Bm25Explanation, explanationOf } from './bm25-explain.js';
import {
  appendTerms,
  createFields,
  type DocumentTerms,
  type Field,
  type FieldBoosts,
  fieldLengths,
  fieldPostings,
  termsByField,
} from './bm25-fields.js';
import { type Bm25Query, explainBm25Query, type QuerySource, searchBm25Query } from './bm25-query.js';
import type { WeightedPostings } from './postings.js';
import { createPostingsList } from './postings-list.js';

export interface Bm25Hit {
  readonly id: string;
  readonly score: number;
}

export interface Bm25IndexOptions {
  readonly parameters?: Bm25Parameters;
  /** Default: one field, `body`, which counts 1. */
  readonly fields?: FieldBoosts;
  /** Keeps the order of terms, 8 bytes for each occurrence: phrases need it. Default false. */
  readonly sequences?: boolean;
}

export interface Bm25Index {
  readonly parameters: Bm25Parameters;
  /** Documents, those without a term included. */
  readonly size: number;
  /** Mean number of terms of a document, those of a field as often as its boost says; 0 for an empty index. */
  readonly averageLength: number;
  /** Replaces the document of that id. A list of terms is the text of the last field. RangeError for an unknown field. */
  add(id: string, terms: DocumentTerms): void;
  /** False where there is no such id. */
  remove(id: string): boolean;
  has(id: string): boolean;
  /** Documents that hold the term. */
  frequency(term: string): number;
  /**
   * `allow` sees each id once. Scores, range and order as in `searchBm25`, clauses as in `searchBm25Query`. RangeError
   * for a phrase of several terms where the index keeps no sequences.
   */
  search(
    query: readonly QueryTerm[] | Bm25Query,
    options: { readonly k: number; readonly allow?: (id: string) => boolean },
  ): { hits: Bm25Hit[]; matched: number; min: number; max: number };
  /** How the score of a document comes about; undefined where there is no such id. */
  explain(id: string, query: readonly QueryTerm[] | Bm25Query): Bm25Explanation | undefined;
  /** The contents as bytes for `loadBm25Index`; fields are part of them, k1 and b are not. */
  save(): Uint8Array;
}

/** BM25 over lists of terms, in memory. Removed rows leave the lists when they are next read or half of all rows are gone. */
export function createBm25Index(options: Bm25IndexOptions = {}): Bm25Index {
  const { parameters = defaultBm25Parameters, fields, sequences = false } = options;
  return bm25IndexOf({ ids: [], fields: createFields(fields), ...(sequences && { sequences: [] }) }, parameters);
}

/** The index that `save` wrote. RangeError when the bytes are damaged or of another format. */
export function loadBm25Index(bytes: Uint8Array, parameters: Bm25Parameters = defaultBm25Parameters): Bm25Index {
  const saved = decodeBm25(bytes);
  const fields = createFields(Object.fromEntries(saved.fields.map(({ name, boost }) => [name, boost])));
  fields.forEach((field) => {
    const { lengths, postings } = saved.fields.find(({ name }) => name === field.name)!;
    field.lengths = lengths;
    field.total = lengths.reduce((sum, length) => sum + length, 0);
    for (const [term, list] of postings) field.lists.set(term, createPostingsList(list));
  });
  return bm25IndexOf({ ids: saved.ids, fields, ...(saved.sequences && { sequences: saved.sequences }) }, parameters);
}

interface Contents {
  readonly ids: (string | undefined)[];
  readonly fields: readonly Field[];
  /** By row, the terms of each field. */
  readonly sequences?: (readonly (readonly string[])[])[];
}

/** Joined postings of fields that are kept between searches, in entries (12 bytes each). */
const mostJoined = 2_000_000;

function bm25IndexOf(contents: Contents, parameters: Bm25Parameters): Bm25Index {
  checkBm25Parameters(parameters);
  let { ids, sequences } = contents;
  const { fields } = contents;
  const rowOf = new Map<string, number>();
  ids.forEach((id, row) => {
    if (id !== undefined) rowOf.set(id, row);
  });
  let removals = 0;
  let known: ReturnType<typeof fieldLengths> | undefined;
  const joined = new Map<string, WeightedPostings | undefined>();
  let joinedEntries = 0;

  const isLive = (row: number) => ids[row] !== undefined;

  function changed(): void {
    known = undefined;
    joined.clear();
    joinedEntries = 0;
  }

  function lengths() {
    known ??= fieldLengths(fields, ids.length, rowOf.size);
    return known;
  }

  function postings(term: string): WeightedPostings | undefined {
    if (fields.length === 1) return fieldPostings(fields, term, removals, isLive);
    if (joined.has(term)) return joined.get(term);
    const found = fieldPostings(fields, term, removals, isLive);
    joinedEntries += found?.rows.length ?? 1;
    if (joinedEntries > mostJoined) {
      joined.clear();
      joinedEntries = found?.rows.length ?? 1;
    }
    joined.set(term, found);
    return found;
  }

  function source(): QuerySource {
    return {
      size: rowOf.size,
      ...lengths(),
      postings,
      id: (row) => ids[row]!,
      termsFrom(prefix) {
        const terms = new Set<string>();
        for (const { lists } of fields) for (const term of lists.keys()) if (term.startsWith(prefix)) terms.add(term);
        return terms;
      },
      termsOf(row) {
        if (sequences === undefined)
          throw new RangeError('Phrases need an index that was made with `sequences: true`.');
        return sequences[row]!.flatMap((terms) => [...terms, undefined]);
      },
    };
  }

  function remove(id: string): boolean {
    const row = rowOf.get(id);
    if (row === undefined) return false;
    rowOf.delete(id);
    for (const field of fields) {
      field.total -= field.lengths[row]!;
      field.lengths[row] = 0;
    }
    ids[row] = undefined;
    if (sequences !== undefined) sequences[row] = [];
    removals++;
    changed();
    if (ids.length > 64 && rowOf.size * 2 < ids.length) compact();
    return true;
  }

  function compact(): void {
    const places = new Uint32Array(ids.length);
    let next = 0;
    for (let row = 0; row < ids.length; row++) places[row] = isLive(row) ? next++ : 0;
    for (const field of fields) {
      for (const [term, list] of field.lists) {
        const { rows, frequencies } = list.read(removals, isLive);
        if (rows.length === 0) field.lists.delete(term);
        else field.lists.set(term, createPostingsList({ rows: rows.map((row) => places[row]!), frequencies }));
      }
      field.lengths = field.lengths.filter((_, row) => isLive(row));
    }
    sequences = sequences?.filter((_, row) => isLive(row));
    ids = ids.filter((id) => id !== undefined);
    ids.forEach((id, row) => {
      if (id !== undefined) rowOf.set(id, row);
    });
    removals = 0;
    changed();
  }

  function add(id: string, terms: DocumentTerms): void {
    const byField = termsByField(fields, terms);
    remove(id);
    const row = ids.length;
    ids.push(id);
    rowOf.set(id, row);
    fields.forEach((field, at) => {
      appendTerms(field, row, byField[at]!);
    });
    sequences?.push(byField.map((list) => [...list]));
    changed();
  }

  return {
    parameters,
    get size() {
      return rowOf.size;
    },
    get averageLength() {
      return lengths().averageLength;
    },
    add,
    remove,
    has: (id) => rowOf.has(id),
    frequency: (term) => postings(term)?.rows.length ?? 0,
    search(query, { k, allow }) {
      const allowed =
        allow === undefined ? {} : { allow: Uint8Array.from(ids, (id) => (id !== undefined && allow(id) ? 1 : 0)) };
      const { hits, matched, min, max } = searchBm25Query(source(), toQuery(query), { k, parameters, ...allowed });
      return { hits: hits.map(({ id, score }) => ({ id, score })), matched, min, max };
    },
    explain(id, query) {
      const row = rowOf.get(id);
      if (row === undefined) return undefined;
      return explanationOf(explainBm25Query(source(), toQuery(query), row, parameters), fields, row, (term, field) =>
        field.lists.get(term)?.read(removals, isLive),
      );
    },
    save() {
      compact();
      const saved = fields.map(({ name, boost, lengths: own, lists }) => ({
        name,
        boost,
        lengths: own,
        postings: Array.from(lists, ([term, list]) => [term, list.read(removals, isLive)] as const),
      }));
      const live = ids.filter((id) => id !== undefined);
      return encodeBm25({
        ids: live,
        fields: saved,
        ...(sequences && { sequences: sequences.map((row) => [...row]) }),
      });
    },
  };
}

function toQuery(query: readonly QueryTerm[] | Bm25Query): Bm25Query {
  return 'terms' in query ? query : { terms: query };
}
