import { crc32 as zlibCrc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deadName, segmentName } from '../../src/kernels/bm25-block-names.js';
import { createBm25Index, loadBm25Index } from '../../src/kernels/bm25-index.js';
import { crc32 } from '../../src/kernels/crc32.js';
import { answers, options } from './bm25-changes.js';

type Parts = Map<string, Uint8Array>;
const sizeOf = (parts: Parts) => Array.from(parts.values()).reduce((sum, { length }) => sum + length, 0);
const plain = (...terms: string[]) => terms.map((term) => ({ term, weight: 1 }));

/** Two segments, one of them with dead rows. */
function small() {
  const index = createBm25Index(options);
  const words = ['a', 'ab', 'abc', 'b', 'ba', 'c', 'é', '😀', '\ud800'];
  const add = (from: number, to: number) => {
    for (let at = from; at < to; at++)
      index.add(`${at}`, { title: [words[at % 9]!], body: [words[at % 4]!, words[at % 7]!, words[at % 5]!] });
  };
  add(0, 30);
  const parts: Parts = index.toBlocks().write;
  index.remove('4');
  index.remove('11');
  add(30, 40);
  const { write, remove } = index.toBlocks();
  expect(remove).toEqual([]);
  for (const [name, bytes] of write) parts.set(name, bytes);
  return { index, parts };
}

/** What all questions and a merge of everything say of parts; undefined where they are refused, then with RangeError. */
function outcome(parts: Parts | Uint8Array) {
  try {
    const index = loadBm25Index(parts);
    const before = answers(index);
    index.add('later', ['a']);
    index.remove('later');
    return [before, answers(index)];
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
    return undefined;
  }
}

describe('damage', () => {
  const { index, parts } = small();
  const expected = answers(index);

  test('of a bit of any byte of any part is an error', () => {
    expect(outcome(parts)).toEqual([expected, expected]);
    let refused = 0;
    for (const [name, bytes] of parts) {
      for (let at = 0; at < bytes.length; at++) {
        const changed = bytes.slice();
        changed[at]! ^= 1 << (at & 7);
        if (outcome(new Map(parts).set(name, changed)) === undefined) refused++;
      }
    }
    expect(refused).toBe(sizeOf(parts));
  });

  test('parts that are missing, cut off, exchanged or of an earlier state are refused', () => {
    const names = [...parts.keys()];
    const error = (wrong: Parts) => expect(outcome(wrong)).toBeUndefined();
    for (const name of names) {
      const without = new Map(parts);
      without.delete(name);
      error(without);
      error(new Map(parts).set(name, parts.get(name)!.subarray(1)));
      error(new Map(parts).set(name, new Uint8Array(0)));
      for (const other of names) if (other !== name) error(new Map(parts).set(name, parts.get(other)!));
    }
    const later = new Map(parts);
    const next = loadBm25Index(parts);
    next.remove('20');
    for (const [name, bytes] of next.toBlocks().write) later.set(name, bytes);
    error(new Map(later).set(deadName(0, 0), parts.get(deadName(0, 0))!));
    expect(() => loadBm25Index(new Map())).toThrow(/"bm25" is missing/);
  });

  test('of the bytes of save is an error at once', () => {
    const bytes = index.save();
    expect(outcome(bytes)).toEqual([expected, expected]);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = bytes.slice();
        changed[at]! ^= change;
        expect(() => loadBm25Index(changed)).toThrow(RangeError);
        expect(() => loadBm25Index(bytes.subarray(0, at))).toThrow(RangeError);
      }),
    );
    expect(() => loadBm25Index(Uint8Array.of(...bytes, 0))).toThrow(RangeError);
  });

  test('made with a right checksum is an error or an answer, and ends', () => {
    const manifest = 'bm25';
    const resealed = (bytes: Uint8Array) => {
      const body = bytes.subarray(0, -4);
      return Uint8Array.of(...body, ...Uint8Array.from({ length: 4 }, (_, at) => crc32(body) >>> (8 * at)));
    };
    fc.assert(
      fc.property(fc.nat(1_000), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = parts.get(manifest)!.slice();
        changed[at % (changed.length - 4)]! ^= change;
        outcome(new Map(parts).set(manifest, resealed(changed)));
      }),
    );
  });

  test('that a merge meets is thrown once; the write is done, and what is not damaged is found', () => {
    const saved: Parts = new Map();
    const made = createBm25Index();
    for (let segment = 0; segment < 8; segment++) {
      for (let at = 0; at < 50; at++) made.add(`${segment}.${at}`, ['all', `only${segment}`]);
      for (const [name, bytes] of made.toBlocks().write) saved.set(name, bytes);
    }
    const name = 'postings.3.0.0';
    saved.set(
      name,
      saved.get(name)!.map((byte) => byte ^ 1),
    );
    const loaded = loadBm25Index(saved);
    expect(() => {
      for (let at = 0; at < 500; at++) loaded.add(`new${at}`, ['aaa', 'aab']);
    }).toThrow(/"postings.3.0.0" is damaged/);
    const done = loaded.size;
    for (let at = 0; at < 500; at++) loaded.add(`new${at}`, ['aaa', 'aab']);
    expect(done).toBeGreaterThan(400);
    expect(loaded.size).toBe(900);
    expect(loaded.merge()).toBe(false);
    expect(loaded.frequency('aaa')).toBe(500);
    expect(() => loaded.search(plain('only3'), { k: 1 })).toThrow(RangeError);
  });
});

test('parts are found where they are needed, and a snapshot still finds those that the saved copy has lost', () => {
  const { index, parts } = small();
  const loaded = loadBm25Index(parts);
  const before = loaded.snapshot();
  const expected = answers(index);
  for (let at = 0; at < 40; at++) loaded.remove(`${at}`);
  for (let at = 0; at < 5; at++) loaded.add(`${at}`, ['z']);
  loaded.merge();
  const { write, remove } = loaded.toBlocks();
  expect(remove).toContain(segmentName(0));
  for (const [name, bytes] of write) parts.set(name, bytes);
  for (const name of remove) parts.delete(name);
  expect([...parts.keys()].sort()).toEqual([...loaded.toBlocks({ all: true }).write.keys()].sort());
  expect(answers(before)).toEqual(expected);
  const last = loadBm25Index(parts);
  parts.clear();
  expect(last.frequency('z')).toBe(5);
});

test('an index without documents or without terms is saved as well', () => {
  const index = createBm25Index();
  expect(loadBm25Index(index.toBlocks().write).size).toBe(0);
  index.add('empty', []);
  const loaded = loadBm25Index(index.toBlocks({ all: true }).write);
  expect([loaded.size, loaded.has('empty'), loaded.averageLength]).toEqual([1, true, 0]);
  expect(loaded.search(plain('a'), { k: 1 })).toEqual({ hits: [], matched: 0, min: 0, max: 0 });
});

test('checksums are those of zlib', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => crc32(bytes) === zlibCrc32(bytes)));
});
