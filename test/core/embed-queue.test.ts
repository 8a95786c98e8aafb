import { describe, expect, test } from 'vitest';
import type { Retries } from '../../src/core/cool-down.js';
import { type EmbedProgress, embedQueue } from '../../src/core/embed-queue.js';
import { SurmiseError } from '../../src/core/errors.js';
import type { Embedder, EmbedLimits } from '../../src/core/ports.js';
import { embedder as base } from './library.js';

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

/** An embedder whose answers `change` spoils. */
function watchedAnswers(change: (vectors: Float32Array[], batch: readonly string[]) => Float32Array[]): Watched {
  const embedder = watched();
  return {
    ...embedder,
    embed: async (batch, options) => change(await embedder.embed(batch, options), batch),
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

  const parts = (count: number, document = 'data') =>
    Array.from({ length: count }, (_, at) => ({ text: `Part ${at}.`, document }));

  test('of a document that is refused throughout, the rest is not tried', async () => {
    const embedder = refusing((text) => text.startsWith('Part'));
    const { refused, vectors, failure } = await embed(embedder, [...parts(64), ...texts(2)]);
    // Four in order, and four of the others.
    expect([refused.size, vectors.size, failure]).toEqual([8, 2, undefined]);
    expect(embedder.calls.length).toBeLessThan(45);
  });

  test('a document that begins with refused texts gets the vectors of its others', async () => {
    const isBad = (text: string) => /^Part [0-5]\./.test(text);
    const { refused, vectors, failure } = await embed(refusing(isBad), [...parts(40), ...texts(2)]);
    expect([[...refused.keys()].sort(), vectors.size, failure]).toEqual([[0, 1, 2, 3, 4, 5], 36, undefined]);
  });

  test('run by run a document gets all that it can get', async () => {
    const isBad = (text: string) => Number(/\d+/.exec(text)?.[0]) < 30;
    let missing = parts(60);
    for (let run = 0; run < 200 && missing.length > 30; run++) {
      const items = missing;
      const { vectors } = await embed(refusing(isBad), items);
      missing = items.filter((_, at) => !vectors.has(at));
    }
    expect(missing).toEqual(parts(30));
  });

  test('documents of refuse one after another do not stop the others', async () => {
    const items = Array.from({ length: 12 }, (_, at) => parts(20, `data ${at}`)).flat();
    const { vectors, failure } = await embed(
      refusing((text) => text.startsWith('Part')),
      [...items, ...texts(5)],
    );
    expect([vectors.size, failure]).toEqual([5, undefined]);
  });

  test('a caller who wants one attempt gets one', async () => {
    const error = () => new SurmiseError('provider_failed', 'Out of order.', { retryable: true });
    const embedder = refusing((text) => text === 'Text 0.', error);
    const once = { ...quick, attempts: 1 };
    const { refused } = await embedQueue(embedder, once, undefined, () => {}).embed(texts(1));
    expect([[...refused.keys()], embedder.calls.length]).toEqual([[0], 2]);
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
    // The third call fails, and is asked once more.
    expect([failure !== undefined, vectors.size, embedder.calls.length]).toEqual([true, 32, 4]);
  });

  test('but one such answer among good ones does not', async () => {
    const embedder = watched((_, call) => {
      if (call === 2) throw new SurmiseError('provider_failed', 'Refused.', { fatal: true });
    });
    const { failure, vectors } = await embed(embedder, texts(100));
    expect([failure, vectors.size, embedder.calls.length]).toEqual([undefined, 100, 8]);
  });

  test.each<[string, (vectors: Float32Array[], batch: readonly string[]) => Float32Array[]]>([
    ['a vector too few', (vectors) => vectors.slice(1)],
    ['a vector of another length', (vectors) => vectors.map((vector, at) => (at === 0 ? vector.slice(1) : vector))],
    ['zeros only', (vectors) => vectors.map((vector) => vector.map(() => 0))],
  ])('an answer of %s is asked for again, and stops it where all are like that', async (_, spoil) => {
    const spoiling = (isBad: (call: number) => boolean) => {
      let call = 0;
      return watchedAnswers((vectors, batch) => (isBad(call++) ? spoil(vectors, batch) : vectors));
    };
    const good = await embed(base, texts(48));
    expect(
      await embed(
        spoiling((call) => call === 1),
        texts(48),
      ),
    ).toEqual(good);
    const { failure, vectors } = await embed(
      spoiling(() => true),
      texts(48),
    );
    expect([failure, vectors.size]).toEqual([expect.objectContaining({ code: 'provider_failed' }), 0]);
  });

  test('a text that alone gets another length is refused alone', async () => {
    const embedder = watchedAnswers((vectors, batch) =>
      vectors.map((vector, at) => (batch[at] === 'Text 7.' ? vector.slice(1) : vector)),
    );
    const { failure, vectors, refused } = await embed(embedder, texts(48));
    expect([failure, vectors.size, [...refused.keys()]]).toEqual([undefined, 47, [7]]);
  });

  test('zeros stand for texts that the embedder knows nothing of', async () => {
    const embedder = watchedAnswers((vectors, batch) =>
      vectors.map((vector, at) => (batch[at]!.startsWith('Text') ? vector.map(() => 0) : vector)),
    );
    const { failure, vectors, refused } = await embed(embedder, texts(20));
    expect([failure, vectors.size, refused.size]).toEqual([undefined, 20, 0]);
    expect(vectors.get(3)!.every((value) => value === 0)).toBe(true);
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

test.each([
  [new RangeError('no room'), new RangeError('no room')],
  [undefined, { code: 'internal' }],
])('a listener that throws %s ends the run', async (thrown, failure) => {
  const queue = embedQueue(watched(), quick, undefined, () => {
    throw thrown;
  });
  expect(await queue.embed(texts(3))).toMatchObject({ failure });
});
