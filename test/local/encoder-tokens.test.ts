import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encoderProfile } from '../../src/local/encoder-profiles.js';
import { paddedBatches, tokenWriter } from '../../src/local/encoder-tokens.js';

/** One token for each word, its length, between the marks 1 and 2, 3. */
const encode = (text: string): number[] => [1, ...(text.match(/\S+/g) ?? []).map((word) => 10 + word.length), 2, 3];

describe('tokens of a text', () => {
  test('a cut text is the beginning of the whole one with the marks around it', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { maxLength: 40 });
    fc.assert(
      fc.property(words, fc.integer({ min: 8, max: 30 }), (list, most) => {
        const text = list.join(' ');
        const whole = encode(text);
        const { cut, count } = tokenWriter(encode, most);
        expect(count(text)).toBe(whole.length);
        const expected = whole.length <= most ? whole : [...whole.slice(0, most - 2), 2, 3];
        expect(cut(text)).toEqual(expected);
      }),
    );
  });

  test('long texts are encoded in parts, cut at blanks, and no part is long', () => {
    let longest = 0;
    const { count, cut } = tokenWriter((text) => {
      longest = Math.max(longest, text.length);
      return encode(text);
    }, 64);
    expect(count('harbour '.repeat(50_000))).toBe(50_003);
    expect(cut('harbour '.repeat(50_000))).toHaveLength(64);
    expect(count('x'.repeat(100_000))).toBeGreaterThan(3);
    expect(longest).toBeLessThanOrEqual(20_000);
  });
});

test('batches hold every place once and no more tokens than allowed, padding included', () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 80 });
  fc.assert(
    fc.property(lengths, fc.integer({ min: 1, max: 2_000 }), (list, most) => {
      const batches = paddedBatches([...list.keys()], (at) => list[at]!, most);
      expect(batches.flat().sort((a, b) => a - b)).toEqual([...list.keys()]);
      for (const batch of batches)
        expect(batch.length === 1 || batch.length * Math.max(...batch.map((at) => list[at]!)) <= most).toBe(true);
      const order = batches.flat().map((at) => list[at]!);
      expect(order).toEqual([...order].sort((a, b) => a - b));
    }),
  );
});

test('families of encoders are told by the last part of the name', () => {
  const e5 = { query: 'query: ', document: 'passage: ' };
  for (const name of ['intfloat/multilingual-e5-small', 'C:\\models\\E5-large-v2', '/models/e5-base/', 'e5-small'])
    expect(encoderProfile(name).prefixes).toEqual(e5);
  expect(encoderProfile('BAAI/bge-small-en-v1.5')).toMatchObject({ pooling: 'cls', prefixes: { document: '' } });
  expect(encoderProfile('Xenova/all-MiniLM-L6-v2')).toEqual({ maxTokens: 256 });
  const instruct = 'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:';
  const qwen = { pooling: 'last', prefixes: { query: instruct, document: '' } };
  expect(encoderProfile('Qwen3-Embedding-0.6B-ONNX')).toEqual(qwen);
  for (const name of ['multilingual-e5-large-instruct', 'e5-mistral-7b-instruct'])
    expect(encoderProfile(name).prefixes).toEqual({ query: `${instruct} `, document: '' });
  for (const name of ['', 'e5', 'e5-small/my-own']) expect(encoderProfile(name)).toEqual({});
});
