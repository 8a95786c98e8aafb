import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Block, type ChunkOptions, chunkText } from '../../src/core/chunk.js';
import type { Span } from '../../src/core/ports.js';

const piece = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.lorem({ mode: 'sentences', maxCount: 8 }),
  fc.constantFrom(
    '\n\n',
    '\n \t\n',
    '\r\n\r\n',
    ' ',
    '。',
    '漢字かな'.repeat(30),
    'ภาษาไทย'.repeat(20),
    '\ufeff',
    '\u3000',
  ),
  fc.constantFrom('👨‍👩‍👧‍👦', 'e\u0301', '🇧🇷🇯🇵', 'x'.repeat(250), '한국어 문장이다. ', '\ud83d', 'नमस्ते'),
);
const texts = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(''));
const sizes = fc.integer({ min: 100, max: 400 });
/** With one token for each unit, sizes are easy to see. */
const count = (text: string) => text.length;
const slice = (text: string, { start, end }: Span) => text.slice(start, end);
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const boundariesOf = (text: string) => new Set([...graphemes.segment(text)].map(({ index }) => index)).add(text.length);

function expectSound(text: string, spans: readonly Span[]): void {
  let end = 0;
  for (const span of spans) {
    expect(span.start).toBeGreaterThanOrEqual(end);
    expect(span.end).toBeGreaterThan(span.start);
    expect(span.end).toBeLessThanOrEqual(text.length);
    expect(slice(text, span)).toBe(slice(text, span).trim());
    expect(slice(text, span)).not.toBe('');
    end = span.end;
  }
}

describe('any text', () => {
  test('spans are in order, apart, not blank, and leave out nothing but white space', () => {
    fc.assert(
      fc.property(texts, sizes, (text, size) => {
        const spans = chunkText(text, undefined, { size, count });
        expectSound(text, spans);
        const kept = spans.map((span) => slice(text, span)).join('');
        expect(kept.replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
        expect(spans.length > 0).toBe(text.trim() !== '');
      }),
    );
  });

  test('none is longer than the size', () => {
    fc.assert(
      fc.property(texts, sizes, (text, size) => {
        for (const { start, end } of chunkText(text, undefined, { size, count }))
          expect(end - start).toBeLessThanOrEqual(size);
      }),
    );
  });

  test('no pair and no grapheme is broken', () => {
    fc.assert(
      fc.property(texts, sizes, (text, size) => {
        const boundaries = boundariesOf(text);
        for (const { start, end } of chunkText(text, undefined, { size, count })) {
          // White space next to a mark may belong to one grapheme; only the white space is left out then.
          if (/\S/.test(text[start - 1] ?? ' ')) expect(boundaries).toContain(start);
          if (/\S/.test(text[end] ?? ' ')) expect(boundaries).toContain(end);
          const [last, next] = [text.charCodeAt(end - 1), text.charCodeAt(end)];
          expect((last & 0xfc00) === 0xd800 && (next & 0xfc00) === 0xdc00).toBe(false);
        }
      }),
    );
  });

  test('as a whole it is one chunk, or none', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const spans = chunkText(text, undefined, { by: 'whole' });
        expect(spans.map((span) => slice(text, span))).toEqual(text.trim() === '' ? [] : [text.trim()]);
      }),
    );
  });
});

describe('blocks', () => {
  const blocks = fc
    .array(
      fc.record({
        words: fc.string({ maxLength: 150 }),
        heading: fc.array(fc.constantFrom('A', 'B'), { maxLength: 2 }),
      }),
    )
    .map((parts) => {
      let text = '';
      const list: Block[] = parts.map(({ words, heading }) => {
        const start = text.length;
        text += words;
        const block = { start, end: text.length, heading };
        text += '\n--\n';
        return block;
      });
      return { text, list };
    });

  test('what is outside of them at the ends is left out, headings are those of all that is in the chunk', () => {
    fc.assert(
      fc.property(blocks, sizes, ({ text, list }, size) => {
        const spans = chunkText(text, list, { size, count });
        expectSound(text, spans);
        for (const span of spans) {
          expect(span.end - span.start).toBeLessThanOrEqual(size);
          const inside = list.filter((b) => b.start < span.end && b.end > span.start && slice(text, b).trim() !== '');
          for (const { heading } of inside) expect(heading!.slice(0, span.heading!.length)).toEqual(span.heading);
        }
        for (const block of list)
          if (slice(text, block).trim() !== '')
            expect(spans.some(({ start, end }) => start < block.end && end > block.start)).toBe(true);
      }),
    );
  });

  const lay = (...parts: [length: number, ...heading: string[]][]) => {
    let start = 0;
    return parts.map(([length, ...heading]): Block => {
      const block = { start, end: start + length, heading };
      start += length;
      return block;
    });
  };
  const cut = (list: Block[], size = 100) =>
    chunkText('x'.repeat(list.at(-1)!.end), list, { size, count }).map(({ start, end, heading }) => [
      start,
      end,
      heading,
    ]);

  test('are packed while they fit', () => {
    expect(cut(lay([40, 'A'], [40, 'A'], [40, 'A']))).toEqual([
      [0, 80, ['A']],
      [80, 120, ['A']],
    ]);
  });

  test('a new section begins a new chunk, unless what is open is small', () => {
    expect(cut(lay([40, 'A'], [40, 'B']))).toEqual([
      [0, 40, ['A']],
      [40, 80, ['B']],
    ]);
    expect(cut(lay([20, 'M', 'A'], [40, 'M', 'B']))).toEqual([[0, 60, ['M']]]);
  });

  test('no block, no chunk', () => expect(chunkText('text that no reader found', [])).toEqual([]));
});

test('a long block is cut between sentences, a long sentence between words', () => {
  const sentences = 'One is here. Two is over there. Three stands behind the house, where nobody goes. Four sleeps. ';
  const text = sentences.repeat(3);
  for (const span of chunkText(text, undefined, { size: 100, count }))
    expect(slice(text, span)).toMatch(/^[OTF][\s\S]*\.$/);
  const words = 'alpha beta gamma delta '.repeat(20);
  for (const span of chunkText(words, undefined, { size: 100, count }))
    expect(slice(words, span)).toMatch(/^(?:alpha|beta|gamma|delta)\b[\s\S]*\b(?:alpha|beta|gamma|delta)$/);
});

test('blank lines part paragraphs, also those with carriage returns and blanks in them', () => {
  const long = 'w '.repeat(40).trim();
  for (const gap of ['\n\n', '\r\n\r\n', '\r\r', '\n \t\n', '\n\n\n\n'])
    expect(chunkText(long + gap + long, undefined, { size: 100, count })).toMatchObject([
      { start: 0, end: 79 },
      { start: 79 + gap.length, end: 158 + gap.length },
    ]);
});

test('long texts without structure are cut', () => {
  for (const text of ['a'.repeat(200_000), 'word '.repeat(40_000), '漢'.repeat(200_000), 'e\u0301'.repeat(100_000)])
    expect(chunkText(text).length).toBeGreaterThan(50);
});

test.each<[string, unknown]>([
  ['a size below 20', { size: 19 }],
  ['a size over 100,000', { size: 100_001 }],
  ['a size that is no number', { size: Number.NaN }],
  ['half a size', { size: 150.5 }],
  ['a way that is not known', { by: 'lines' }],
  ['an option that is not known', { unit: 'words' }],
  ['an overlap below 0', { overlap: -1 }],
  ['an overlap of more than half of the size', { size: 100, overlap: 51 }],
  ['half an overlap', { overlap: 1.5 }],
  ['a count that is no function', { count: 5 }],
  ['a limit below 16', { limit: 15 }],
  ['a limit that is no number', { limit: Number.NaN }],
])('%s is a bad argument', (_, options) => {
  expect(() => chunkText('text', undefined, options as ChunkOptions)).toThrow(
    expect.objectContaining({ code: 'bad_argument' }),
  );
});
