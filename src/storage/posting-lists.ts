import type { NumberedTerms } from '../kernels/number-terms.js';
import { addPosting, closePostingBlock, type PostingBlock, postingBlockWriter } from './posting-block-writer.js';
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
interface Counts {
  /** Each once. */
  readonly terms: string[];
  /** The places of `terms`, once the vocabulary has been another one; until then `known` has all of them. */
  numberByTerm: Map<string, number> | undefined;
  entries: { terms: Uint32Array; rows: Uint32Array; frequencies: Uint32Array };
  count: number;
  chunks: number;
  /** By the vocabulary's number: the number here and 1; 0 of terms that did not occur. */
  known: Uint32Array;
  vocabulary: readonly string[];
  /** By number of the term: its last entry, which is where it occurs again in the same chunk. */
  readonly lastEntry: number[];
  /** By number of the term: how many entries. */
  readonly sizes: number[];
}

/** What does the work are functions of the module: those made anew for each batch would have to become fast anew. */
export function createPostingLists(): PostingLists {
  const counts: Counts = {
    terms: [],
    numberByTerm: undefined,
    entries: { terms: new Uint32Array(1024), rows: new Uint32Array(1024), frequencies: new Uint32Array(1024) },
    count: 0,
    chunks: 0,
    known: new Uint32Array(0),
    vocabulary: [],
    lastEntry: [],
    sizes: [],
  };
  return {
    get chunks() {
      return counts.chunks;
    },
    add: (terms) => countTerms(counts, terms),
    blocks: (firstRow) => toBlocks(counts, firstRow),
  };
}

function numberOf(counts: Counts, term: string): number {
  const { terms, numberByTerm } = counts;
  const found = numberByTerm?.get(term);
  if (found !== undefined) return found;
  numberByTerm?.set(term, terms.length);
  counts.lastEntry.push(-1);
  counts.sizes.push(0);
  return terms.push(term) - 1;
}

/** Makes the numbers of a vocabulary known, or more of them. */
function takeVocabulary(counts: Counts, vocabulary: readonly string[]): void {
  const same = vocabulary === counts.vocabulary;
  if (!same && counts.terms.length > 0)
    counts.numberByTerm ??= new Map(counts.terms.map((term, number) => [term, number]));
  counts.vocabulary = vocabulary;
  const larger = new Uint32Array(vocabulary.length + spareTerms);
  if (same) larger.set(counts.known);
  counts.known = larger;
}

function countTerms(counts: Counts, { numbers, vocabulary }: NumberedTerms): void {
  if (vocabulary !== counts.vocabulary || counts.known.length < vocabulary.length) takeVocabulary(counts, vocabulary);
  const start = counts.count;
  while (start + numbers.length > counts.entries.rows.length) counts.entries = grown(counts.entries);
  const { entries, known, lastEntry, sizes, chunks } = counts;
  let count = start;
  for (let at = 0; at < numbers.length; at++) {
    const outside = numbers[at]!;
    let number = known[outside]! - 1;
    if (number < 0) {
      number = numberOf(counts, vocabulary[outside]!);
      known[outside] = number + 1;
    }
    const last = lastEntry[number]!;
    if (last >= start) {
      entries.frequencies[last]!++;
      continue;
    }
    entries.terms[count] = number;
    entries.rows[count] = chunks;
    entries.frequencies[count] = 1;
    lastEntry[number] = count++;
    sizes[number]!++;
  }
  counts.count = count;
  counts.chunks++;
}

function toBlocks({ terms, sizes, entries, count }: Counts, firstRow: number): PostingBlock[] {
  const places = new Uint32Array(sizes.length);
  let place = 0;
  for (let number = 0; number < sizes.length; number++) {
    places[number] = place;
    place += sizes[number]!;
  }
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
  const order = termOrder(terms);
  for (let at = 0; at < order.length; at++) {
    const number = order[at]!;
    const end = places[number]!;
    setTerm(entry, terms[number]!);
    setList(entry, rows, frequencies, end - sizes[number]!, end);
    addPosting(writer, entry);
  }
  closePostingBlock(writer);
  return blocks;
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
