import { expect, test } from 'vitest';
import { chunkText } from '../../src/core/chunk.js';

const lineOf = (text: string, offset: number) => text.slice(0, offset).split('\n').length;

test('FR-061 with overlap too, a chunk stands on the lines that its offsets say', () => {
  const lines = Array.from(
    { length: 500 },
    (_, at) => `Entry ${at + 1} tells of the harbour.${at % 7 === 6 ? '\n' : ''}`,
  );
  const text = lines.join('\n');
  const spans = chunkText(text, undefined, { size: 60, overlap: 20 });
  expect(spans.length).toBeGreaterThan(50);
  expect(spans.some(({ start }, index) => start < (spans[index - 1]?.end ?? 0))).toBe(true);
  const numbered = text.split('\n');
  for (const { start, end } of spans) {
    const [, first] = /^Entry (\d+) /.exec(text.slice(start, end)) ?? [];
    expect(numbered[lineOf(text, start) - 1]).toMatch(new RegExp(`^Entry ${first} `));
  }
});

test('FR-062 blocks that are there again have their own places', () => {
  const body = 'function step() {\n  return 1;\n}\n\n';
  const text = body.repeat(10);
  const blocks = Array.from({ length: 10 }, (_, at) => ({
    start: at * body.length,
    end: (at + 1) * body.length,
    heading: [`step ${at}`],
    kind: 'code',
  }));
  const spans = chunkText(text, blocks, { size: 20 });
  expect(spans).toHaveLength(10);
  for (const [index, { start, end }] of spans.entries()) {
    expect(start).toBe(index * body.length);
    expect(text.slice(start, end)).toBe(body.trim());
  }
});

test('FR-063 a chunk that is also a part of one before begins where it stands', () => {
  const half = 'abcde'.repeat(5);
  const text = `${half} ${half}`;
  const spans = chunkText(text, undefined, { size: 25, overlap: 12, count: (part) => part.length });
  expect(spans.map(({ start, end }) => [start, end])).toEqual([
    [0, 25],
    [26, 51],
  ]);
});

test('FR-065 with words as unit and overlap, offsets do not drift', () => {
  const text = 'We row home now. Gulls cry over us. The lamp is lit. Then all is dark. '.repeat(40);
  const words = (part: string) => part.split(/\s+/).filter(Boolean).length;
  const spans = chunkText(text, undefined, { size: 20, overlap: 5, count: words });
  expect(spans.length).toBeGreaterThan(30);
  for (const [index, { start, end }] of spans.entries()) {
    expect(text.slice(start, end)).toMatch(/^(?:We|Gulls|The|Then) .*\.$/);
    const before = spans[index - 1];
    if (before !== undefined) expect(words(text.slice(start, before.end))).toBe(4);
  }
});
