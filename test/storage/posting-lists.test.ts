import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeList } from '../../src/storage/list-bytes.js';
import { readPostingBlock, toPostingBlocks } from '../../src/storage/posting-blocks.js';
import { createPostingLists } from '../../src/storage/posting-lists.js';

const vocabulary = [
  'a',
  'ab',
  'abc',
  'abcd',
  'abcdefghijklmnopqrstuvwx',
  'abcdefghijklmnopqrstuvwxyz',
  '\u00e9',
  '\u{1f600}',
];
const chunks = fc.array(fc.array(fc.nat(vocabulary.length - 1), { maxLength: 300 }), { minLength: 1, maxLength: 40 });
const firstRow = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constant(2 ** 32 - 100));

function blocksOf(texts: readonly (readonly number[])[], first: number) {
  const lists = createPostingLists();
  for (const numbers of texts) lists.add({ vocabulary, numbers: Uint32Array.from(numbers) });
  return lists.blocks(first);
}

test('blocks hold how often each term is in each chunk, terms in the order of their bytes', () => {
  fc.assert(
    fc.property(chunks, firstRow, (texts, first) => {
      const counts = new Map<string, [number, number][]>();
      texts.forEach((numbers, chunk) => {
        for (const number of new Set(numbers)) {
          const term = vocabulary[number]!;
          const frequency = numbers.filter((other) => other === number).length;
          counts.set(term, [...(counts.get(term) ?? []), [first + chunk, frequency]]);
        }
      });
      const found = blocksOf(texts, first).flatMap(({ first: firstTerm, data }) => {
        const entries = [...readPostingBlock(data)];
        expect(entries[0]!.term).toEqual(firstTerm);
        return entries.map(({ term, list }) => {
          const { rows, frequencies } = decodeList(list);
          return [term.toString(), Array.from(rows, (row, at) => [row, frequencies[at]])];
        });
      });
      const order = [...counts.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect(found).toEqual(order.map((term) => [term, counts.get(term)]));
    }),
  );
});

test('blocks that are read and written again are the same bytes', () => {
  fc.assert(
    fc.property(chunks, firstRow, (texts, first) => {
      const blocks = blocksOf(texts, first);
      const entries = blocks.flatMap(({ data }) =>
        [...readPostingBlock(data)].map(({ term, list }) => [term, list] as const),
      );
      expect([...toPostingBlocks(entries)]).toEqual(blocks);
    }),
  );
});

test('a list larger than a block is a block of its own, and no term is lost around it', () => {
  const large = Array.from({ length: 3_000 }, () => [1]);
  const blocks = blocksOf([[0, 2], ...large], 1);
  expect(blocks.map(({ first }) => first.toString())).toEqual(['a', 'ab', 'abc']);
});

test('nothing makes no block', () => {
  expect(createPostingLists().blocks(1)).toEqual([]);
});
