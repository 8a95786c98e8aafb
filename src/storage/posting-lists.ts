import type { NumberedTerms } from '../kernels/number-terms.js';
import { type PostingBlock, postingBlockWriter } from './posting-block-writer.js';
import { emptyEntry, setList, setTerm } from './posting-entry.js';
import { termOrder } from './term-order.js';

/** The postings of one write, before they have their place. Rows count the chunks of the write from 0. */
export interface PostingLists {
  /** Counts the terms of the next chunk. */
  add(terms: NumberedTerms): void;
  readonly chunks: number;
  /** All terms with their lists; the rows counted from `firstRow`. */
  blocks(firstRow: number): PostingBlock[];
}

/** Terms that a text may add to the vocabulary before room for them is made anew. */
const spareTerms = 4_096;

/** Flat arrays: a batch has some hundred thousand entries of some ten thousand terms, too many to be objects. */
export function createPostingLists(): PostingLists {
  /** Each once. */
  const terms: string[] = [];
  /** The places of `terms`, once the vocabulary has been another one; until then `known` has all of them. */
  let numberByTerm: Map<string, number> | undefined;
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
    const found = numberByTerm?.get(term);
    if (found !== undefined) return found;
    numberByTerm?.set(term, terms.length);
    lastEntry.push(-1);
    sizes.push(0);
    return terms.push(term) - 1;
  }

  return {
    get chunks() {
      return chunks;
    },
    add({ numbers, vocabulary: ofNumbers }) {
      if (ofNumbers !== vocabulary || known.length < vocabulary.length) {
        const same = ofNumbers === vocabulary;
        if (!same && terms.length > 0) numberByTerm ??= new Map(terms.map((term, number) => [term, number]));
        vocabulary = ofNumbers;
        const larger = new Uint32Array(vocabulary.length + spareTerms);
        if (same) larger.set(known);
        known = larger;
      }
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
    blocks(firstRow) {
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
      const blocks: PostingBlock[] = [];
      const writer = postingBlockWriter((block) => blocks.push(block));
      const entry = emptyEntry();
      for (const number of termOrder(terms)) {
        const end = places[number]!;
        setTerm(entry, terms[number]!);
        setList(entry, rows, frequencies, end - sizes[number]!, end);
        writer.add(entry);
      }
      writer.close();
      return blocks;
    },
  };
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
