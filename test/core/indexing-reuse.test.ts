import { describe, expect, test } from 'vitest';
import { indexDocuments } from '../../src/core/indexing.js';
import type { Document, Embedder, Store } from '../../src/core/ports.js';
import { createSurmise } from '../../src/core/surmise.js';
import { deterministicEmbedder } from '../../src/models/deterministic-embedder.js';
import { countingEmbedder } from './counting-embedder.js';
import { embedder, memoryStore } from './library.js';

const inputs = (...documents: Document[]) => documents.map((document) => ({ document }));
const paragraphs = Array.from({ length: 40 }, (_, at) => `Paragraph ${at} tells of the harbour. `.repeat(8).trim());
const textOf = (parts: readonly string[]) => parts.join('\n\n');
const chunking = { size: 100 };

async function vectorsOf(store: Store, ...ids: string[]): Promise<Float32Array[]> {
  return (await store.get(ids, { vectors: true })).map(({ vector }) => vector!);
}

describe('only what the index does not hold is embedded', () => {
  test('one paragraph of a long document is edited', async () => {
    const store = memoryStore();
    const document = { id: 'log', title: 'Log', text: textOf(paragraphs) };
    const first = await indexDocuments({ store, embedder }, inputs(document), { chunking });
    expect(first).toMatchObject({ embedded: first.chunks, reused: 0 });
    const edited = { ...document, text: textOf(paragraphs.with(20, 'A storm broke the pier.')) };
    const watch = countingEmbedder();
    const report = await indexDocuments({ store, embedder: watch }, inputs(edited), { chunking });
    expect(watch.calls.flat().join()).toContain('A storm broke the pier.');
    expect(report.embedded).toBe(watch.calls.flat().length);
    expect(report.embedded).toBeLessThanOrEqual(3);
    expect(report.embedded + report.reused).toBe(report.chunks);

    // What was reused is what would have been embedded.
    const fresh = memoryStore();
    await indexDocuments({ store: fresh, embedder }, inputs(edited), { chunking });
    const ids = Array.from({ length: report.chunks }, (_, ordinal) => `log#${ordinal}`);
    expect(await vectorsOf(store, ...ids)).toEqual(await vectorsOf(fresh, ...ids));
  });

  test('a document has another id, path and metadata', async () => {
    const store = memoryStore();
    const document = { id: '/a/log.md', path: '/a/log.md', title: 'Log', text: textOf(paragraphs) };
    const { chunks } = await indexDocuments({ store, embedder }, inputs(document), { chunking });
    const watch = countingEmbedder();
    const moved = { ...document, id: '/b/log.md', path: '/b/log.md', metadata: { moved: true } };
    const report = await indexDocuments({ store, embedder: watch }, inputs(moved), { chunking });
    expect([report, watch.calls.flat()]).toMatchObject([{ added: 1, chunks, embedded: 0, reused: chunks }, []]);
    await store.delete(['/a/log.md']);
    expect(await store.info()).toMatchObject({ documents: 1, vectors: chunks });
    // Once more, from the vectors that were reused.
    expect(await indexDocuments({ store, embedder }, inputs(document), { chunking })).toMatchObject({ embedded: 0 });
  });

  test('a document has another title: that is embedded with every chunk', async () => {
    const store = memoryStore();
    const document = { id: 'log', title: 'Log', text: textOf(paragraphs) };
    await indexDocuments({ store, embedder }, inputs(document), { chunking });
    const report = await indexDocuments({ store, embedder }, inputs({ ...document, title: 'Diary' }), { chunking });
    expect(report).toMatchObject({ updated: 1, embedded: report.chunks, reused: 0 });
  });

  test('equal texts in one batch, and in later ones', async () => {
    const store = memoryStore();
    const watch = countingEmbedder();
    const many = Array.from({ length: 1_500 }, (_, at) => ({ id: `d${at}`, text: `Page ${at % 2} is blank.` }));
    const report = await indexDocuments({ store, embedder: watch }, inputs(...many));
    expect(report).toMatchObject({ added: 1_500, embedded: 2, reused: 1_498 });
    expect(watch.calls.flat()).toEqual(['Page 0 is blank.', 'Page 1 is blank.']);
    const [even, odd, again] = await vectorsOf(store, 'd0#0', 'd1#0', 'd1498#0');
    expect(again).toEqual(even);
    expect(again).not.toEqual(odd);
  });

  test('vectors of another embedder are never taken, whatever the store answers', async () => {
    const store = memoryStore();
    const document = { id: 'log', text: paragraphs[0]! };
    await indexDocuments({ store, embedder }, inputs(document));
    const other = deterministicEmbedder({ synonyms: [['harbour', 'port']] });
    const renamed: Embedder = { ...other, fingerprint: { ...other.fingerprint, model: 'another' } };
    const keys: string[] = [];
    const lying: Store = {
      ...memoryStore(),
      vectors: async (asked) => {
        keys.push(...asked);
        return new Map(asked.map((key) => [key, Float32Array.of(1)]));
      },
    };
    const watch = countingEmbedder(renamed);
    expect(await indexDocuments({ store: lying, embedder: watch }, inputs(document))).toMatchObject({
      embedded: 1,
    });
    expect(keys).toHaveLength(1);
    expect(await store.vectors!(keys)).toEqual(new Map());
  });

  test('a store that can not look vectors up', async () => {
    const { vectors: _, ...store } = memoryStore();
    const document = { id: 'a', text: paragraphs[0]! };
    await indexDocuments({ store, embedder }, inputs(document));
    expect(await indexDocuments({ store, embedder }, inputs({ ...document, id: 'b' }))).toMatchObject({
      added: 1,
      embedded: 1,
      reused: 0,
    });
  });

  test('a dry run counts equal texts once as well', async () => {
    const many = () => inputs(...Array.from({ length: 2_500 }, (_, at) => ({ id: `d${at}`, text: 'One page.' })));
    const store = memoryStore();
    const planned = await indexDocuments({ store, embedder }, many(), { dryRun: true });
    expect(planned).toMatchObject({ added: 2_500, embedded: 1, reused: 2_499 });
    expect(await store.info()).toMatchObject({ documents: 0 });
    expect(await indexDocuments({ store, embedder }, many())).toEqual(planned);
  });

  test('without an embedder nothing is counted', async () => {
    const report = await indexDocuments({ store: memoryStore() }, inputs({ id: 'a', text: 'Some words.' }));
    expect(report).toMatchObject({ chunks: 1, embedded: 0, reused: 0 });
  });
});

describe('when embedding fails', () => {
  const many = (count: number) =>
    inputs(...Array.from({ length: count }, (_, at) => ({ id: `n${at}`, text: `Number ${at}.` })));

  test('finished batches stay, so do the finished documents of the last; the next run embeds the rest', async () => {
    const store = memoryStore();
    const failing = countingEmbedder(embedder, { batch: 100, failAt: 12 });
    await expect(indexDocuments({ store, embedder: failing }, many(1_500))).rejects.toMatchObject({
      code: 'provider_failed',
      message: expect.stringMatching(/the line is busy.*document "n1200" and 99 more, up to "n1299"/),
    });
    expect(await store.info()).toMatchObject({ documents: 1_200, vectors: 1_200 });
    const watch = countingEmbedder();
    expect(await indexDocuments({ store, embedder: watch }, many(1_500))).toMatchObject({
      added: 300,
      unchanged: 1_200,
      embedded: 300,
    });
    expect(watch.calls.flat()).toHaveLength(300);
  });

  test('a document of which a part is missing when it stops is named, and the next run asks for that part only', async () => {
    const store = memoryStore();
    const documents = inputs({ id: 'short', text: 'A short one.' }, { id: '/long.md', text: textOf(paragraphs) });
    const failing = countingEmbedder(embedder, { batch: 1, failAt: 3 });
    const run = indexDocuments({ store, embedder: failing }, documents, { chunking });
    await expect(run).rejects.toMatchObject({ message: expect.stringMatching(/\(document "\/long\.md"\)$/) });
    const { chunks, vectors } = await store.info();
    expect([failing.calls.length, vectors]).toEqual([3, 3]);
    const { degraded } = await createSurmise({ store, embedder }).search('harbour');
    expect(degraded).toMatchObject([{ reason: `${chunks - 3} of ${chunks} chunks have no vector` }]);
    expect(await indexDocuments({ store, embedder }, documents, { chunking })).toMatchObject({
      updated: 1,
      unchanged: 1,
      embedded: chunks - 3,
      reused: 2,
    });
    expect(await indexDocuments({ store, embedder }, documents, { chunking })).toMatchObject({ unchanged: 2 });
  });

  test('an edited document keeps its old text until something of the new one is embedded', async () => {
    const store = memoryStore();
    await indexDocuments({ store, embedder }, inputs({ id: 'a', text: 'The old words.' }));
    const edited = inputs({ id: 'a', text: textOf(paragraphs) });
    for (const [failAt, start] of [
      [0, 'The old'],
      [1, 'Paragraph 0'],
    ] as const) {
      const failing = countingEmbedder(embedder, { batch: 1, failAt });
      await expect(indexDocuments({ store, embedder: failing }, edited, { chunking })).rejects.toThrow();
      expect(await store.get(['a#0'])).toMatchObject([{ text: expect.stringMatching(`^${start}`) }]);
    }
    expect(await store.info()).toMatchObject({ vectors: 1 });
  });

  test('an edited document of which the rest was not tried keeps its old text, whatever was refused of it', async () => {
    const store = memoryStore();
    await indexDocuments({ store, embedder }, inputs({ id: 'a', text: 'The old words.' }));
    const caller = new AbortController();
    const refusing: Embedder = {
      ...embedder,
      limits: { batch: 1 },
      embed(texts, options) {
        if (texts[0]!.startsWith('Paragraph 0')) return Promise.reject(new Error('not this one'));
        if (texts[0]!.startsWith('Paragraph')) caller.abort();
        return embedder.embed(texts, options);
      },
    };
    const edited = inputs({ id: 'a', text: textOf(paragraphs) });
    const run = indexDocuments({ store, embedder: refusing }, edited, { chunking, signal: caller.signal });
    await expect(run).rejects.toMatchObject({ code: 'aborted' });
    expect(await store.get(['a#0', 'a#1'])).toMatchObject([{ text: 'The old words.' }]);
  });

  test('giving up keeps what is embedded', async () => {
    const store = memoryStore();
    const caller = new AbortController();
    const stopping: Embedder = {
      ...embedder,
      limits: { batch: 10 },
      async embed(texts, options) {
        const answer = await embedder.embed(texts, options);
        if (texts.includes('Number 25.')) queueMicrotask(() => caller.abort());
        return answer;
      },
    };
    const run = indexDocuments({ store, embedder: stopping }, many(100), { signal: caller.signal });
    await expect(run).rejects.toMatchObject({ code: 'aborted' });
    const { documents, vectors } = await store.info();
    expect([20, 30]).toContain(documents);
    expect(vectors).toBe(documents);
  });

  test('an embedder whose limit is no number says so', async () => {
    const broken = countingEmbedder(embedder, { batch: 0 });
    await expect(indexDocuments({ store: memoryStore(), embedder: broken }, many(2))).rejects.toMatchObject({
      message: expect.stringContaining('must allow 1 or more'),
    });
  });
});
