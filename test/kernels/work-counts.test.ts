/** What a search does, counted instead of timed: a slow-down of kind shows on any machine. `npm run bench:ci` prints it. */
import { afterAll, describe, expect, test } from 'vitest';
import { type QueryTerm, searchBm25 } from '../../src/kernels/bm25.js';
import { createBm25Index, loadBm25Index } from '../../src/kernels/bm25-index.js';
import { type QuerySource, searchBm25Query } from '../../src/kernels/bm25-query.js';
import { decodePostings, encodePostings } from '../../src/kernels/postings.js';
import { createVectorIndex } from '../../src/kernels/vector-index.js';
import { random, type Shape, vectorsOf } from './vector-shapes.js';

const counts: Record<string, number> = {};
afterAll(() => console.log(JSON.stringify({ counts })));

/** Documents of words whose frequencies fall as those of a language do. */
const documents = 20_000;
const words = 4_000;
const wordsOfDocument = 40;

function corpus() {
  const next = random(31);
  const rowsOf = Array.from({ length: words }, () => new Map<number, number>());
  const texts = Array.from({ length: documents }, (_, row) =>
    Array.from({ length: wordsOfDocument }, () => {
      const word = Math.floor(words ** next()) - 1;
      rowsOf[word]!.set(row, (rowsOf[word]!.get(row) ?? 0) + 1);
      return `w${word}`;
    }),
  );
  const bytes = new Map<string, Uint8Array>(
    rowsOf.flatMap((rows, word) =>
      rows.size === 0
        ? []
        : [[`w${word}`, encodePostings(Uint32Array.from(rows.keys()), Uint32Array.from(rows.values()))] as const],
    ),
  );
  return { texts, bytes };
}

const { texts, bytes } = corpus();

/** Decodes the lists of a term when it is asked for them, as an index on disk does, and counts. */
function countingSource() {
  const done = { terms: 0, postings: 0, bytes: 0, ids: 0, texts: 0 };
  const source: QuerySource = {
    size: documents,
    averageLength: wordsOfDocument,
    lengths: new Uint32Array(documents).fill(wordsOfDocument),
    id(row) {
      done.ids++;
      return `d${row}`;
    },
    postings(term) {
      const list = bytes.get(term);
      if (list === undefined) return undefined;
      const found = decodePostings(list);
      done.terms++;
      done.bytes += list.length;
      done.postings += found.rows.length;
      return found;
    },
    termsFrom: (prefix) => Array.from(bytes.keys()).filter((term) => term.startsWith(prefix)),
    termsOf(row) {
      done.texts++;
      return texts[row]!;
    },
  };
  return { source, done };
}

const frequency = (term: string) => decodePostings(bytes.get(term)!).rows.length;
const sum = (terms: readonly string[]) => terms.reduce((total, term) => total + frequency(term), 0);
const plain = (terms: readonly string[]): QueryTerm[] => terms.map((term) => ({ term, weight: 1 }));

function searched(name: string, terms: readonly string[]) {
  const { source, done } = countingSource();
  searchBm25(source, plain(terms), { k: 100 });
  counts[`${name}: postings decoded`] = done.postings;
  counts[`${name}: bytes of postings`] = done.bytes;
  counts[`${name}: ids read`] = done.ids;
  return done;
}

describe('BM25', () => {
  test('decodes the postings of the terms asked for, each once, and reads few ids', () => {
    const terms = [2, 9, 17, 60, 150, 400, 900, 2_500].map((word) => `w${word}`);
    const done = searched('8 words', [...terms, terms[0]!, 'unknown']);
    expect(done).toMatchObject({ terms: 8, postings: sum(terms), texts: 0 });
    expect(done.bytes).toBeLessThan(done.postings * 1.6);
    // Ids are for ties and for the hits.
    expect(done.ids).toBeLessThan(5_000);
  });

  test('takes 128 terms for what they hold, no more', () => {
    const terms = Array.from({ length: 128 }, (_, at) => `w${100 + at * 20}`);
    expect(searched('128 terms', terms)).toMatchObject({ terms: 128, postings: sum(terms), texts: 0 });
  });

  test('reads the texts of those rows for a phrase that hold all of its words', () => {
    const { source, done } = countingSource();
    const sequence = ['w12', 'w45'];
    const holding = texts.filter((text) => sequence.every((term) => text.includes(term))).length;
    searchBm25Query(source, { terms: plain(sequence), must: [[{ sequence }]] }, { k: 10 });
    counts['phrase: texts read'] = done.texts;
    expect(done.texts).toBe(holding);
    expect(holding).toBeLessThan(documents / 20);
  });
});

describe('a saved BM25 index', () => {
  const made = createBm25Index({ sequences: true });
  texts.forEach((text, row) => {
    made.add(`d${row}`, text);
  });
  const parts = made.toBlocks().write;
  const sizeOf = (written: ReadonlyMap<string, Uint8Array>) =>
    Array.from(written.values()).reduce((total, part) => total + part.length, 0);

  function opened() {
    const read = new Map<string, Uint8Array>();
    const index = loadBm25Index({
      get(name) {
        expect(read.has(name), `${name} read twice`).toBe(false);
        read.set(name, parts.get(name)!);
        return parts.get(name);
      },
    });
    const named = (kind: string) => [...read].filter(([name]) => name.startsWith(kind));
    return { index, read, named };
  }

  test('is opened by the lengths of its rows, and a search reads the blocks of its terms and the ids it needs', () => {
    const { index, read, named } = opened();
    expect([...read.keys()]).toEqual(['bm25', 'segment.0']);
    counts['saved BM25: bytes read to open it'] = sizeOf(read);
    expect(sizeOf(read)).toBeLessThan(documents * 1.2);
    const terms = ['w2', 'w60', 'w400', 'w2500', 'unknown'];
    expect(index.search(plain(terms), { k: 10 })).toEqual(made.search(plain(terms), { k: 10 }));
    const blocks = named('postings.');
    counts['saved BM25: bytes of postings read by 4 words'] = sizeOf(new Map(blocks));
    // A block is full with the list that reaches its size.
    expect(blocks.length).toBeLessThanOrEqual(5);
    const lists = terms.reduce((total, term) => total + (bytes.get(term)?.length ?? 0), 0);
    expect(sizeOf(new Map(blocks))).toBeLessThan(lists + 5 * 18_000);
    expect(named('sequences.')).toEqual([]);
    const before = read.size;
    index.search(plain(terms), { k: 10 });
    expect(read.size).toBe(before);
  });

  test('reads the order of terms of those rows for a phrase that hold all of its words', () => {
    const { index, named } = opened();
    const sequence = ['w1500', 'w9'];
    const holding = new Set(texts.flatMap((text, row) => (sequence.every((term) => text.includes(term)) ? [row] : [])));
    index.search({ terms: plain(sequence), must: [[{ sequence }]] }, { k: 10 });
    const pages = new Set(Array.from(holding, (row) => Math.floor(row / 256)));
    expect(
      named('sequences.')
        .map(([name]) => name)
        .sort(),
    ).toEqual(Array.from(pages, (p) => `sequences.0.${p}`).sort());
    expect(pages.size).toBeLessThan(documents / 256);
  });

  test('writes what changed, and each document a few times for all merges', () => {
    const index = loadBm25Index(parts);
    index.remove('d77');
    const removed = sizeOf(index.toBlocks().write);
    index.add('d78', texts[77]!);
    const replaced = sizeOf(index.toBlocks().write);
    counts['saved BM25: bytes written for a removal'] = removed;
    counts['saved BM25: bytes written for a replaced document'] = replaced;
    expect(removed).toBeLessThan(1_200);
    expect(replaced).toBeLessThan(2_400);
    const growing = createBm25Index();
    let written = 0;
    const saved = new Map<string, Uint8Array>();
    texts.slice(0, 2_000).forEach((text, row) => {
      growing.add(`d${row}`, text);
      if (row % 10 !== 9) return;
      const { write, remove } = growing.toBlocks();
      written += sizeOf(write);
      for (const [name, part] of write) saved.set(name, part);
      for (const name of remove) saved.delete(name);
    });
    const times = written / sizeOf(saved);
    counts['saved BM25: times that data is written in 200 saves'] = Number(times.toFixed(2));
    expect(saved.size).toBeLessThan(200);
    expect(times).toBeLessThan(8);
  });
});

describe('vectors', () => {
  const rows = 20_000;
  const dimensions = 96;
  test.each<readonly [Shape, number]>([
    ['unit', 200],
    ['sparse', 200],
    ['any length', 200],
  ])('%s rows: few scores are computed from float32 rows', (shape, most) => {
    const next = random(32);
    const vectors = vectorsOf(shape, rows, dimensions, next);
    let fetched = 0;
    const index = createVectorIndex(dimensions, {
      vectors: (ids) => {
        fetched += ids.length;
        return ids.map((id) => vectors[Number(id)]!);
      },
    });
    vectors.forEach((vector, row) => {
      index.add(`${row}`, vector);
    });
    const { rescored } = index.search(vectorsOf(shape, 1, dimensions, next)[0]!, { k: 10 });
    counts[`${shape} vectors: rescored`] = rescored;
    counts[`${shape} vectors: bytes touched`] = rows * (dimensions + 9) + rescored * dimensions * 4;
    expect(fetched).toBe(rescored);
    expect(rescored).toBeLessThan(most);
    const save = index.toBlocks();
    index.add('5', vectors[6]!);
    const again = index.toBlocks();
    const size = ({ write }: typeof save) => Array.from(write.values()).reduce((total, part) => total + part.length, 0);
    counts[`${shape} vectors: bytes written for one change`] = size(again);
    // The blocks of the old row and the new one.
    expect(size(again)).toBeLessThan(size(save) / 5);
  });
});
