import { expect, test } from 'vitest';
import { indexDocuments } from '../../src/core/indexing.js';
import type { Embedder } from '../../src/core/ports.js';
import { embedder, memoryStore } from './library.js';

test('what the model wants before a document counts for its limit', async () => {
  const countTokens = (part: string) => (part.match(/\S+/g)?.length ?? 0) + 2;
  const prefixes = { query: 'question: ', document: 'a passage of a document: ' };
  const calls: (readonly string[])[] = [];
  const prefixed: Embedder = {
    ...embedder,
    fingerprint: { ...embedder.fingerprint, prefixes },
    limits: { batch: 8, tokens: 32 },
    countTokens,
    embed(texts, options) {
      calls.push(texts);
      return embedder.embed(texts, options);
    },
  };
  const text = 'Boats come in with the tide. '.repeat(60);
  await indexDocuments({ store: memoryStore(), embedder: prefixed }, [{ document: { id: 'a', text } }]);
  // Four sentences of six words, five words before them, two marks.
  const counts = calls.flat().map((part) => countTokens(prefixes.document + part.slice(part.indexOf('Boats'))));
  expect(Math.max(...counts)).toBe(31);
});
