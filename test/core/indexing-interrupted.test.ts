import { describe, expect, test } from 'vitest';
import { SurmiseError } from '../../src/core/errors.js';
import type { IndexInput, IndexSource } from '../../src/core/index-input.js';
import { indexDocuments } from '../../src/core/indexing.js';
import type { Embedder, Store } from '../../src/core/ports.js';
import { createSurmise } from '../../src/core/surmise.js';
import { embedder, memoryStore } from './library.js';

const document = (at: number): IndexInput => ({ document: { id: `d${at}`, text: `Ferry number ${at}.` } });
const source = (read: IndexSource['read'], id = 'x'): IndexSource => ({ id, identity: '1', read });
const forever = () => new Promise<never>(() => {});

describe('giving up ends what hangs', () => {
  test.each<[string, (store: Store, begun: () => void) => { store?: Store; inputs: never }]>([
    [
      'a read',
      (_, begun) => ({
        inputs: [
          source(() => {
            begun();
            return forever();
          }),
        ] as never,
      }),
    ],
    [
      'an iterator',
      (_, begun) => ({
        inputs: (async function* () {
          yield document(1);
          begun();
          await forever();
        })() as never,
      }),
    ],
    [
      'a write',
      (store, begun) => ({
        store: {
          ...store,
          put: () => {
            begun();
            return forever();
          },
        },
        inputs: Array.from({ length: 3_000 }, (_, at) => document(at)) as never,
      }),
    ],
  ])('%s', async (_, hanging) => {
    const caller = new AbortController();
    const store = memoryStore();
    let aborted = Number.POSITIVE_INFINITY;
    const ports = hanging(store, () =>
      setTimeout(() => {
        aborted = performance.now();
        caller.abort();
      }, 10),
    );
    const run = indexDocuments({ store, ...ports }, ports.inputs, { signal: caller.signal });
    await expect(run).rejects.toMatchObject({ code: 'aborted' });
    expect(performance.now() - aborted).toBeLessThan(1_900);
  });

  test('a read is told', async () => {
    const caller = new AbortController();
    let told: AbortSignal | undefined;
    const reading = source(async ({ signal }) => {
      told = signal;
      caller.abort();
      return undefined;
    });
    const run = indexDocuments({ store: memoryStore() }, [reading], { signal: caller.signal });
    await expect(run).rejects.toMatchObject({ code: 'aborted' });
    expect(told).toBe(caller.signal);
  });

  test('an iterator is closed when the run ends before it', async () => {
    for (const stop of ['abort', 'bad input'] as const) {
      const caller = new AbortController();
      let closed = false;
      async function* documents() {
        try {
          for (let at = 0; ; at++) {
            if (at === 3 && stop === 'abort') caller.abort();
            yield at === 3 && stop === 'bad input' ? (5 as never) : document(at);
          }
        } finally {
          closed = true;
        }
      }
      const run = indexDocuments({ store: memoryStore() }, documents(), { signal: caller.signal });
      await expect(run).rejects.toMatchObject({ code: stop === 'abort' ? 'aborted' : 'bad_data' });
      await expect.poll(() => closed).toBe(true);
    }
  });

  test('documents of a list leave other tasks their turn', async () => {
    const caller = new AbortController();
    const busy = function* () {
      for (let at = 0; at < 100; at++) {
        const until = performance.now() + 20;
        while (performance.now() < until);
        yield document(at);
      }
    };
    setTimeout(() => caller.abort(), 60);
    let seen = 0;
    const onProgress = (progress: { seen: number }) => {
      seen = progress.seen;
    };
    const run = indexDocuments({ store: memoryStore() }, busy(), { signal: caller.signal, onProgress });
    await expect(run).rejects.toMatchObject({ code: 'aborted' });
    expect(seen).toBeLessThan(30);
  });
});

describe('giving up while texts are embedded', () => {
  const inputs = Array.from({ length: 400 }, (_, at) => ({ document: { id: `n${at}`, text: `Number ${at}.` } }));

  test.each<[string, Embedder['embed']]>([
    ['in a call that hangs', () => new Promise(() => {})],
    [
      'in a wait',
      async () => {
        throw new SurmiseError('provider_failed', 'Busy.', { retryable: true, retryAfterMs: 300_000 });
      },
    ],
    [
      'between calls that leave nobody a turn',
      (batch, options) => {
        const until = performance.now() + 20;
        while (performance.now() < until);
        return embedder.embed(batch, options);
      },
    ],
  ])('%s stops it within a few calls, and what is embedded is written', async (_, embedRest) => {
    const store = memoryStore();
    const caller = new AbortController();
    let calls = 0;
    const watched: Embedder = {
      ...embedder,
      limits: { batch: 2 },
      embed(batch, options) {
        if (calls++ < 10) return embedder.embed(batch, options);
        // Behind what a call and its failure do at once.
        if (calls === 11) setTimeout(() => caller.abort(), 0);
        return embedRest(batch, options);
      },
    };
    const run = indexDocuments({ store, embedder: watched }, inputs, { signal: caller.signal });
    await expect(run).rejects.toMatchObject({ code: 'aborted' });
    expect(calls).toBeLessThan(15);
    const { documents, vectors } = await store.info();
    expect(documents).toBeGreaterThanOrEqual(20);
    expect(documents).toBeLessThan(100);
    expect(vectors).toBe(documents);
  });
});

describe('inputs that can not be read', () => {
  const cause = new RangeError('out of bounds');
  const fail = (): never => {
    throw cause;
  };

  test.each<[string, () => Iterable<IndexInput | IndexSource> | AsyncIterable<IndexInput>, RegExp]>([
    ['a read', () => [document(1), document(2), source(async () => fail())], /"x".*out of bounds/],
    ['a read that is not asynchronous', () => [document(1), document(2), source(fail)], /"x".*out of bounds/],
    [
      'an iterator',
      function* () {
        yield document(1);
        yield document(2);
        fail();
      },
      /out of bounds/,
    ],
    [
      'an asynchronous iterator',
      async function* () {
        yield document(1);
        yield document(2);
        fail();
      },
      /out of bounds/,
    ],
  ])('%s: what was read before is written, and the cause is kept', async (_, inputs, message) => {
    const store = memoryStore();
    await expect(indexDocuments({ store, embedder }, inputs())).rejects.toMatchObject({
      code: 'unreadable',
      message: expect.stringMatching(message),
      cause,
    });
    expect(await store.info()).toMatchObject({ documents: 2, vectors: 2 });
  });

  test('an error of ours passes as it is, and a dry run writes nothing', async () => {
    const store = memoryStore();
    const error = new SurmiseError('timeout', 'Late.');
    const inputs = [document(1), source(() => Promise.reject(error))];
    await expect(indexDocuments({ store }, inputs, { dryRun: true })).rejects.toBe(error);
    expect(await store.info()).toMatchObject({ documents: 0 });
  });

  test.each([new Error('disk'), 'text', null])('a store that throws %s has failed', async (thrown) => {
    const store: Store = { ...memoryStore(), put: () => Promise.reject(thrown) };
    await expect(indexDocuments({ store }, [document(1)])).rejects.toMatchObject({
      code: 'storage_failed',
      cause: thrown,
    });
  });

  test('a store that throws nothing has failed as well', async () => {
    const store: Store = { ...memoryStore(), put: () => Promise.reject(undefined) };
    await expect(indexDocuments({ store }, [document(1)])).rejects.toMatchObject({ code: 'storage_failed' });
  });

  test('one that gives nothing leaves its id to another', async () => {
    const inputs = [source(async () => undefined, 'd1'), document(1), document(1)];
    const report = await indexDocuments({ store: memoryStore() }, inputs);
    expect(report).toMatchObject({ added: 1, skipped: [{ id: 'd1', reason: 'duplicate id' }] });
  });
});

test.each([[[{}]], [[Symbol('a')]], [[['d1']]], [['d1', undefined]]])('ids %o are refused', async (ids) => {
  const surmise = createSurmise({ store: memoryStore() });
  await surmise.index([document(1)]);
  await expect(surmise.remove(ids as string[])).rejects.toMatchObject({ code: 'bad_argument' });
  expect(await surmise.info()).toMatchObject({ documents: 1 });
});
