import {
  type Bm25Options,
  type Bm25Parameters,
  type Bm25Result,
  type Bm25TermScore,
  explainBm25,
  type PostingsSource,
  type QueryTerm,
  searchBm25,
} from './bm25.js';
import type { PostingsPiece, WeightedPostings } from './postings.js';
import { intersectRows, uniteRows } from './postings-sets.js';
import { phraseTerms } from './segment.js';

/** Terms that follow one another in a row, or terms that begin alike. */
export type Clause = { readonly sequence: readonly string[] } | { readonly prefix: string };

/** Terms that count as one word: its frequency in a row is the sum of theirs. */
export interface QueryPrefix {
  readonly prefix: string;
  /** Terms that count as well, whether they begin so or not. */
  readonly terms: readonly string[];
  /** As of a `QueryTerm`. */
  readonly weight: number;
}

/** What to score, and what a row must hold to be found. */
export interface Bm25Query {
  readonly terms: readonly QueryTerm[];
  readonly prefixes?: readonly QueryPrefix[];
  /** Of each entry a row must hold one clause. */
  readonly must?: readonly (readonly Clause[])[];
  /** A row must hold none. */
  readonly not?: readonly Clause[];
}

/** What clauses need beyond postings. */
export interface QuerySource extends PostingsSource {
  /** Terms of the index that begin so, in any order. */
  termsFrom(prefix: string): Iterable<string>;
  /**
   * Terms of a row in the order of its text, for sequences; asked for rows only that hold all terms of one. May be read
   * from the text when it is asked for. `undefined` stands between fields.
   */
  termsOf(row: number): readonly (string | undefined)[];
}

/** A prefix with more terms than these says little: the most frequent ones score. */
const mostTermsOfPrefix = 1_000;
/** Begins what stands for a prefix among terms, and comes before the other terms of its word; no term holds it. */
const prefixMark = '\0';

/**
 * As `searchBm25`, with prefixes, and of rows only that fulfil `must` and `not`. `matched` and the range count these only;
 * a row is found when it holds a term or prefix that scores. Phrases are looked for in the rows that hold all their
 * terms, every one of them, so the result is exact.
 */
export function searchBm25Query(source: QuerySource, query: Bm25Query, options: Bm25Options): Bm25Result {
  const { must = [], not = [] } = query;
  let { allow, exclude } = options;
  for (const clauses of must) {
    const passed = rowsWithAny(source, clauses);
    allow = allow === undefined ? passed : passed.map((mark, row) => (mark && allow![row] ? 1 : 0));
  }
  if (not.length > 0) {
    const refused = rowsWithAny(source, not);
    exclude = exclude === undefined ? refused : refused.map((mark, row) => (mark || exclude![row] ? 1 : 0));
  }
  const { expanded, terms } = withPrefixes(source, query);
  return searchBm25(expanded, terms, { ...options, ...(allow && { allow }), ...(exclude && { exclude }) });
}

/** By row, 1 where a live row fulfils `must` and `not`; undefined where there is neither. */
export function fulfillingRows(
  source: QuerySource,
  { must = [], not = [] }: Pick<Bm25Query, 'must' | 'not'>,
): Uint8Array | undefined {
  if (must.length === 0 && not.length === 0) return undefined;
  const rows = Uint8Array.from(source.lengths, (length) => (length > 0 ? 1 : 0));
  for (const clauses of must) keep(rows, rowsWithAny(source, clauses), 1);
  if (not.length > 0) keep(rows, rowsWithAny(source, not), 0);
  return rows;
}

function keep(rows: Uint8Array, marked: Uint8Array, mark: number): void {
  for (let row = 0; row < rows.length; row++) if (marked[row] !== mark) rows[row] = 0;
}

/** As `explainBm25`; a prefix is one term, written with an asterisk. */
export function explainBm25Query(
  source: QuerySource,
  query: Bm25Query,
  row: number,
  parameters?: Bm25Parameters,
): Bm25TermScore[] {
  const { expanded, terms } = withPrefixes(source, query);
  return explainBm25(expanded, terms, row, parameters).map((part) =>
    part.term.startsWith(prefixMark) ? { ...part, term: `${part.term.split(prefixMark)[1]}*` } : part,
  );
}

function withPrefixes(source: QuerySource, { terms, prefixes = [] }: Bm25Query) {
  if (prefixes.length === 0) return { expanded: source, terms };
  const lists = new Map<string, WeightedPostings | undefined>();
  const added = prefixes.map(({ prefix, terms: others, weight }) => {
    // With all that its postings depend on: the same prefix may stand beside other terms.
    const term = [prefixMark + prefix, ...others].join(prefixMark);
    if (!lists.has(term)) lists.set(term, unitedPostings(source, prefix, others));
    return { term, weight };
  });
  const expanded: PostingsSource = {
    size: source.size,
    averageLength: source.averageLength,
    lengths: source.lengths,
    id: (row) => source.id(row),
    postings: (term) => (term.startsWith(prefixMark) ? lists.get(term) : source.postings(term)),
    ...(source.pieces && {
      pieces: (term: string) => (term.startsWith(prefixMark) ? onePiece(lists.get(term)) : source.pieces!(term)),
    }),
  };
  return { expanded, terms: [...terms, ...added] };
}

function onePiece(postings: WeightedPostings | undefined): PostingsPiece[] {
  return postings === undefined ? [] : [{ ...postings, base: 0 }];
}

function unitedPostings(source: QuerySource, prefix: string, others: readonly string[]): WeightedPostings | undefined {
  const found = postingsFrom(source, prefix);
  for (const term of new Set(others)) {
    const postings = term.startsWith(prefix) ? undefined : source.postings(term);
    if (postings !== undefined) found.push(postings);
  }
  return found.length === 0 ? undefined : uniteRows(found);
}

function postingsFrom(source: QuerySource, prefix: string): WeightedPostings[] {
  const found: { term: string; postings: WeightedPostings }[] = [];
  for (const term of source.termsFrom(prefix)) {
    const postings = source.postings(term);
    if (postings !== undefined) found.push({ term, postings });
  }
  found.sort((a, b) => b.postings.rows.length - a.postings.rows.length || (a.term < b.term ? -1 : 1));
  return found.slice(0, mostTermsOfPrefix).map(({ postings }) => postings);
}

/** By row, 1 where it holds one of the clauses. */
function rowsWithAny(source: QuerySource, clauses: readonly Clause[]): Uint8Array {
  const marked = new Uint8Array(source.lengths.length);
  const mark = (rows: Uint32Array) => {
    for (let at = 0; at < rows.length; at++) marked[rows[at]!] = 1;
  };
  for (const clause of clauses) {
    if ('sequence' in clause) mark(rowsWithSequence(source, clause.sequence));
    // All of them, however many: a row that is refused must not come through.
    else for (const term of source.termsFrom(clause.prefix)) mark(source.postings(term)?.rows ?? new Uint32Array(0));
  }
  return marked;
}

function rowsWithSequence(source: QuerySource, sequence: readonly string[]): Uint32Array {
  const lists: Uint32Array[] = [];
  const wanted = phraseTerms(sequence);
  for (const term of new Set(wanted)) {
    const postings = source.postings(term);
    if (postings === undefined) return new Uint32Array(0);
    lists.push(postings.rows);
  }
  const rows = intersectRows(lists);
  return wanted.length < 2 ? rows : rows.filter((row) => holds(phraseTerms(source.termsOf(row)), wanted));
}

function holds(terms: readonly (string | undefined)[], sequence: readonly string[]): boolean {
  const last = terms.length - sequence.length;
  for (let start = 0; start <= last; start++) {
    let at = 0;
    while (at < sequence.length && terms[start + at] === sequence[at]) at++;
    if (at === sequence.length) return true;
  }
  return false;
}
