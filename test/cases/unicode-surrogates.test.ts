import { expect, test } from 'vitest';
import { chunkText } from '../../src/core/chunk.js';
import { indexDocuments } from '../../src/core/indexing.js';
import { memoryStore } from '../core/library.js';

const lone = /\p{Surrogate}/u;
const count = (text: string) => text.length;

test('FR-031 an emoji at the limit of the size stays whole', () => {
  for (const size of [99, 100, 101])
    for (const tail of ['', 'b', 'b'.repeat(200)])
      for (const emoji of ['😀', '👩‍🚀', '🇵🇹']) {
        const text = `${'a'.repeat(100 - emoji.length)}${emoji}${tail}`;
        const chunks = chunkText(text, undefined, { size, count }).map(({ start, end }) => text.slice(start, end));
        expect(chunks.join('')).toBe(text);
        expect(chunks.filter((chunk) => chunk.includes(emoji))).toHaveLength(1);
        for (const chunk of chunks) expect(lone.test(chunk)).toBe(false);
      }
});

test('FR-031 half of a pair in a text reaches neither the store nor what is beside it', async () => {
  const text = `${'word '.repeat(30)}\ud83d ${'word '.repeat(30)}😀\udc00 end`;
  for (const { start, end } of chunkText(text, undefined, { size: 20 }))
    expect(text.slice(start, end).replace(/\ud83d |\udc00 /g, '')).not.toMatch(lone);
  const store = memoryStore();
  await indexDocuments({ store }, [{ document: { id: 'a', text } }], { chunking: { size: 20 } });
  const { chunks } = await store.info();
  const stored = await store.get(Array.from({ length: chunks }, (_, ordinal) => `a#${ordinal}`));
  expect(stored).toHaveLength(chunks);
  for (const chunk of stored) expect(lone.test(chunk.text)).toBe(false);
});
