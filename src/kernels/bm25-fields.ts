import type { WeightedPostings } from './postings.js';
import { createPostingsList, type PostingsList } from './postings-list.js';
import { uniteRows } from './postings-sets.js';

/** Fields of the documents of an index by name: how often one occurrence of a term in them counts, more than 0. */
export type FieldBoosts = Readonly<Record<string, number>>;

/** One field: its postings, and its length in each row. */
export interface Field {
  readonly name: string;
  readonly boost: number;
  lists: Map<string, PostingsList>;
  lengths: number[];
  /** Terms of all live rows. */
  total: number;
}

/** The field of an index that was made without fields. */
const onlyField = 'body';
const mostFields = 64;

export function createFields(boosts: FieldBoosts = { [onlyField]: 1 }): Field[] {
  const entries = Object.entries(boosts);
  if (entries.length === 0 || entries.length > mostFields)
    throw new RangeError(`An index has 1 to ${mostFields} fields, got ${entries.length}.`);
  return entries.map(([name, boost]) => {
    if (!Number.isFinite(boost) || boost <= 0)
      throw new RangeError(`The boost of the field "${name}" must be more than 0 and finite, got ${boost}.`);
    return { name, boost, lists: new Map(), lengths: [], total: 0 };
  });
}

/** The terms of each field, in the order of the fields. A list is the terms of the last one. RangeError for others. */
export function termsByField(fields: readonly Field[], terms: DocumentTerms): (readonly string[])[] {
  if (isList(terms)) return fields.map((_, at) => (at === fields.length - 1 ? terms : []));
  const unknown = Object.keys(terms).find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined) {
    const known = fields.map(({ name }) => name).join(', ');
    throw new RangeError(`The index has no field "${unknown}"; it has: ${known}.`);
  }
  return fields.map(({ name }) => (Object.hasOwn(terms, name) ? terms[name]! : []));
}

export type DocumentTerms = readonly string[] | Readonly<Record<string, readonly string[]>>;

function isList(terms: DocumentTerms): terms is readonly string[] {
  return Array.isArray(terms);
}

export function appendTerms(field: Field, row: number, terms: readonly string[]): void {
  field.lengths[row] = terms.length;
  field.total += terms.length;
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  for (const [term, count] of counts) {
    let list = field.lists.get(term);
    if (list === undefined) {
      list = createPostingsList();
      field.lists.set(term, list);
    }
    list.append(row, count);
  }
}

/**
 * The postings of a term in all fields, as of a text in which each field is repeated as often as its boost says
 * (Robertson, Zaragoza and Taylor 2004): frequencies and lengths are sums with the boosts as weights.
 */
export function fieldPostings(
  fields: readonly Field[],
  term: string,
  removals: number,
  isLive: (row: number) => boolean,
): WeightedPostings | undefined {
  const holding = fields.filter(({ lists }) => lists.has(term));
  if (holding.length === 0) return undefined;
  const lists = holding.map((field) => field.lists.get(term)!.read(removals, isLive));
  return uniteRows(
    lists,
    holding.map(({ boost }) => boost),
  );
}

/** The length of each row, and its mean. */
export function fieldLengths(fields: readonly Field[], rows: number, size: number) {
  const lengths = new Float64Array(rows);
  for (const { boost, lengths: own } of fields) for (let row = 0; row < rows; row++) lengths[row]! += boost * own[row]!;
  const total = fields.reduce((sum, field) => sum + field.boost * field.total, 0);
  return { lengths, averageLength: size === 0 ? 0 : total / size };
}
