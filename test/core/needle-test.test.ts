import { expect, test } from 'vitest';
import { SurmiseError } from '../../src/core/errors.js';
import { needleTest } from '../../src/core/needle-test.js';
import type { Embedder } from '../../src/core/ports.js';
import { deterministicEmbedder } from '../../src/models/index.js';

const base = deterministicEmbedder({});

/** One that reads so many characters of a text, and adds so much noise to each number. */
const reading = (characters: number, noise = 0): Embedder => ({
  ...base,
  async embed(texts, options) {
    const vectors = await base.embed(
      texts.map((text) => text.slice(0, characters)),
      options,
    );
    return vectors.map((vector, at) => vector.map((value, i) => value + noise * Math.sin(at * 7 + i)));
  },
});

test('an embedder that reads everything passes up to the longest text', async () => {
  expect(await needleTest(base)).toEqual({ read: 8_000 });
  expect(await needleTest(base, { longest: 12_000 })).toEqual({ read: 12_000 });
});

test.each([
  [700, 0, { read: 0, cut: 1_000 }],
  [1_700, 0, { read: 1_000, cut: 2_000 }],
  [1_700, 1e-4, { read: 1_000, cut: 2_000 }],
  [8_192, 1e-4, { read: 8_000 }],
])('one that cuts at %i characters with noise %f is found out', async (characters, noise, report) => {
  expect(await needleTest(reading(characters, noise))).toEqual(report);
});

test('what it says of its own limit is not passed', async () => {
  const modest = { ...reading(2_000), limits: { ...base.limits, characters: 2_000 } };
  expect(await needleTest(modest)).toEqual({ read: 2_000 });
  const short = { ...reading(90), limits: { ...base.limits, characters: 90 } };
  expect(await needleTest(short)).toEqual({ read: 90 });
});

test('one that refuses long texts says where; one that refuses all of them fails', async () => {
  const refusing = (from: number): Embedder => ({
    ...base,
    embed: (texts, options) =>
      texts.some((text) => text.length > from)
        ? Promise.reject(new SurmiseError('provider_failed', 'The text is too long.'))
        : base.embed(texts, options),
  });
  expect(await needleTest(refusing(3_000))).toEqual({
    read: 2_000,
    refused: { characters: 4_000, reason: 'The text is too long.' },
  });
  await expect(needleTest(refusing(10))).rejects.toMatchObject({ code: 'provider_failed' });
});

test.each([Number.NaN, 0, 1.5, Number.POSITIVE_INFINITY])('a longest text of %f is refused', async (longest) => {
  await expect(needleTest(base, { longest })).rejects.toMatchObject({ code: 'bad_argument' });
});

test('giving up ends it', async () => {
  await expect(needleTest(base, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
});
