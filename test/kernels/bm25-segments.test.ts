import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Bm25Index, createBm25Index, loadBm25Index } from '../../src/kernels/bm25-index.js';
import type { Bm25Reader } from '../../src/kernels/bm25-reader.js';
import { segmentsToMerge } from '../../src/kernels/merge-policy.js';
import { answers, builtAnew, type Change, change, type Documents, options } from './bm25-changes.js';

/** An index with its saved copy, and the documents that must be in it. */
function play(changes: readonly Change[]) {
  let index: Bm25Index = createBm25Index(options);
  const documents: Documents = new Map();
  const parts = new Map<string, Uint8Array>();
  const snapshots: { reader: Bm25Reader; documents: Documents }[] = [];
  const save = () => {
    const { write, remove } = index.toBlocks();
    for (const [name, bytes] of write) parts.set(name, bytes);
    for (const name of remove) expect(parts.delete(name)).toBe(true);
  };
  for (const step of changes) {
    if (step.kind === 'add') {
      index.add(step.id, step.terms);
      documents.set(step.id, step.terms);
    } else if (step.kind === 'remove') expect(index.remove(step.id)).toBe(documents.delete(step.id));
    else if (step.kind === 'merge') index.merge(step.postings);
    else if (step.kind === 'search') index.search([{ term: 'a', weight: 1 }], { k: 2 });
    else if (step.kind === 'snapshot') snapshots.push({ reader: index.snapshot(), documents: new Map(documents) });
    else {
      save();
      if (step.kind === 'load') index = loadBm25Index(parts);
    }
  }
  return { index, documents, parts, snapshots, save };
}

test('after any changes, merges and searches it answers like an index built at once; so do snapshots and saved copies', () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 220 }), (changes) => {
      const { index, documents, parts, snapshots, save } = play(changes);
      const expected = answers(builtAnew(documents));
      expect(answers(index)).toEqual(expected);
      save();
      expect(answers(loadBm25Index(parts))).toEqual(expected);
      expect(answers(loadBm25Index(index.save()))).toEqual(expected);
      expect(answers(loadBm25Index(index.toBlocks({ all: true }).write))).toEqual(expected);
      while (index.merge(7)) expect(index.size).toBe(documents.size);
      expect(answers(index)).toEqual(expected);
      for (const snapshot of snapshots.slice(0, 3))
        expect(answers(snapshot.reader)).toEqual(answers(builtAnew(snapshot.documents)));
    }),
    { numRuns: 60 },
  );
});

describe('merging', () => {
  const filled = (count: number, index = createBm25Index()) => {
    for (let at = 0; at < count; at++) {
      index.add(`${at}`, [`w${at % 7}`, `v${at % 101}`, 'all']);
      if (at % 10 === 9) index.toBlocks();
    }
    return index;
  };
  const segmentsOf = (index: Bm25Index) =>
    [...index.toBlocks({ all: true }).write.keys()].filter((name) => name.startsWith('segment.')).length;

  test('keeps up with writes: hundreds of small segments become few, and removed documents leave them', () => {
    const index = filled(6_000);
    expect(segmentsOf(index)).toBeLessThan(30);
    const before = index.snapshot();
    for (let at = 0; at < 5_990; at++) index.remove(`${at}`);
    index.merge();
    expect(index.frequency('all')).toBe(10);
    expect(before.frequency('all')).toBe(6_000);
    const rows = index.save().length;
    expect(rows).toBeLessThan(filled(100).save().length);
  });

  test('a slice does about what it is asked for, and an index in the middle of a merge answers as before', () => {
    const index = createBm25Index();
    for (let segment = 0; segment < 8; segment++) {
      for (let at = 0; at < 500; at++) index.add(`${segment}.${at}`, [`t${at}`, `u${at % 50}`, 'all']);
      index.toBlocks();
    }
    const query = [{ term: 'u7', weight: 1 }];
    const expected = index.search(query, { k: 100 });
    expect(() => index.merge(0)).toThrow(RangeError);
    let slices = 0;
    while (index.merge(500)) {
      slices++;
      expect(index.search(query, { k: 100 })).toEqual(expected);
    }
    // 12,000 postings, 4,000 rows and a little for each term.
    expect(slices).toBeGreaterThan(20);
    expect(slices).toBeLessThan(40);
    expect(segmentsOf(index)).toBe(1);
  });

  test('segments on both sides of one that is being merged are left apart', () => {
    const index = createBm25Index();
    const words = (at: number) => Array.from({ length: 100 }, (_, word) => `${at}-${word}`);
    for (let at = 0; at < 420; at++) {
      index.add(`${at}`, words(at));
      if (at % 60 === 59) index.toBlocks();
    }
    // The segment in the middle is now half dead, and a removal does not pay for writing it anew.
    for (let at = 180; at < 211; at++) index.remove(`${at}`);
    for (const id of ['x', 'y', 'z']) {
      index.add(id, ['short']);
      index.toBlocks();
    }
    expect(index.merge(1)).toBe(true);
    for (let at = 0; at < 420; at += 7) index.remove(`${at}`);
    index.merge();
    const left = Array.from({ length: 420 }, (_, at) => at).filter((at) => at % 7 !== 0 && (at < 180 || at >= 211));
    expect(index.size).toBe(left.length + 3);
    for (const at of left) expect(index.frequency(`${at}-99`)).toBe(1);
    expect(index.frequency('short')).toBe(3);
  });

  test('an id that is written over and over takes no room', () => {
    const index = createBm25Index();
    for (let at = 0; at < 30_000; at++) index.add('same', [`w${at}`]);
    expect(index.size).toBe(1);
    index.toBlocks();
    index.merge();
    expect(index.save().length).toBeLessThan(400);
    expect(index.search([{ term: 'w29999', weight: 1 }], { k: 2 }).matched).toBe(1);
    expect(index.frequency('w29998')).toBe(0);
  });

  test('many documents added at once make segments by themselves', () => {
    const index = createBm25Index();
    for (let at = 0; at < 70_000; at++) index.add(`${at}`, [at % 2 === 0 ? 'even' : 'odd']);
    for (let at = 0; at < 70_000; at += 1_000) index.remove(`${at}`);
    expect(segmentsOf(index)).toBe(2);
    expect([index.frequency('even'), index.frequency('odd')]).toEqual([34_930, 35_000]);
    const { hits, matched } = index.search([{ term: 'even', weight: 1 }], { k: 2, allow: (id) => id.length < 4 });
    expect([hits.map(({ id }) => id), matched]).toEqual([['10', '100'], 499]);
  });

  test('groups are of neighbours, whole, apart, and whatever comes there are few segments after it', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 3_000 }), { maxLength: 400 }), (sizes) => {
        let rows: number[] = [];
        let copied = 0;
        for (const size of sizes) {
          rows.push(size);
          for (;;) {
            const [group] = segmentsToMerge(rows);
            if (group === undefined) break;
            const { start, end } = group;
            expect(end - start).toBe(8);
            const merged = rows.slice(start, end).reduce((sum, count) => sum + count, 0);
            expect(merged).toBeGreaterThanOrEqual(8);
            copied += merged;
            rows = [...rows.slice(0, start), merged, ...rows.slice(end)];
          }
        }
        const total = sizes.reduce((sum, size) => sum + size, 0);
        expect(rows.reduce((sum, size) => sum + size, 0)).toBe(total);
        expect(rows.length).toBeLessThan(7 * 8);
        expect(copied).toBeLessThanOrEqual(7 * total);
      }),
    );
  });
});

test('a snapshot knows the documents of its time, by id as well', () => {
  const index = createBm25Index();
  index.add('a', ['x', 'y']);
  index.add('b', ['x']);
  const before = index.snapshot();
  index.remove('a');
  index.add('c', ['x', 'z', 'z']);
  expect([before.size, before.averageLength, before.has('a'), before.has('c')]).toEqual([2, 1.5, true, false]);
  expect([index.size, index.averageLength, index.has('a'), index.has('c')]).toEqual([2, 2, false, true]);
  const x = [{ term: 'x', weight: 1 }];
  expect(before.search(x, { k: 5 }).hits.map(({ id }) => id)).toEqual(['b', 'a']);
  expect(before.explain('a', x)!.score).toBe(before.search(x, { k: 2 }).hits[1]!.score);
  expect(before.explain('c', x)).toBeUndefined();
  expect(before.frequency('z')).toBe(0);
});
