import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Block, chunkText } from '../../src/core/chunk.js';
import { indexText } from '../../src/core/index-text.js';
import { estimateTokens, tokenWeight } from '../../src/core/token-count.js';
import { boundariesOf, counts, documents, isCovered, slice } from './chunk-documents.js';

const settings = fc
  .record({
    size: fc.integer({ min: 20, max: 300 }),
    share: fc.double({ min: 0, max: 0.5, noNaN: true }),
    count: fc.constantFrom(undefined, ...counts),
    limit: fc.option(fc.integer({ min: 16, max: 200 }), { nil: undefined }),
    title: fc.constantFrom('', 'A title', 'A very long title '.repeat(9)),
  })
  .map(({ size, share, count, limit, title }) => ({
    title,
    options: {
      size,
      overlap: Math.floor(size * share),
      ...(count && { count }),
      ...(limit !== undefined && { limit }),
    },
  }));

describe('any document, whatever the options', () => {
  test('spans go on, are not blank, hold all, and are the same each time', () => {
    fc.assert(
      fc.property(documents, settings, ({ text, blocks }, { options, title }) => {
        const spans = chunkText(text, blocks, options, title);
        expect(isCovered(text, blocks, spans)).toBe(true);
        let [start, end] = [-1, -1];
        for (const span of spans) {
          expect(span.start).toBeGreaterThan(start);
          expect(span.end).toBeGreaterThan(end);
          if (options.overlap === 0) expect(span.start).toBeGreaterThanOrEqual(end);
          [start, end] = [span.start, span.end];
          expect(slice(text, span).trim()).toBe(slice(text, span));
          expect(slice(text, span)).not.toBe('');
        }
        expect(end).toBeLessThanOrEqual(text.length);
        expect(chunkText(text, blocks, options, title)).toEqual(spans);
      }),
      { numRuns: 300 },
    );
  });

  test('with marks, overlap and a limit too: spans go on, and only whole sentences are said again', () => {
    const sentences = fc
      .array(fc.array(fc.constantFrom('harbour', 'a', 'the', 'x-y', '12.5', 'ferry'), { minLength: 1, maxLength: 9 }), {
        minLength: 5,
        maxLength: 35,
      })
      .map((list) => list.map((words) => `${words.join(' ')}.`).join(' '));
    const marked = [
      (text: string) => (text.match(/\S+/g)?.length ?? 0) + 2,
      (text: string) => (text.match(/\w{1,4}|[^\s\w]/g)?.length ?? 0) + 2,
      (text: string) => Math.ceil(text.length / 4) + 5,
      // Makes more of a whole than of its parts, so that chunks are cut after all.
      (text: string) => Math.ceil(text.length ** 1.15 / 6) + 2,
    ];
    const numbers = [fc.integer({ min: 20, max: 80 }), fc.integer({ min: 16, max: 60 }), fc.nat(40)] as const;
    fc.assert(
      fc.property(sentences, fc.constantFrom(...marked), ...numbers, (text, count, size, limit, most) => {
        const options = { size, limit, overlap: Math.min(most, size >> 1), count };
        const spans = chunkText(text, undefined, options);
        expect(isCovered(text, [{ start: 0, end: text.length }], spans)).toBe(true);
        for (const [index, { start, end }] of spans.entries()) {
          expect(count(text.slice(start, end))).toBeLessThanOrEqual(limit);
          const before = spans[index - 1];
          if (before === undefined) continue;
          expect(start).toBeGreaterThan(before.start);
          expect(end).toBeGreaterThan(before.end);
          if (start < before.end) expect(text.slice(start - 2, start)).toBe('. ');
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('none is over the size, its header counted', () => {
    fc.assert(
      fc.property(documents, settings, ({ text, blocks }, { options, title }) => {
        const { limit, ...rest } = options;
        const weigh = tokenWeight(options.count);
        for (const span of chunkText(text, blocks, rest, title)) {
          const alone = [...slice(text, span)].length === 1;
          if (!alone) expect(weigh(slice(text, span)) + weigh(span.header ?? '')).toBeLessThanOrEqual(options.size);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('what is indexed of none is over the limit', () => {
    fc.assert(
      fc.property(documents, settings, ({ text, blocks }, { options, title }) => {
        const { limit = 50, count = estimateTokens } = options;
        const counted = count(title) <= limit / 2 ? title : '';
        for (const span of chunkText(text, blocks, { ...options, limit }, title)) {
          const indexed = indexText(counted, span.heading ?? [], slice(text, span), span.header);
          if ([...slice(text, span)].length > 1) expect(count(indexed)).toBeLessThanOrEqual(limit);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('no pair is broken, and no grapheme that has room', () => {
    fc.assert(
      fc.property(documents, settings, ({ text, blocks }, { options, title }) => {
        const ends = new Set(blocks.flatMap(({ start, end }) => [start, end]));
        const boundaries = boundariesOf(text);
        const longGrapheme = [...boundaries].some((at, index, all) => (all[index + 1] ?? at) - at > 4);
        for (const { start, end } of chunkText(text, blocks, options, title))
          for (const at of [start, end]) {
            if (!ends.has(at))
              expect((text.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(at) & 0xfc00) === 0xdc00).toBe(
                false,
              );
            const inWords = /\S\S/.test(text.slice(at - 1, at + 1));
            if (inWords && !ends.has(at) && !longGrapheme && options.limit === undefined)
              expect(boundaries).toContain(at);
          }
      }),
      { numRuns: 300 },
    );
  });
});

test('a tokenizer that makes more of a whole than of its parts is believed', () => {
  const greedy = (text: string) => (text.length > 40 ? text.length : Math.ceil(text.length / 4));
  const text = 'Every ship has a name. '.repeat(40);
  const spans = chunkText(text, undefined, { size: 100, count: greedy, limit: 60 });
  for (const span of spans) expect(greedy(slice(text, span))).toBeLessThanOrEqual(60);
  expect(isCovered(text, [{ start: 0, end: text.length }], spans)).toBe(true);
});

test('a title that takes most of the limit leaves half of it to the words', () => {
  const text = 'word '.repeat(100);
  const spans = chunkText(
    text,
    undefined,
    { count: (words) => words.split(' ').length, limit: 40 },
    'very '.repeat(90),
  );
  expect(Math.max(...spans.map((span) => slice(text, span).split(' ').length))).toBeGreaterThan(15);
});

test('headings that take most of the limit are left out from the outermost', () => {
  const heading = ['Outer '.repeat(30).trim(), 'Middle '.repeat(30).trim(), 'Inner'];
  const count = (text: string) => text.split(/\s+/).length;
  const text = 'word '.repeat(100).trim();
  const spans = chunkText(text, [{ start: 0, end: text.length, heading }], { count, limit: 40 });
  expect(spans.every((span) => span.heading?.at(-1) === 'Inner' && span.heading.length === 1)).toBe(true);
});

describe('marks that a tokenizer adds to every text', () => {
  const count = (text: string) => (text.match(/\S+/g)?.length ?? 0) + 2;
  const lengths = (text: string, limit: number, title = '', blocks?: Block[]) =>
    chunkText(text, blocks, { size: 256, limit, count }, title).map((span) => count(slice(text, span)) - 2);
  const sentence = Array.from({ length: 1_000 }, (_, index) => `tide${index}`).join(' ');

  test.each([16, 64, 128, 256])('are taken off a limit of %d, and chunks of a long sentence are near it', (limit) => {
    const parts = lengths(sentence, limit).slice(0, -1);
    expect(Math.max(...parts)).toBeLessThanOrEqual(limit - 2);
    // A head that does not fit is tried again shorter by a fifth.
    expect(Math.min(...parts)).toBeGreaterThanOrEqual(Math.floor((limit - 2) * 0.64));
  });

  test('leave room for all of the words but the title and the headings', () => {
    const words = lengths('ahoy '.repeat(240).trim(), 64).slice(0, 3);
    expect(Math.max(...words)).toBeLessThanOrEqual(62);
    expect(Math.min(...words)).toBeGreaterThan(59);
    const blocks = [{ start: 0, end: sentence.length, heading: ['The tides'] }];
    expect(Math.max(...lengths(sentence, 64, 'Harbours of the north', blocks))).toBe(56);
  });

  test('are an error where they leave too little', () => {
    expect(() => chunkText('A text.', undefined, { limit: 16, count: (text) => text.length + 9 })).toThrow(
      expect.objectContaining({ code: 'provider_failed', message: expect.stringContaining('9 for an empty text') }),
    );
  });
});

test('a header that fits only without the end of its line is kept within the limit', () => {
  const rows = Array.from({ length: 40 }, (_, index) => `| boat ${index} | quay |`);
  const text = ['| name | place |', '|---|---|', ...rows].join('\n');
  const count = (part: string) => part.length + 2;
  for (let limit = 60; limit < 100; limit++) {
    const spans = chunkText(text, [{ start: 0, end: text.length, kind: 'table' }], { limit, count });
    for (const { header } of spans.slice(1)) expect(header).toBe('| name | place |');
  }
});
