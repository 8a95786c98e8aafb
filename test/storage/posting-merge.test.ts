import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addPosting,
  closePostingBlock,
  type PostingBlock,
  postingBlockWriter,
} from '../../src/storage/posting-block-writer.js';
import { readPostingBlock } from '../../src/storage/posting-blocks.js';
import { postingCursor } from '../../src/storage/posting-cursor.js';
import { createPostingLists } from '../../src/storage/posting-lists.js';
import { mergePostings } from '../../src/storage/posting-merge.js';

const vocabulary = [
  'a',
  'ab',
  'abc',
  'b',
  'abcdefghijklmnopqrstuvwx',
  'abcdefghijklmnopqrstuvwxyz',
  '\u00e9',
  '\u{1f600}',
];
const chunk = fc.array(fc.nat(vocabulary.length - 1), { maxLength: 200 });
const segments = fc.array(fc.array(chunk, { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 9 });

function blocksOf(texts: readonly (readonly number[])[], firstRow: number): PostingBlock[] {
  const lists = createPostingLists();
  for (const numbers of texts) lists.add({ vocabulary, numbers: Uint32Array.from(numbers) });
  return lists.blocks(firstRow);
}

function cursorOf(blocks: readonly Pick<PostingBlock, 'data'>[]) {
  const rest = blocks.map(({ data }) => data);
  return postingCursor(() => rest.shift());
}

function merged(parts: readonly (readonly PostingBlock[])[]): PostingBlock[] {
  const blocks: PostingBlock[] = [];
  const writer = postingBlockWriter((block) => blocks.push(block));
  mergePostings(parts.map(cursorOf), (entry) => addPosting(writer, entry));
  closePostingBlock(writer);
  return blocks;
}

test('segments merged are the bytes of one segment of all chunks', () => {
  fc.assert(
    fc.property(segments, fc.constantFrom(1, 100, 2 ** 31, 2 ** 32 - 200), (parts, firstRow) => {
      let row = firstRow;
      const written = parts.map((texts) => {
        row += texts.length;
        return blocksOf(texts, row - texts.length);
      });
      expect(merged(written)).toEqual(blocksOf(parts.flat(), firstRow));
    }),
  );
});

test('segments whose rows do not follow one another are refused', () => {
  const [lower, upper] = [blocksOf([[0], [0]], 1), blocksOf([[0], [0]], 2)];
  for (const parts of [
    [upper, lower],
    [lower, upper],
    [lower, lower],
  ])
    expect(() => merged(parts)).toThrow(RangeError);
});

test('bytes that are no block are refused, and others read as block by block', () => {
  const good = blocksOf(
    [
      [0, 1, 2, 3, 4, 5],
      [1, 1, 4],
      [6, 7],
    ],
    1,
  )[0]!.data;
  const change = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 3 });
  const damaged = fc.tuple(change, fc.nat(good.length)).map(([changes, length]) => {
    const data = Uint8Array.from(good);
    for (const [at, byte] of changes) data[at] = byte;
    return data.subarray(0, length);
  });
  const outcome = (read: () => unknown[]) => {
    try {
      return read();
    } catch (error) {
      return (error as Error).constructor;
    }
  };
  const stepwise = (data: Uint8Array) => {
    const cursor = cursorOf([{ data }]);
    const found: unknown[] = [];
    while (cursor.next()) {
      const { term, termLength, count, first, last } = cursor.entry;
      found.push([Buffer.from(term.subarray(0, termLength)).toString('hex'), count, first, last]);
    }
    return found;
  };
  fc.assert(
    fc.property(fc.oneof(damaged, fc.uint8Array({ maxLength: 30 })), (data) => {
      const whole = outcome(() =>
        [...readPostingBlock(data)].map(({ term, list: { count, first, last } }) => [
          term.toString('hex'),
          count,
          first,
          last,
        ]),
      );
      expect(outcome(() => stepwise(data))).toEqual(whole);
    }),
    { numRuns: 500 },
  );
});
