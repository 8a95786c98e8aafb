import type { Postings } from './postings.js';
import { createPostingsList, type PostingsList } from './postings-list.js';

/** Documents that were written together, by row, fields by number. What it holds of a row never changes. */
export interface Segment {
  readonly rows: number;
  /** Entries of all postings, those of dead rows among them: what a merge has to do. */
  readonly entries: number;
  id(row: number): string;
  /** Terms of each row in the field. */
  lengths(field: number): ArrayLike<number>;
  /** Whether postings are decoded for each call, or views of what is there. */
  readonly decodes: boolean;
  /** Dead rows among them. Rows from `rows` on may come later. */
  postings(field: number, term: string): Postings | undefined;
  /** The terms of a field that begin so, each once, in any order. */
  termsFrom(field: number, prefix: string): Iterable<string>;
  /** The terms of a row in the order of its text; only where the index keeps sequences. */
  sequence(field: number, row: number): readonly string[];
}

/** A segment that takes rows at its end. */
export interface GrowingSegment extends Segment {
  append(id: string, byField: readonly (readonly string[])[]): void;
}

/** What a segment in memory is made of; lists by field. */
export interface SegmentContents {
  readonly ids: readonly string[];
  readonly lengths: readonly ArrayLike<number>[];
  readonly postings: readonly ReadonlyMap<string, Postings>[];
  /** By row, then by field; empty where the index keeps none. */
  readonly sequences: readonly (readonly (readonly string[])[])[];
  readonly entries: number;
}

export function segmentOf({ ids, lengths, postings, sequences, entries }: SegmentContents): Segment {
  return {
    rows: ids.length,
    entries,
    decodes: false,
    id: (row) => ids[row]!,
    lengths: (field) => lengths[field]!,
    postings: (field, term) => postings[field]!.get(term),
    termsFrom: (field, prefix) => keysFrom(postings[field]!, prefix),
    sequence: (field, row) => sequences[row]![field]!,
  };
}

export function createGrowingSegment(fields: number, keepsSequences: boolean): GrowingSegment {
  const ids: string[] = [];
  const lengths = Array.from({ length: fields }, (): number[] => []);
  const postings = Array.from({ length: fields }, () => new Map<string, PostingsList>());
  const sequences: (readonly (readonly string[])[])[] = [];
  let entries = 0;

  function appendTerms(field: number, row: number, terms: readonly string[]): void {
    lengths[field]!.push(terms.length);
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    const lists = postings[field]!;
    for (const [term, count] of counts) {
      let list = lists.get(term);
      if (list === undefined) {
        list = createPostingsList();
        lists.set(term, list);
      }
      list.append(row, count);
    }
    entries += counts.size;
  }

  return {
    get rows() {
      return ids.length;
    },
    get entries() {
      return entries;
    },
    decodes: false,
    append(id, byField) {
      const row = ids.length;
      byField.forEach((terms, field) => {
        appendTerms(field, row, terms);
      });
      if (keepsSequences) sequences.push(byField.map((terms) => [...terms]));
      ids.push(id);
    },
    id: (row) => ids[row]!,
    lengths: (field) => lengths[field]!,
    postings: (field, term) => postings[field]!.get(term)?.read(),
    termsFrom: (field, prefix) => keysFrom(postings[field]!, prefix),
    sequence: (field, row) => sequences[row]![field]!,
  };
}

function* keysFrom(lists: ReadonlyMap<string, unknown>, prefix: string): Generator<string> {
  for (const term of lists.keys()) if (term.startsWith(prefix)) yield term;
}
