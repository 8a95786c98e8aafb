import { expect, test } from 'vitest';
import { indexDocuments } from '../../src/core/indexing.js';
import { countingEmbedder } from '../core/counting-embedder.js';
import { embedder, memoryStore } from '../core/library.js';

test('FR-076 no call holds more texts than the embedder allows', async () => {
  const counting = countingEmbedder(embedder, { batch: 32 });
  const documents = Array.from({ length: 142 }, (_, at) => ({ document: { id: `${at}`, text: `Entry ${at}.` } }));
  const report = await indexDocuments({ store: memoryStore(), embedder: counting }, documents);
  expect(report).toMatchObject({ added: 142, embedded: 142 });
  expect(counting.calls.map((texts) => texts.length)).toEqual([32, 32, 32, 32, 14]);
});
