import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ChunkOptions, chunkText } from '../../src/core/chunk.js';

const count = (text: string) => text.length;

test.each<[string, ChunkOptions]>([
  ['an overlap as large as the size', { size: 20, overlap: 20 }],
  ['an overlap over the size', { size: 20, overlap: 30 }],
  ['a negative overlap', { size: 20, overlap: -1 }],
  ['a size of 0', { size: 0 }],
  ['a negative size', { size: -20 }],
])('FR-055 %s is rejected', (_, options) => {
  expect(() => chunkText('x'.repeat(100), undefined, options)).toThrow(
    expect.objectContaining({ code: 'bad_argument' }),
  );
});

test('FR-056 a text that is no multiple of the size ends, whatever size and overlap', () => {
  expect(chunkText('y'.repeat(250), undefined, { size: 100, overlap: 10, count }).map(({ end }) => end)).toEqual([
    100, 200, 250,
  ]);
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 3_000 }),
      fc.integer({ min: 20, max: 200 }),
      fc.double({ min: 0, max: 0.5, noNaN: true }),
      fc.constantFrom('y', 'a. ', 'word ', '漢', '\n\nz'),
      (length, size, share, unit) => {
        const text = unit.repeat(length).slice(0, length);
        const spans = chunkText(text, undefined, { size, overlap: Math.floor(size * share), count });
        expect(spans.length).toBeLessThanOrEqual(length);
        expect(spans.at(-1)?.end ?? 0).toBe(text.trimEnd().length);
      },
    ),
  );
});

test('FR-058 a sentence longer than the size without the overlap ends, and is not repeated', () => {
  const words = (text: string) => text.split(/\s+/).filter(Boolean).length;
  const long = `Again ${'again '.repeat(88)}now. `;
  const text = `One short line is here. ${long}One more short line is there. ${long}`;
  const spans = chunkText(text, undefined, { size: 100, overlap: 20, count: words });
  const chunks = spans.map(({ start, end }) => text.slice(start, end));
  expect(chunks.map(words)).toEqual([95, 96]);
  const tight = chunkText(long.repeat(3), undefined, { size: 100, overlap: 20, count: words });
  expect(tight.map(({ end, start }) => words(long.repeat(3).slice(start, end)))).toEqual([90, 90, 90]);
});

test('FR-059 a text without blanks is cut, not refused', () => {
  const text = '海上的灯塔照亮了港口附近的礁石'.repeat(34);
  const spans = chunkText(text, undefined, { size: 379, count: (part) => [...part].length });
  expect(spans.length).toBe(2);
  expect(spans.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
  for (const { start, end } of spans) expect(end - start).toBeLessThanOrEqual(379);
});

test('the time for a table, code or a paragraph of nothing but marks grows with its length', () => {
  const time = (text: string, kind: string, size: number) => {
    const begin = performance.now();
    chunkText(text, [{ start: 0, end: text.length, kind }], { size });
    return performance.now() - begin;
  };
  // Patterns that tried each way to share out the marks took minutes for these.
  for (const [unit, tail] of [
    ['> ', 'x'],
    ['>', '\n|x'],
    ['~', '\nx'],
    ['~', '\u2028x'],
    ['`', ' x`'],
    ['|-', 'x'],
  ] as const)
    for (const kind of ['table', 'code', 'paragraph'])
      for (const size of [50, 100_000])
        expect(time(unit.repeat(150_000 / unit.length) + tail, kind, size)).toBeLessThan(5_000);
});
