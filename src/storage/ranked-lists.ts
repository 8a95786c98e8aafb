import { SurmiseError } from '../core/errors.js';
import type {
  MatchOptions,
  NearOptions,
  Requirement,
  ScoredList,
  StoreInfo,
  TermPart,
  WeightedPrefix,
  WeightedTerm,
} from '../core/ports.js';
import { type Bm25Parameters, type Bm25Result, explainBm25, searchBm25 } from '../kernels/bm25.js';
import type { VectorResult } from '../kernels/vectors.js';
import type { IndexState } from './index-state.js';
import type { Snapshot } from './snapshot.js';

/** What operators and vectors take is loaded by searches that have some. */
type Operators = typeof import('./operator-rows.js') & typeof import('../kernels/bm25-query.js');
type Vectors = typeof import('./stored-vectors.js');

/**
 * Loads what the options need that are not searched with every day.
 *
 * @throws SurmiseError `bad_argument`
 */
export async function loadOperators({ prefixes = [], require }: MatchOptions): Promise<Operators | undefined> {
  if (prefixes.length === 0 && require === undefined) return undefined;
  checkOperators(prefixes, require);
  const [rows, query] = await Promise.all([import('./operator-rows.js'), import('../kernels/bm25-query.js')]);
  return { ...rows, ...query };
}

/** @throws SurmiseError `bad_argument` */
export function matchTerms(
  state: IndexState,
  terms: readonly WeightedTerm[],
  options: MatchOptions,
  operators: Operators | undefined,
  bm25: Bm25Parameters | undefined,
): ScoredList {
  const { k, perDocument, prefixes = [] } = options;
  const { snapshot } = state;
  checkCount(k);
  checkWeights(terms, prefixes);
  const allow = allowedRows(state, options, operators);
  const wanted = {
    k,
    ...(bm25 && { parameters: bm25 }),
    ...(perDocument && { groups: snapshot.documents }),
    ...(allow && { allow }),
  };
  if (operators === undefined || prefixes.length === 0) return toList(searchBm25(snapshot.postings, terms, wanted));
  const { source } = state.operators(operators.operatorRows);
  return toList(operators.searchBm25Query(source, { terms, prefixes }, wanted));
}

/** @throws SurmiseError `bad_argument` */
export function nearestTo(
  state: IndexState,
  vector: Float32Array,
  options: NearOptions,
  operators: Operators | undefined,
  { readVectors }: Vectors,
): ScoredList {
  const { k, perDocument } = options;
  checkCount(k);
  checkVector(vector, state.info);
  const allow = allowedRows(state, options, operators);
  const groups = perDocument ? { groups: state.snapshot.documents } : {};
  const rows = state.vectors(readVectors, vector.length);
  return toList(rows.search(vector, { k, ...groups, ...(allow && { allow }) }));
}

/** The parts of the BM25 scores of chunks, by term. @throws SurmiseError `bad_argument` */
export function explainTerms(
  state: IndexState,
  terms: readonly WeightedTerm[],
  ids: readonly string[],
  { prefixes = [] }: Pick<MatchOptions, 'prefixes'>,
  operators: Operators | undefined,
  bm25: Bm25Parameters | undefined,
): { readonly id: string; readonly parts: readonly TermPart[] }[] {
  checkWeights(terms, prefixes);
  const { snapshot } = state;
  const explain = (row: number) =>
    operators === undefined
      ? explainBm25(snapshot.postings, terms, row, bm25)
      : operators.explainBm25Query(state.operators(operators.operatorRows).source, { terms, prefixes }, row, bm25);
  return ids.flatMap((id) => {
    const [row] = snapshot.rowsOf([id]);
    if (row === undefined) return [];
    const parts = explain(row).map(({ frequency, score, ...part }) => ({ ...part, tf: frequency, part: score }));
    return { id, parts };
  });
}

function checkOperators(prefixes: readonly WeightedPrefix[], require: Requirement | undefined): void {
  const isText = (value: unknown) => typeof value === 'string' && value !== '';
  const isClause = (clause: Partial<Record<'sequence' | 'prefix', unknown>> | null) =>
    isText(clause?.prefix) ||
    (Array.isArray(clause?.sequence) && clause.sequence.length > 0 && clause.sequence.every(isText));
  const areClauses = (list: unknown) => Array.isArray(list) && list.every(isClause);
  if (!prefixes.every(({ prefix, terms }) => isText(prefix) && Array.isArray(terms) && terms.every(isText)))
    throw new SurmiseError('bad_argument', '"prefixes" must be a list of {"prefix", "terms", "weight"}.');
  if (require === undefined) return;
  const { must, not } = require;
  if (!(Array.isArray(must) && must.every(areClauses) && areClauses(not)))
    throw new SurmiseError('bad_argument', '"require" must be what the store made of a question, see "parse".');
}

function checkCount(k: number): void {
  if (!Number.isSafeInteger(k) || k < 1)
    throw new SurmiseError('bad_argument', `"k" must be a whole number of 1 or more, not ${k}.`);
}

function checkWeights(terms: readonly WeightedTerm[], prefixes: NonNullable<MatchOptions['prefixes']>): void {
  const named = [...terms, ...prefixes.map(({ prefix, weight }) => ({ term: `${prefix}*`, weight }))];
  for (const { term, weight } of named)
    if (!(weight > 0 && weight < Number.POSITIVE_INFINITY))
      throw new SurmiseError('bad_argument', `The weight of "${term}" must be a finite number above 0.`);
}

function checkVector(vector: Float32Array, { fingerprint }: StoreInfo): void {
  if (fingerprint !== undefined && vector.length !== fingerprint.dimensions)
    throw new SurmiseError(
      'bad_argument',
      `The vector has ${vector.length} dimensions, those in the index have ${fingerprint.dimensions}.`,
    );
  if (!vector.every(Number.isFinite))
    throw new SurmiseError('bad_argument', 'The vector holds a value that is not a finite number.');
}

/** By row of `chunks`: 1 where it may be found, by its id, the filter and the requirement; undefined for all. */
function allowedRows(
  state: IndexState,
  { ids, where, require }: NearOptions,
  operators: Operators | undefined,
): Uint8Array | undefined {
  const { snapshot } = state;
  const masks: Uint8Array[] = [];
  if (ids !== undefined) masks.push(rowsOf(snapshot, ids));
  if (where !== undefined) masks.push(state.filter(where).allow);
  if (require !== undefined && operators !== undefined)
    masks.push(state.operators(operators.operatorRows).fulfilling(require));
  const [first, ...others] = masks;
  return first && others.reduce((both, mask) => both.map((allowed, row) => allowed & mask[row]!), first);
}

function rowsOf({ documents, rowsOf: find }: Snapshot, ids: readonly string[]): Uint8Array {
  const rows = new Uint8Array(documents.of.length);
  for (const row of find(ids)) rows[row] = 1;
  return rows;
}

function toList({ hits, groupHits, matched, min, max }: Bm25Result | VectorResult): ScoredList {
  const known = new Set(hits.map(({ row }) => row));
  const more = groupHits.filter(({ row }) => !known.has(row));
  const scored = (list: typeof hits) => list.map(({ id, score }) => ({ id, score }));
  return {
    hits: scored(hits),
    ...(more.length > 0 && { more: scored(more) }),
    matched,
    range: { min, max },
  };
}
