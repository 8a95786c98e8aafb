import { describe, expect, test } from 'vitest';
import { pause } from '../../src/core/deadline.js';
import { embedTexts } from '../../src/core/embed.js';
import { SurmiseError } from '../../src/core/errors.js';
import { describeFingerprint, fingerprintKey } from '../../src/core/fingerprint.js';
import type { Embedder } from '../../src/core/ports.js';

const fingerprint = { provider: 'acme', model: 'm', dimensions: 2, normalised: false };
const options = { role: 'document', deadlineMs: 1_000 } as const;

function embedderOf(embed: (texts: readonly string[], role: string) => unknown, batch = 2): Embedder {
  const answer = async (texts: readonly string[], { role }: { role: string }) => embed(texts, role);
  return { fingerprint, limits: { batch }, embed: answer as Embedder['embed'] };
}

const lengths = (texts: readonly string[]) => texts.map((text) => Float32Array.of(text.length, 1));

test('batches as the embedder allows, in order, with the role', async () => {
  const calls: unknown[] = [];
  const embedder = embedderOf((texts, role) => {
    calls.push([texts, role]);
    return lengths(texts);
  });
  const vectors = await embedTexts(embedder, ['a', 'bb', 'ccc'], options);
  expect(vectors.map(([length]) => length)).toEqual([1, 2, 3]);
  expect(calls).toEqual([
    [['a', 'bb'], 'document'],
    [['ccc'], 'document'],
  ]);
});

test('one that takes its texts out of the list is asked for the same again', async () => {
  const calls: string[][] = [];
  const embedder = embedderOf((texts) => {
    calls.push([...texts]);
    const vectors = lengths((texts as string[]).splice(0, 2));
    if (calls.length === 1) throw new SurmiseError('provider_failed', 'busy', { retryable: true });
    return vectors;
  });
  const vectors = await embedTexts(embedder, ['a', 'bb'], options);
  expect([vectors.map(([length]) => length), calls]).toEqual([
    [1, 2],
    [
      ['a', 'bb'],
      ['a', 'bb'],
    ],
  ]);
});

test('no texts, no call', async () => {
  const embedder = embedderOf(() => {
    throw new Error('called');
  });
  expect(await embedTexts(embedder, [], options)).toEqual([]);
});

describe('an embedder that answers something else is found out', () => {
  test.each<[string, (texts: readonly string[]) => unknown, RegExp]>([
    ['too few', (texts) => lengths(texts).slice(1), /1 vectors for 2 texts/],
    ['too many', (texts) => lengths([...texts, 'more']), /3 vectors for 2 texts/],
    ['nothing', () => undefined, /no vectors for 2 texts/],
    ['an object', () => ({ data: [] }), /vectors for 2 texts/],
    ['other dimensions', (texts) => texts.map(() => new Float32Array(3)), /3 dimensions where 2/],
    ['not a number', (texts) => texts.map(() => Float32Array.of(1, Number.NaN)), /finite/],
    ['infinity', (texts) => texts.map(() => Float32Array.of(1, Number.NEGATIVE_INFINITY)), /finite/],
    ['a hole', () => [undefined, new Float32Array(2)], /not a Float32Array/],
    ['plain arrays', (texts) => texts.map(() => [1, 2]), /not a Float32Array/],
    ['double precision', (texts) => texts.map(() => new Float64Array(2)), /not a Float32Array/],
  ])('%s', async (_, embed, message) => {
    await expect(embedTexts(embedderOf(embed), ['a', 'b'], options)).rejects.toMatchObject({
      code: 'provider_failed',
      message: expect.stringMatching(message),
    });
  });

  test.each([0, -1, Number.NaN, 1.5])('a batch size of %s', async (batch) => {
    await expect(embedTexts(embedderOf(lengths, batch), ['a'], options)).rejects.toMatchObject({
      code: 'bad_argument',
      message: expect.stringContaining('"limits.batch"'),
    });
  });
});

test('a failure keeps its cause; an error of ours passes as it is', async () => {
  const cause = new Error('quota is used up');
  const fail = (error: Error) =>
    embedderOf(() => {
      throw error;
    });
  await expect(embedTexts(fail(cause), ['a'], options)).rejects.toMatchObject({
    code: 'provider_failed',
    message: expect.stringContaining('quota is used up'),
    cause,
  });
  const own = new SurmiseError('bad_argument', 'own');
  await expect(embedTexts(fail(own), ['a'], options)).rejects.toBe(own);
});

test('one that throws at once fails like one that rejects', async () => {
  const embedder: Embedder = {
    ...embedderOf(lengths),
    embed() {
      throw new TypeError('not ready');
    },
  };
  await expect(embedTexts(embedder, ['a'], options)).rejects.toMatchObject({ code: 'provider_failed' });
});

test('one that hangs ends at the deadline, or when the caller gives up', async () => {
  const hanging = embedderOf(() => new Promise(() => {}));
  await expect(embedTexts(hanging, ['a'], { ...options, deadlineMs: 5 })).rejects.toMatchObject({ code: 'timeout' });
  const caller = new AbortController();
  const waiting = embedTexts(hanging, ['a'], { ...options, signal: caller.signal });
  caller.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
});

test('the deadline is for all batches, however many', async () => {
  const deadlineMs = 40;
  const slow = embedderOf(async (texts) => {
    await pause(deadlineMs / 2);
    return lengths(texts);
  }, 1);
  const texts = ['a', 'b', 'c', 'd', 'e'];
  await expect(embedTexts(slow, texts, { ...options, deadlineMs })).rejects.toMatchObject({ code: 'timeout' });
});

test('giving up between two batches leaves the later ones unasked', async () => {
  const caller = new AbortController();
  let calls = 0;
  const embedder = embedderOf((texts) => {
    calls++;
    caller.abort();
    return lengths(texts);
  });
  await expect(embedTexts(embedder, ['a', 'b', 'c'], { ...options, signal: caller.signal })).rejects.toMatchObject({
    code: 'aborted',
  });
  expect(calls).toBe(1);
});

describe('fingerprints', () => {
  test('are equal whatever the order of their fields, and with prefixes that are empty or not given', () => {
    const turned = { normalised: false, dimensions: 2, model: 'm', provider: 'acme' };
    expect(fingerprintKey(turned)).toBe(fingerprintKey(fingerprint));
    expect(fingerprintKey({ ...fingerprint, prefixes: { query: '', document: '' } })).toBe(fingerprintKey(fingerprint));
  });

  test.each([
    { provider: 'other' },
    { model: 'n' },
    { dimensions: 3 },
    { normalised: true },
    { prefixes: { query: 'q: ', document: '' } },
    { prefixes: { query: '', document: 'q: ' } },
  ])('differ with %j', (change) => {
    expect(fingerprintKey({ ...fingerprint, ...change })).not.toBe(fingerprintKey(fingerprint));
  });

  test('can not be confused by what is in a name', () => {
    const key = (provider: string, model: string) => fingerprintKey({ ...fingerprint, provider, model });
    expect(key('a","b', 'c')).not.toBe(key('a', 'b","c'));
  });

  test('are described for people', () => expect(describeFingerprint(fingerprint)).toBe('acme/m (2 dimensions)'));
});
