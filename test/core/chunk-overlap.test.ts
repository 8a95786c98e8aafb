import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Block, chunkText } from '../../src/core/chunk.js';
import { slice } from './chunk-documents.js';

const count = (text: string) => text.length;
const sentence = (name: string, length: number) => `${name} ${'x'.repeat(length - name.length - 2)}.`;
const cut = (text: string, size: number, overlap: number, blocks?: Block[]) =>
  chunkText(text, blocks, { size, overlap, count }).map((span) => slice(text, span));

test('a chunk begins with the last whole sentences of the one before', () => {
  const [a, b, c, d, e] = ['A', 'B', 'C', 'D', 'E'].map((name) => sentence(name, 30));
  const text = [a, b, c, d, e].join(' ');
  expect(cut(text, 95, 35)).toEqual([`${a} ${b} ${c}`, `${c} ${d} ${e}`]);
  expect(cut(text, 126, 62)).toEqual([`${a} ${b} ${c} ${d}`, `${c} ${d} ${e}`]);
  expect(cut(text, 95, 29)).toEqual([`${a} ${b} ${c}`, `${d} ${e}`]);
});

test('sentences of several paragraphs are repeated while they are of one section', () => {
  const [a, b, c] = ['A', 'B', 'C'].map((name) => sentence(name, 40));
  expect(cut([a, b, c].join('\n\n'), 90, 45)).toEqual([`${a}\n\n${b}`, `${b}\n\n${c}`]);
  const blocks = [a, b, c].map((text, index) => ({
    start: index * 42,
    end: index * 42 + text!.length,
    heading: [index < 2 ? 'One' : 'Two'],
  }));
  expect(cut([a, b, c].join('\n\n'), 90, 45, blocks)).toEqual([`${a}\n\n${b}`, c]);
});

test('a line that is wrapped is no end of a sentence', () => {
  const text = `${sentence('A', 40)} The second\nsentence is wrapped\r\nhere. ${sentence('C', 40)}`;
  const blocks = [{ start: 0, end: text.length, kind: 'paragraph' }];
  expect(cut(text, 90, 45, blocks)).toEqual([text.slice(0, 78), text.slice(41)]);
});

test('rows and code are not repeated', () => {
  const lines = ['A', 'B', 'C', 'D'].map((name) => sentence(name, 40)).join('\n');
  for (const kind of ['code', 'table']) {
    const spans = chunkText(lines, [{ start: 0, end: lines.length, kind }], { size: 130, overlap: 60, count });
    for (const [index, { start }] of spans.entries())
      if (index > 0) expect(start).toBeGreaterThanOrEqual(spans[index - 1]!.end);
  }
});

describe('any sentences', () => {
  const texts = fc
    .array(fc.tuple(fc.integer({ min: 5, max: 140 }), fc.constantFrom(' ', '\n\n', '\r\n')), { maxLength: 40 })
    .map((parts) => parts.map(([length, gap], index) => `${sentence(`S${index}`, length + 5)}${gap}`).join(''));

  test('what is repeated is whole sentences, within the overlap, and as many as fit', () => {
    fc.assert(
      fc.property(
        texts,
        fc.integer({ min: 20, max: 300 }),
        fc.double({ min: 0, max: 0.5, noNaN: true }),
        (text, size, share) => {
          const overlap = Math.floor(size * share);
          const spans = chunkText(text, undefined, { size, overlap, count });
          for (const [index, { start, end }] of spans.entries()) {
            expect(end - start).toBeLessThanOrEqual(size);
            const before = spans[index - 1];
            if (before === undefined || start >= before.end) continue;
            expect(before.end - start).toBeLessThanOrEqual(overlap);
            expect(start === 0 || /^S\d+ x/.test(text.slice(start)) || /x$/.test(text[start - 1]!)).toBe(true);
          }
        },
      ),
    );
  });
});
