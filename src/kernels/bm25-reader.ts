import type { Bm25Parameters, QueryTerm } from './bm25.js';
import { type Bm25Explanation, explanationOf } from './bm25-explain.js';
import type { Field } from './bm25-fields.js';
import { livePostings, type Part, type Placed, partsOf } from './bm25-parts.js';
import { type Bm25Query, explainBm25Query, type QuerySource, searchBm25Query } from './bm25-query.js';
import type { Postings, PostingsPiece } from './postings.js';
import { indexOfRow, joinPieces, uniteRows } from './postings-sets.js';

export interface Bm25Hit {
  readonly id: string;
  readonly score: number;
}

export interface Bm25SearchOptions {
  /** How many hits at most, a positive integer. */
  readonly k: number;
  /** Which ids may be found; sees each once. */
  readonly allow?: (id: string) => boolean;
}

export interface Bm25SearchResult {
  /** Score descending, then id ascending by code units. */
  readonly hits: Bm25Hit[];
  /** Allowed documents that match. */
  readonly matched: number;
  /** Range of the scores of all allowed documents, those without a match counting 0; 0 and 0 where there are none. */
  readonly min: number;
  readonly max: number;
}

/** An index as it stands, or as it stood when the snapshot was taken. */
export interface Bm25Reader {
  readonly parameters: Bm25Parameters;
  /** Documents, those without a term included. */
  readonly size: number;
  /** Mean number of terms of a document, those of a field as often as its boost says; 0 for an empty index. */
  readonly averageLength: number;
  has(id: string): boolean;
  /** Documents that hold the term. */
  frequency(term: string): number;
  /**
   * Scores, range and order as in `searchBm25`, clauses as in `searchBm25Query`. RangeError for a bad k or weight, for a
   * phrase of several terms where the index keeps no sequences, and where saved parts turn out to be damaged.
   */
  search(query: readonly QueryTerm[] | Bm25Query, options: Bm25SearchOptions): Bm25SearchResult;
  /** How the score of a document comes about; undefined where there is no such id. */
  explain(id: string, query: readonly QueryTerm[] | Bm25Query): Bm25Explanation | undefined;
}

/** One state of an index. Nothing of it changes. */
export interface Bm25State {
  readonly parameters: Bm25Parameters;
  readonly fields: readonly Field[];
  readonly parts: readonly Part[];
  /** Live rows. */
  readonly size: number;
  /** By field, the terms of all live rows. */
  readonly totals: readonly number[];
  readonly sequences: boolean;
}

/** Postings that are kept between searches, in entries of 12 bytes; views count as few. */
const mostKnown = 2_000_000;
const entriesOfPiece = 16;

/** `explainRow` is for those who know the place of a document among the rows of all parts. */
export function createBm25Reader({ parameters, fields, parts: given, size, totals, sequences }: Bm25State) {
  const parts = partsOf(given);
  const numbers = fields.map((_, number) => number);
  const averageLength = size === 0 ? 0 : fields.reduce((sum, { boost }, at) => sum + boost * totals[at]!, 0) / size;
  /** Whether postings have to be summed up or weighted. */
  const copies = fields.length > 1 || fields[0]!.boost !== 1;
  const known = new Map<string, readonly PostingsPiece[]>();
  let knownEntries = 0;
  let lengthsOfRows: Float64Array | undefined;
  let rowOf: Map<string, number> | undefined;

  function lengths(): Float64Array {
    if (lengthsOfRows !== undefined) return lengthsOfRows;
    const sums = new Float64Array(parts.rows);
    for (const { segment, rows, base } of parts.placed)
      fields.forEach(({ boost }, field) => {
        const own = segment.lengths(field);
        for (let row = 0; row < rows; row++) sums[base + row]! += boost * own[row]!;
      });
    lengthsOfRows = sums;
    return sums;
  }

  /**
   * The postings of a term in all fields, as of a text in which each field is repeated as often as its boost says
   * (Robertson, Zaragoza and Taylor 2004): frequencies and lengths are sums with the boosts as weights.
   */
  function unitedFields(part: Placed, term: string): PostingsPiece | undefined {
    const lists: Postings[] = [];
    const weights: number[] = [];
    fields.forEach(({ boost }, field) => {
      const list = livePostings(part, field, term);
      if (list === undefined) return;
      lists.push(list);
      weights.push(boost);
    });
    return lists.length === 0 ? undefined : { ...uniteRows(lists, weights), base: part.base };
  }

  function pieces(term: string): readonly PostingsPiece[] {
    const before = known.get(term);
    if (before !== undefined) return before;
    const found: PostingsPiece[] = [];
    let entries = entriesOfPiece;
    for (const part of parts.placed) {
      const piece = unitedFields(part, term);
      if (piece === undefined) continue;
      found.push(piece);
      entries += entriesOfPiece + (copies || part.segment.decodes || part.dead.count > 0 ? piece.rows.length : 0);
    }
    knownEntries += entries;
    if (knownEntries > mostKnown) {
      known.clear();
      knownEntries = entries;
    }
    known.set(term, found);
    return found;
  }

  const source: QuerySource = {
    size,
    averageLength,
    get lengths() {
      return lengths();
    },
    pieces,
    postings: (term) => joinPieces(pieces(term)),
    id(row) {
      const { segment, base } = parts.partOf(row);
      return segment.id(row - base);
    },
    termsFrom(prefix) {
      const terms = new Set<string>();
      for (const { segment } of parts.placed)
        for (const field of numbers) for (const term of segment.termsFrom(field, prefix)) terms.add(term);
      return terms;
    },
    termsOf(row) {
      if (!sequences) throw new RangeError('Phrases need an index that was made with `sequences: true`.');
      const { segment, base } = parts.partOf(row);
      return numbers.flatMap((field) => [...segment.sequence(field, row - base), undefined]);
    },
  };

  function find(id: string): number | undefined {
    if (rowOf === undefined) {
      rowOf = new Map();
      parts.forEachLive((row, own) => rowOf!.set(own, row));
    }
    return rowOf.get(id);
  }

  function explainRow(row: number, query: readonly QueryTerm[] | Bm25Query): Bm25Explanation {
    const { segment, base } = parts.partOf(row);
    return explanationOf(explainBm25Query(source, toQuery(query), row, parameters), fields, (term, field) => {
      const list = segment.postings(field, term);
      const at = list === undefined ? -1 : indexOfRow(list.rows, row - base);
      return at < 0 ? 0 : list!.frequencies[at]!;
    });
  }

  const reader: Bm25Reader = {
    parameters,
    size,
    averageLength,
    has: (id) => find(id) !== undefined,
    frequency: (term) => pieces(term).reduce((sum, { rows }) => sum + rows.length, 0),
    search(query, { k, allow }) {
      const allowed = allow && new Uint8Array(parts.rows);
      if (allowed) {
        parts.forEachLive((row, id) => {
          if (allow(id)) allowed[row] = 1;
        });
      }
      const options = { k, parameters, ...(allowed && { allow: allowed }) };
      const { hits, matched, min, max } = searchBm25Query(source, toQuery(query), options);
      return { hits: hits.map(({ id, score }) => ({ id, score })), matched, min, max };
    },
    explain(id, query) {
      const row = find(id);
      return row === undefined ? undefined : explainRow(row, query);
    },
  };
  return { reader, explainRow };
}

function toQuery(query: readonly QueryTerm[] | Bm25Query): Bm25Query {
  return 'terms' in query ? query : { terms: query };
}
