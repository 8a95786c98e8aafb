import fc from 'fast-check';
import type { Block } from '../../src/core/chunk.js';
import type { Span } from '../../src/core/ports.js';

const words = fc.oneof(
  fc.lorem({ mode: 'sentences', maxCount: 6 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '漢字かな交じり文。'.repeat(12),
    'ภาษาไทยไม่มีช่องว่าง'.repeat(8),
    'Ещё одна строка. '.repeat(4),
    'هذه جملة. ',
    'हिन्दी वाक्य है। ',
    '한국어 문장이다. ',
  ),
  fc.constantFrom(
    '👨‍👩‍👧‍👦'.repeat(9),
    'e\u0301\u0302'.repeat(20),
    '🇧🇷🇯🇵',
    'x'.repeat(250),
    '\ud83d',
    '\udc00\ud83d',
    `a${'\u0301'.repeat(300)}`,
  ),
);
const heading = fc.array(fc.constantFrom('Alpha', 'Beta'), { maxLength: 2 });
const lineEnd = fc.constantFrom('\n', '\r\n');

const part = fc.oneof(
  fc.record({ kind: fc.constantFrom('paragraph', 'list', undefined), text: words }),
  fc.record({ kind: fc.constant('heading'), text: fc.constantFrom('# Alpha', '## Beta', `# ${'Long '.repeat(30)}`) }),
  fc
    .record({ end: lineEnd, rows: fc.array(fc.lorem({ maxCount: 4 }), { minLength: 1, maxLength: 25 }) })
    .map(({ end, rows }) => ({
      kind: 'table',
      text: ['| name | place |', '|---|:--|', ...rows.map((row) => `| ${row} | x |`)].join(end),
    })),
  fc
    .record({ end: lineEnd, mark: fc.constantFrom('```', '~~~~'), lines: fc.array(words, { maxLength: 12 }) })
    .map(({ end, mark, lines }) => ({ kind: 'code', text: [`${mark}js`, ...lines, mark].join(end) })),
);

/** Texts with the blocks that a reader might find in them. */
export const documents = fc
  .array(fc.record({ part, heading, gap: fc.constantFrom('\n\n', '\r\n\r\n', '\n', ' -- ') }), { maxLength: 12 })
  .map((parts) => {
    let text = '';
    const blocks = parts.map(({ part: { kind, text: body }, heading, gap }): Block => {
      const start = text.length;
      text += body;
      const block = { start, end: text.length, heading, ...(kind !== undefined && { kind }) };
      text += gap;
      return block;
    });
    return { text, blocks };
  });

/** Counts as tokenizers do: the same for each unit, by bytes, by words with marks of beginning and end, and none. */
export const counts: readonly ((text: string) => number)[] = [
  (text) => text.length,
  (text) => new TextEncoder().encode(text).length,
  (text) => (text.match(/[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}]/gu)?.length ?? 0) + 2,
  () => 0,
];

export const slice = (text: string, { start, end }: Span): string => text.slice(start, end);

/** Every character of the blocks that is no white space is in a span. */
export function isCovered(text: string, blocks: readonly Block[], spans: readonly Span[]): boolean {
  const held = new Uint8Array(text.length);
  for (const { start, end } of spans) held.fill(1, start, end);
  return blocks.every(({ start, end }) => {
    for (let at = start; at < end; at++) if (held[at] === 0 && text[at]!.trim() !== '') return false;
    return true;
  });
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Where graphemes begin, and the end. */
export const boundariesOf = (text: string): Set<number> =>
  new Set([...graphemes.segment(text)].map(({ index }) => index)).add(text.length);
