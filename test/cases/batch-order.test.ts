import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { expect, test } from 'vitest';
import { indexDocuments } from '../../src/core/indexing.js';
import { fromAiSdk } from '../../src/models/ai-sdk.js';
import { memoryStore } from '../core/library.js';
import { openAiServer } from '../models/openai-server.js';

interface Item {
  readonly index?: number;
  readonly embedding: readonly number[];
}

const words = ['one', 'three', 'eleven'];
/** Tells the texts apart by their length. */
const vectorOf = (text: string) => (text.length === 3 ? [1, 0, 0] : text.length === 5 ? [0, 1, 0] : [0, 0, 1]);

/** Indexes a document for each word with a server that answers `arrange` of the right items. */
async function indexWith(arrange: (items: Item[]) => Item[], asked = words) {
  await using server = await openAiServer(({ body }) => {
    const items = body.input!.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
    return { json: { object: 'list', model: 'tiny', data: arrange(items) } };
  });
  const model = createOpenAICompatible({ name: 'loopback', baseURL: server.url }).textEmbeddingModel('tiny');
  const store = memoryStore();
  const inputs = asked.map((text) => ({ document: { id: text, text } }));
  const report = await indexDocuments({ store, embedder: fromAiSdk(model, { dimensions: 3 }) }, inputs).catch(
    (error: unknown) => error,
  );
  const chunks = await store.get(
    asked.map((id) => `${id}#0`),
    { vectors: true },
  );
  return { report, vectors: chunks.map(({ vector }) => [...vector!]) };
}

const right = words.map(vectorOf);
const refused = { report: { code: 'provider_failed' }, vectors: [] };

test('FR-077 vectors that come in reverse with right index fields belong to their texts', async () => {
  expect(await indexWith((items) => items.toReversed())).toMatchObject({ report: { embedded: 3 }, vectors: right });
});

test('FR-080 index fields that count from 1 are refused, and nothing is written', async () => {
  const shifted = (items: Item[]) => items.map((item, at) => ({ ...item, index: at + 1 }));
  expect(await indexWith(shifted, words.slice(0, 2))).toMatchObject(refused);
});

test('FR-081 all items carry an index or none does, and there are as many as texts', async () => {
  const withoutIndex = ({ index: _, ...item }: Item): Item => item;
  expect(await indexWith((items) => items.map(withoutIndex))).toMatchObject({ vectors: right });
  expect(await indexWith(([first, ...others]) => [withoutIndex(first!), ...others])).toMatchObject(refused);
  expect(await indexWith((items) => items.slice(1))).toMatchObject(refused);
  expect(await indexWith((items) => [...items, items[0]!])).toMatchObject(refused);
});

test('FR-079 many vectors in another order and without index are found out by a sample, and nothing is written', async () => {
  const many = Array.from({ length: 60 }, (_, at) => String.fromCharCode(0x410 + at) + (at % 2 === 0 ? 'ad' : 'more'));
  const withoutIndex = ({ index: _, ...item }: Item): Item => item;
  const shuffled = (items: Item[]) => items.map((_, at) => withoutIndex(items[(at * 7 + 3) % items.length]!));
  expect(await indexWith(shuffled, many)).toMatchObject({
    report: { code: 'provider_failed', message: expect.stringContaining('set "batch" to 1') },
    vectors: [],
  });
});
