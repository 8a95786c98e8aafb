import { describe, expect, test } from 'vitest';
import type { Retries } from '../../src/core/cool-down.js';
import { type EmbedProgress, embedQueue } from '../../src/core/embed-queue.js';
import { SurmiseError } from '../../src/core/errors.js';
import { indexDocuments } from '../../src/core/indexing.js';
import type { Embedder, EmbedLimits } from '../../src/core/ports.js';
import { embedder as base, memoryStore } from './library.js';

const quick: Retries = { attempts: 3, totalMs: 5_000, firstMs: 1, longestMs: 2 };
const texts = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ text: `Text ${at}.`, document: `d${at}` }));

interface Watched extends Embedder {
  readonly calls: (readonly string[])[];
  readonly mostAtOnce: () => number;
}

/** An embedder that asks `answer` before it answers a call. */
function watched(
  answer: (texts: readonly string[], call: number) => unknown = () => undefined,
  limits: EmbedLimits = { batch: 16 },
): Watched {
  const calls: (readonly string[])[] = [];
  let now = 0;
  let most = 0;
  return {
    ...base,
    limits,
    calls,
    mostAtOnce: () => most,
    async embed(batch, options) {
      calls.push(batch);
      most = Math.max(most, ++now);
      try {
        await answer(batch, calls.length - 1);
        return await base.embed(batch, options);
      } finally {
        now--;
      }
    },
  };
}

const refusing = (isBad: (text: string) => boolean, error: () => Error = () => new Error('not this text')) =>
  watched((batch) => {
    if (batch.some(isBad)) throw error();
  });
const embed = (
  embedder: Embedder,
  items: Parameters<ReturnType<typeof embedQueue>['embed']>[0],
  { signal, told = [] }: { signal?: AbortSignal; told?: EmbedProgress[] } = {},
) => embedQueue(embedder, quick, signal, (progress) => told.push(progress)).embed(items);

test('all texts, each in its place, and so many calls at a time', async () => {
  const told: EmbedProgress[] = [];
  const embedder = watched(() => new Promise((resolve) => setTimeout(resolve, 0)), { batch: 3, concurrency: 4 });
  const { vectors, refused, failure } = await embed(embedder, texts(50), { told });
  const [last] = await base.embed(['Text 49.'], { role: 'document' });
  expect([vectors.size, vectors.get(49), refused.size, failure]).toEqual([50, last, 0, undefined]);
  expect(embedder.mostAtOnce()).toBe(4);
  expect(told).toHaveLength(17);
  expect(told.at(-1)).toEqual({ embedded: 50, tokens: Math.round(10 * 2.25 + 40 * 2.75) });
});

test('tokens are counted by an embedder that has a price', async () => {
  const told: EmbedProgress[] = [];
  const price = { perMillionTokens: 1, currency: 'EUR' };
  await embed({ ...watched(), price, countTokens: () => 7 }, texts(3), { told });
  expect(told).toEqual([{ embedded: 3, tokens: 21 }]);
});

describe('refused texts', () => {
  test.each([[[0]], [[15]], [[3, 4, 40]], [[16, 17, 18, 19, 20, 21, 22, 23]]])(
    '%j are found, the others are embedded',
    async (bad) => {
      const embedder = refusing((text) => bad.some((at) => text === `Text ${at}.`));
      const { vectors, refused, failure } = await embed(embedder, texts(48));
      expect(failure).toBeUndefined();
      expect([...refused.keys()].sort((a, b) => a - b)).toEqual(bad);
      expect(vectors.size).toBe(48 - bad.length);
      expect(embedder.calls.length).toBeLessThanOrEqual(3 + 10 * bad.length);
    },
  );

  test('one that makes the server fail for the moment is found as well', async () => {
    const error = () => new SurmiseError('provider_failed', 'Out of order.', { retryable: true });
    const { vectors, refused } = await embed(
      refusing((text) => text === 'Text 5.', error),
      texts(20),
    );
    expect([vectors.size, [...refused]]).toEqual([19, [[5, 'Out of order.']]]);
  });

  test('a failure that does not come back is none', async () => {
    for (const count of [1, 20]) {
      const embedder = watched((_, call) => {
        if (call === 0) throw new Error('a hiccup');
      });
      const { vectors, refused, failure } = await embed(embedder, texts(count));
      expect([vectors.size, refused.size, failure]).toEqual([count, 0, undefined]);
    }
  });

  test('of a document with several, the rest is not tried', async () => {
    const items = Array.from({ length: 64 }, (_, at) => ({ text: `Part ${at}.`, document: 'data' }));
    const embedder = refusing((text) => text.startsWith('Part'));
    const { refused, vectors, failure } = await embed(embedder, [...items, ...texts(2)]);
    expect([refused.size, vectors.size, failure]).toEqual([3, 2, undefined]);
    expect(embedder.calls.length).toBeLessThan(20);
  });

  test('very many in a row stop it', async () => {
    const embedder = refusing((text) => text.startsWith('Text'));
    const { refused, failure } = await embed(embedder, texts(1_000));
    expect(refused.size).toBe(64);
    expect(failure).toMatchObject({ code: 'provider_failed', message: expect.stringContaining('not this text') });
  });
});

describe('what fails for every text stops it', () => {
  test.each<[string, () => Error, number]>([
    ['credentials', () => new SurmiseError('provider_failed', 'Refused.', { fatal: true }), 1],
    ['a missing package', () => new SurmiseError('bad_argument', 'Install it.'), 1],
    ['a plain text fails as well', () => new Error('no'), 2],
    ['a long outage', () => new SurmiseError('provider_failed', 'Down.', { retryable: true }), 5],
  ])('%s', async (_, error, calls) => {
    const embedder = watched(() => {
      throw error();
    });
    const { failure, vectors, refused } = await embed(embedder, texts(100));
    expect(failure).toMatchObject({
      message: expect.stringMatching(/\(document "d0" and 15 more, up to "d15"\)$/),
    });
    expect([vectors.size, refused.size, embedder.calls.length]).toEqual([0, 0, calls]);
  });

  test('and keeps what was embedded before', async () => {
    const embedder = watched((_, call) => {
      if (call >= 2) throw new SurmiseError('provider_failed', 'Refused.', { fatal: true });
    });
    const { failure, vectors } = await embed(embedder, texts(100));
    expect([failure !== undefined, vectors.size, embedder.calls.length]).toEqual([true, 32, 3]);
  });

  test('also when it begins while a batch is halved', async () => {
    const embedder = watched((_, call) => {
      if (call === 0) throw new Error('too much');
      if (call > 2) throw new SurmiseError('provider_failed', 'Down.', { retryable: true });
    });
    const { failure, vectors, refused } = await embed(embedder, texts(100));
    expect(failure).toMatchObject({ message: expect.stringContaining('Down.') });
    expect([vectors.size, refused.size]).toEqual([8, 0]);
  });
});

describe('giving up', () => {
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
        return base.embed(batch, options);
      },
    ],
  ])('%s stops it within a few calls, and what is embedded is written', async (_, embedRest) => {
    const store = memoryStore();
    const caller = new AbortController();
    let calls = 0;
    const embedder: Embedder = {
      ...base,
      limits: { batch: 2 },
      embed(batch, options) {
        if (calls++ < 10) return base.embed(batch, options);
        // Behind what a call and its failure do at once.
        if (calls === 11) setTimeout(() => caller.abort(), 0);
        return embedRest(batch, options);
      },
    };
    const run = indexDocuments({ store, embedder }, inputs, { signal: caller.signal });
    await expect(run).rejects.toMatchObject({ code: 'aborted' });
    expect(calls).toBeLessThan(15);
    const { documents, vectors } = await store.info();
    expect(documents).toBeGreaterThanOrEqual(20);
    expect(documents).toBeLessThan(100);
    expect(vectors).toBe(documents);
  });
});

test('a listener that throws ends the run with what it threw', async () => {
  const queue = embedQueue(watched(), quick, undefined, () => {
    throw new RangeError('no room');
  });
  expect(await queue.embed(texts(3))).toMatchObject({ failure: new RangeError('no room') });
});
