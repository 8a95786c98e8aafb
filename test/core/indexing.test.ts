import { describe, expect, test } from 'vitest';
import { SurmiseError } from '../../src/core/errors.js';
import type { IndexInput } from '../../src/core/index-input.js';
import type { IndexProgress } from '../../src/core/index-options.js';
import { indexDocuments } from '../../src/core/indexing.js';
import type { Document, Embedder, Store } from '../../src/core/ports.js';
import { createSurmise } from '../../src/core/surmise.js';
import { deterministicEmbedder } from '../../src/models/deterministic-embedder.js';
import { embedder, library, memoryStore } from './library.js';

const inputs = (...documents: Document[]): IndexInput[] => documents.map((document) => ({ document }));
const [kettle, bees, bread] = library as [Document, Document, Document];
const bad = (message: RegExp, code = 'bad_data') => ({ code, message: expect.stringMatching(message) });

function counting(): Embedder & { texts: number } {
  const counter = {
    ...embedder,
    texts: 0,
    embed: (texts: readonly string[], options: Parameters<Embedder['embed']>[1]) => {
      counter.texts += texts.length;
      return embedder.embed(texts, options);
    },
  };
  return counter;
}

async function ids(store: ReturnType<typeof memoryStore>): Promise<string[]> {
  const found = [];
  for await (const { id } of store.documents()) found.push(id);
  return found;
}

test('adds, leaves alone, updates', async () => {
  const ports = { store: memoryStore(), embedder: counting() };
  expect(await indexDocuments(ports, inputs(kettle, bees))).toEqual({
    added: 2,
    updated: 0,
    unchanged: 0,
    chunks: 2,
    embedded: 2,
    reused: 0,
    tokens: expect.any(Number),
    skipped: [],
    failed: [],
  });
  expect(ports.embedder.texts).toBe(2);
  expect(await indexDocuments(ports, inputs(kettle, bees))).toMatchObject({ added: 0, unchanged: 2, chunks: 0 });
  expect(ports.embedder.texts).toBe(2);
  const changed = { ...bees, text: 'The hive is empty.' };
  expect(await indexDocuments(ports, inputs(kettle, changed, bread))).toMatchObject({
    added: 1,
    updated: 1,
    unchanged: 1,
    chunks: 2,
  });
  expect(await ports.store.get(['bees#0'])).toMatchObject([{ text: 'The hive is empty.' }]);
  const [old] = await ports.store.analyze(['queen']);
  expect(old).toMatchObject([{ chunks: 0 }]);
  expect(await ports.store.info()).toMatchObject({ documents: 3, chunks: 3, vectors: 3 });
});

describe('a document is written again when something of it changes', () => {
  test.each<[string, Partial<Document>]>([
    ['text', { text: `${kettle.text} ` }],
    ['title', { title: 'Kettles' }],
    ['path', { path: '/k' }],
    ['language', { language: 'en' }],
    ['metadata', { metadata: { shelf: 2 } }],
  ])('%s', async (_, change) => {
    const ports = { store: memoryStore() };
    await indexDocuments(ports, inputs(kettle));
    const changed = inputs({ ...kettle, ...change });
    expect(await indexDocuments(ports, changed)).toMatchObject({ updated: 1 });
    expect(await indexDocuments(ports, changed)).toMatchObject({ unchanged: 1 });
  });

  test('chunking, structure, embedder', async () => {
    const ports = { store: memoryStore() };
    const document = { id: 'long', text: 'One sentence stands here. '.repeat(20) };
    await indexDocuments(ports, inputs(document));
    expect(await indexDocuments(ports, inputs(document), { chunking: { size: 50 } })).toMatchObject({ updated: 1 });
    const blocks = [{ start: 0, end: 26, heading: ['First'] }];
    expect(await indexDocuments(ports, [{ document, blocks }])).toMatchObject({ updated: 1, chunks: 1 });
    expect(await indexDocuments(ports, [{ document, blocks }])).toMatchObject({ unchanged: 1 });
    expect(await indexDocuments({ ...ports, embedder }, [{ document, blocks }])).toMatchObject({ updated: 1 });
    expect(await ports.store.info()).toMatchObject({ chunks: 1, vectors: 1 });
  });
});

test('title and headings are embedded with the chunk, offsets are those of the text', async () => {
  const seen: string[] = [];
  const spy: Embedder = {
    ...embedder,
    embed(texts, options) {
      seen.push(`${options.role}: ${texts.join('|')}`);
      return embedder.embed(texts, options);
    },
  };
  const store = memoryStore();
  const document = { id: 'x', title: 'Boats', text: '# Oars\nPull them.' };
  await indexDocuments({ store, embedder: spy }, [{ document, blocks: [{ start: 7, end: 17, heading: ['Oars'] }] }]);
  expect(seen).toEqual(['document: Boats\nOars\nPull them.']);
  expect(await store.get(['x#0'])).toMatchObject([{ start: 7, end: 17, text: 'Pull them.', heading: ['Oars'] }]);
});

test('every input is counted once: added, updated, unchanged or skipped with a reason', async () => {
  const ports = { store: memoryStore(), embedder };
  await indexDocuments(ports, inputs(kettle, bees, bread));
  const report = await indexDocuments(
    ports,
    inputs(
      kettle,
      { ...bees, text: 'Changed.' },
      { ...bread, title: '', text: ' \n ' },
      { id: 'new', text: 'New.' },
      { id: 'blank', text: '' },
      { id: 'new', text: 'Twice.' },
    ),
  );
  expect(report).toEqual({
    added: 1,
    updated: 1,
    unchanged: 1,
    chunks: 2,
    embedded: 2,
    reused: 0,
    tokens: expect.any(Number),
    skipped: [
      { id: 'bread', reason: 'empty' },
      { id: 'blank', reason: 'empty' },
      { id: 'new', reason: 'duplicate id' },
    ],
    failed: [],
  });
  expect(await ids(ports.store)).toEqual(['bees', 'kettle', 'new']);
  expect(await ports.store.get(['new#0'])).toMatchObject([{ text: 'New.' }]);
});

test('documents come from any iterable, and progress is told', async () => {
  async function* stream() {
    for (const document of library) yield { document };
  }
  const told: IndexProgress[] = [];
  const store = memoryStore();
  await indexDocuments({ store }, stream(), { onProgress: (progress) => told.push(progress) });
  expect(told.map(({ seen }) => seen)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 8]);
  expect(told.at(-1)).toEqual({ seen: 8, written: 8, chunks: 8, embedded: 0, tokens: 0 });
});

describe('what is written stays', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `n${index}`, text: `Number ${index}.` }));

  test('when a later document is malformed', async () => {
    const store = memoryStore();
    const broken = [...many(1_500), { id: '', text: 'x' }];
    await expect(indexDocuments({ store }, inputs(...broken))).rejects.toMatchObject({ code: 'bad_data' });
    expect(await store.info()).toMatchObject({ documents: 1_500 });
  });

  test('and a write that fails is told of when a later document is malformed as well', async () => {
    const full = new SurmiseError('storage_failed', 'The disk is full.');
    const store: Store = { ...memoryStore(), put: () => Promise.reject(full) };
    const broken = [...many(1_000), { id: '', text: 'x' }];
    await expect(indexDocuments({ store }, inputs(...broken))).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringMatching(/^The disk is full\. The run had ended before: .*"id"/),
      cause: { errors: [full, { code: 'bad_data' }] },
    });
    await expect(indexDocuments({ store }, inputs(...many(1_000)))).rejects.toBe(full);
    await expect(indexDocuments({ store }, inputs(...many(2_500)))).rejects.toBe(full);
  });

  test('when the caller gives up, and the next run goes on from there', async () => {
    const store = memoryStore();
    const caller = new AbortController();
    const onProgress = ({ written }: IndexProgress) => written >= 1_000 && caller.abort();
    const documents = inputs(...many(1_500));
    await expect(indexDocuments({ store }, documents, { signal: caller.signal, onProgress })).rejects.toMatchObject({
      code: 'aborted',
    });
    expect(await indexDocuments({ store }, documents)).toMatchObject({ added: 500, unchanged: 1_000 });
  });

  test('when the embedder fails', async () => {
    const store = memoryStore();
    await indexDocuments({ store, embedder }, inputs(kettle));
    const failing: Embedder = { ...embedder, embed: () => Promise.reject(new Error('gone')) };
    const again = indexDocuments({ store, embedder: failing }, inputs(kettle, bees));
    await expect(again).rejects.toMatchObject({ code: 'provider_failed' });
    expect(await store.info()).toMatchObject({ documents: 1, vectors: 1 });
  });
});

describe('another embedder', () => {
  const wider = deterministicEmbedder({ dimensions: 128 });

  test('can not join, and neither can none', async () => {
    const store = memoryStore();
    await indexDocuments({ store, embedder }, inputs(kettle));
    await expect(indexDocuments({ store, embedder: wider }, inputs(bees))).rejects.toMatchObject(
      bad(/deterministic-64.*deterministic-128/, 'embedder_mismatch'),
    );
    await expect(indexDocuments({ store }, inputs(bees))).rejects.toMatchObject(
      bad(/no embedder/, 'embedder_mismatch'),
    );
    expect(await ids(store)).toEqual(['kettle']);
  });

  test('can begin where no vector is left', async () => {
    const store = memoryStore();
    await indexDocuments({ store, embedder }, inputs(kettle));
    await store.delete(['kettle']);
    expect(await indexDocuments({ store, embedder: wider }, inputs(bees))).toMatchObject({ added: 1 });
    expect((await store.info()).fingerprint).toEqual(wider.fingerprint);
  });
});

test('options that are undefined are not given', async () => {
  const options = { chunking: undefined, dryRun: undefined, retries: { attempts: undefined }, signal: undefined };
  const report = await indexDocuments({ store: memoryStore() }, inputs(kettle), options as object);
  expect(report).toMatchObject({ added: 1 });
});

test('metadata are stored as JSON has them', async () => {
  const store = memoryStore();
  const metadata = { day: new Date(0), gone: undefined, own: { toJSON: () => 5 } } as never;
  await indexDocuments({ store }, inputs({ ...kettle, metadata }));
  expect(await store.count({ field: 'day', is: '=', value: '1970-01-01' })).toMatchObject({ documents: 1 });
  expect(await indexDocuments({ store }, inputs({ ...kettle, metadata }))).toMatchObject({ unchanged: 1 });
});

test('a document that is only a title is found by it', async () => {
  const surmise = createSurmise({ store: memoryStore() });
  const report = await surmise.index([{ document: { id: 'bees', title: 'Honey bees', text: '' } }]);
  expect(report).toMatchObject({ added: 1, skipped: [] });
  const { hits } = await surmise.search('honey');
  expect(hits).toMatchObject([{ document: 'bees', title: 'Honey bees', text: '', start: 0, end: 0 }]);
});
