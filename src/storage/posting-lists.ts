import type { NumberedTerms, Postings } from '../kernels/index.js';
import { encodeList, type List } from './list-bytes.js';

/** The postings of one write, before they have their place. Rows count the chunks of the write from 0. */
export interface PostingLists {
  /** Counts the terms of the next chunk. */
  add(terms: NumberedTerms): void;
  readonly chunks: number;
  /** Terms in the order of their bytes, each with its list; the rows counted from `firstRow`. */
  lists(firstRow: number): Generator<readonly [term: Buffer, list: List]>;
}

/** Flat arrays: a batch has some hundred thousand entries of some ten thousand terms, too many to be objects. */
export function createPostingLists(): PostingLists {
  const numberByTerm = new Map<string, number>();
  let entries = { terms: new Uint32Array(1024), rows: new Uint32Array(1024), frequencies: new Uint32Array(1024) };
  let count = 0;
  let chunks = 0;
  /** By the vocabulary's number: the number here and 1; 0 of terms that did not occur. */
  let known = new Uint32Array(0);
  let vocabulary: readonly string[] = [];
  /** By number of the term: its last entry, which is where it occurs again in the same chunk. */
  const lastEntry: number[] = [];
  /** By number of the term: how many entries. */
  const sizes: number[] = [];

  function numberOf(term: string): number {
    const found = numberByTerm.get(term);
    if (found !== undefined) return found;
    numberByTerm.set(term, numberByTerm.size);
    lastEntry.push(-1);
    return sizes.push(0) - 1;
  }

  return {
    get chunks() {
      return chunks;
    },
    add(terms) {
      if (terms.vocabulary !== vocabulary || known.length < vocabulary.length) {
        const same = terms.vocabulary === vocabulary;
        vocabulary = terms.vocabulary;
        const larger = new Uint32Array(vocabulary.length * 2);
        if (same) larger.set(known);
        known = larger;
      }
      const { numbers } = terms;
      const start = count;
      while (count + numbers.length > entries.rows.length) entries = grown(entries);
      const { terms: termOf, rows, frequencies } = entries;
      for (let at = 0; at < numbers.length; at++) {
        const outside = numbers[at]!;
        let number = known[outside]! - 1;
        if (number < 0) {
          number = numberOf(vocabulary[outside]!);
          known[outside] = number + 1;
        }
        const last = lastEntry[number]!;
        if (last >= start) {
          frequencies[last]!++;
          continue;
        }
        termOf[count] = number;
        rows[count] = chunks;
        frequencies[count] = 1;
        lastEntry[number] = count++;
        sizes[number]!++;
      }
      chunks++;
    },
    *lists(firstRow) {
      const places = new Uint32Array(sizes.length);
      let place = 0;
      sizes.forEach((size, number) => {
        places[number] = place;
        place += size;
      });
      const rows = new Uint32Array(count);
      const frequencies = new Uint32Array(count);
      for (let entry = 0; entry < count; entry++) {
        const at = places[entries.terms[entry]!]!++;
        rows[at] = firstRow + entries.rows[entry]!;
        frequencies[at] = entries.frequencies[entry]!;
      }
      for (const [bytes, number] of inOrder(numberByTerm)) {
        const end = places[number]!;
        const start = end - sizes[number]!;
        const postings: Postings = { rows: rows.subarray(start, end), frequencies: frequencies.subarray(start, end) };
        yield [bytes, encodeList(postings)];
      }
    },
  };
}

function inOrder(numbers: ReadonlyMap<string, number>): (readonly [Buffer, number])[] {
  const terms = [...numbers].map(([term, number]) => ({ term, number, bytes: Buffer.from(term) }));
  // Units order as bytes do but for characters beyond 16 bits.
  const units = !terms.some(({ term }) => /[\ud800-\udfff]/.test(term));
  terms.sort(units ? (a, b) => (a.term < b.term ? -1 : 1) : (a, b) => Buffer.compare(a.bytes, b.bytes));
  return terms.map(({ bytes, number }) => [bytes, number]);
}

function grown<T extends Record<string, Uint32Array>>(arrays: T): T {
  return Object.fromEntries(
    Object.entries(arrays).map(([name, array]) => {
      const larger = new Uint32Array(array.length * 2);
      larger.set(array);
      return [name, larger];
    }),
  ) as T;
}
