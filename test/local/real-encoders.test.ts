import { describe, expect, test } from 'vitest';
import { sentenceEncoder } from '../../src/local/index.js';
import { embedderContract } from '../contract/embedder.js';
import { fetchedEncoder } from './fetched-encoder.js';

const question = 'When does the ferry leave the island?';
const passages = [
  'The ferry leaves the island at noon.',
  'Prune the roses before the first frost.',
  'El transbordador sale de la isla al mediodía.',
  'O cão dorme à sombra da mangueira.',
  '船は正午に島を出る。',
  'Ångström ﬁnancial ½ ① naïve café',
  // Longer than any of the models takes.
  'The tide table of the harbour lists every high water of the year. '.repeat(60),
];
const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

/** By a second implementation: the checkpoint's layers in float64, with the tokenizer of the package `tokenizers`. */
const miniLm = {
  tokens: [10, 11, 16, 15, 12, 11, 256],
  cosines: [0.7734, 0.0953, 0.2203, 0.0159, 0.2094, 0.0342, 0.2107],
  beginnings: [
    [0.05626, 0.10623, 0.04316, 0.00235],
    [-0.05713, 0.04159, 0.05852, 0.04381],
    [0.06892, 0.1005, -0.09088, -0.00479],
    [-0.01271, 0.0496, -0.12563, 0.05623],
    [0.04016, 0.11754, 0.01287, 0.00509],
    [0.0601, -0.01017, 0.00609, 0.06936],
    [-0.00018, -0.01298, 0.05028, -0.07468],
  ],
};
/** By the engine that the weights came with, which rounds more on its way. */
const e5 = { cosines: [0.9021, 0.744, 0.8108, 0.7368, 0.8018, 0.7472, 0.764] };

describe('all-MiniLM-L6-v2', () => {
  const fetched = fetchedEncoder('all-MiniLM-L6-v2');

  test('vectors and tokens are those of another implementation, also where a text is cut', async (context) => {
    const encoder = await sentenceEncoder({ model: fetched.folder(context) });
    expect(encoder.fingerprint).toMatchObject({ provider: 'local', dimensions: 384, normalised: true });
    expect(encoder.fingerprint.prefixes).toBeUndefined();
    expect(encoder.limits.tokens).toBe(256);
    expect(passages.map((text) => Math.min(256, encoder.countTokens!(text)))).toEqual(miniLm.tokens);
    const [asked] = await encoder.embed([question], { role: 'query' });
    const vectors = await encoder.embed(passages, { role: 'document' });
    vectors.forEach((vector, at) => {
      expect(dot(asked!, vector)).toBeCloseTo(miniLm.cosines[at]!, 3);
      miniLm.beginnings[at]!.forEach((value, i) => {
        expect(vector[i]).toBeCloseTo(value, 4);
      });
    });
  });

  test('a text has nearly the same vector whatever is beside it', async (context) => {
    const encoder = await sentenceEncoder({ model: fetched.folder(context) });
    const together = await encoder.embed(passages, { role: 'document' });
    for (const [at, text] of passages.entries()) {
      const [alone] = await encoder.embed([text], { role: 'document' });
      expect(Math.hypot(...alone!.map((value, i) => value - together[at]![i]!))).toBeLessThan(1e-5);
    }
  });

  embedderContract('all-MiniLM-L6-v2', (context) => sentenceEncoder({ model: fetched.folder(context) }));
});

describe('multilingual-e5-small', () => {
  const fetched = fetchedEncoder('multilingual-e5-small');

  test('vectors are those of the engine that it came with, prefixes included', {
    timeout: 120_000,
  }, async (context) => {
    const encoder = await sentenceEncoder({ model: fetched.folder(context) });
    expect(encoder.fingerprint.prefixes).toEqual({ query: 'query: ', document: 'passage: ' });
    expect(encoder.limits.tokens).toBe(512);
    const [asked] = await encoder.embed([question], { role: 'query' });
    const vectors = await encoder.embed(passages, { role: 'document' });
    const cosines = vectors.map((vector) => dot(asked!, vector));
    cosines.forEach((cosine, at) => {
      expect(Math.abs(cosine - e5.cosines[at]!)).toBeLessThan(0.002);
    });
    // The same sentence in another language is nearer than any other sentence but its own translation into English.
    expect(cosines[2]).toBeGreaterThan(Math.max(cosines[1]!, cosines[3]!, cosines[5]!, cosines[6]!));
    const [single, blank] = await encoder.embed(['a', ' '], { role: 'query' });
    expect(single!.some((value) => value !== 0)).toBe(true);
    expect(blank!.some((value) => value !== 0)).toBe(false);
  });
});
