import { expect, test } from 'vitest';
import { chunkText } from '../../src/core/chunk.js';

const count = (text: string) => text.length;

test('FR-060 where a paragraph nearly fills the chunk nothing is repeated, and else what fits is', () => {
  const full = `${'The tide is out. '.repeat(5).trim()} ${'m'.repeat(10)}.`;
  const short = 'A short one.';
  const cut = (text: string) =>
    chunkText(text, undefined, { size: 100, overlap: 33, count }).map(({ start, end }) => text.slice(start, end));
  expect(full.length).toBe(96);
  // The next chunk has room, so it repeats; its successor has none left beside the long paragraph.
  expect(cut(`${full}\n\n${short}`)).toEqual([full, `The tide is out. ${'m'.repeat(10)}.\n\n${short}`]);
  expect(cut(`${short}\n\n${full}`)).toEqual([short, full]);
});
