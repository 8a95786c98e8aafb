import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Generation } from '../../src/core/ports.js';
import { deterministicEmbedder } from '../../src/models/deterministic-embedder.js';
import { deterministicGenerator } from '../../src/models/deterministic-generator.js';
import { fnv1a } from '../../src/models/fnv1a.js';
import { embedderContract } from '../contract/embedder.js';
import { generatorContract, contractPrompt as prompt } from '../contract/generator.js';

embedderContract('deterministic', () => deterministicEmbedder());
embedderContract('deterministic, 300 dimensions, synonyms', () =>
  deterministicEmbedder({ dimensions: 300, synonyms: [['ferry', 'boat']], seed: 7 }),
);
generatorContract('deterministic', () => deterministicGenerator(() => ['At noon.', 'At one.', 'Never.', 'Twice.']));

const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
const vectorsOf = (texts: readonly string[], options = {}) =>
  deterministicEmbedder(options).embed(texts, { role: 'document' });

describe('embedder', () => {
  test('FNV-1a: the published test vectors', () => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    expect([fnv1a(bytes('')), fnv1a(bytes('a')), fnv1a(bytes('foobar'))]).toEqual([0x811c9dc5, 0xe40c292c, 0xbf9cf968]);
  });

  test('the space is pinned: these figures never change', async () => {
    const [vector] = await vectorsOf(['Ferry at noon'], { dimensions: 8 });
    expect([...vector!].map((value) => Math.round(value * 1e4))).toMatchInlineSnapshot(`
      [
        1179,
        2750,
        1964,
        -5107,
        393,
        5893,
        2750,
        4321,
      ]
    `);
    expect(deterministicEmbedder().fingerprint.model).toMatchInlineSnapshot(`"deterministic-64-f7ab47f9"`);
  });

  test('shared words bring texts together, others are nearly orthogonal', async () => {
    const [a, b, c] = await vectorsOf([
      'the ferry leaves at noon',
      'the ferry returns at noon',
      'prune roses in winter',
    ]);
    expect(cosine(a!, b!)).toBeGreaterThan(0.6);
    expect(Math.abs(cosine(a!, c!))).toBeLessThan(0.4);
  });

  test('synonyms are one word, and another space', async () => {
    const texts = ['Boat at noon', 'FERRY at noon'];
    const synonyms = [['ferry', 'boat', 'ship']];
    const [a, b] = await vectorsOf(texts, { synonyms });
    expect(a).toEqual(b);
    const [c, d] = await vectorsOf(texts);
    expect(cosine(c!, d!)).toBeLessThan(0.9);
    const models = [{}, { synonyms }, { seed: 1 }].map((options) => deterministicEmbedder(options).fingerprint.model);
    expect(new Set(models).size).toBe(3);
  });

  test('unrelated words have a mean cosine near 0 and a spread near 1/√dimensions', async () => {
    const words = Array.from({ length: 200 }, (_, i) => `${(i * 7919).toString(36)}x${(i * 104_729).toString(36)}`);
    const vectors = await vectorsOf(words);
    const cosines = vectors.flatMap((a, i) => vectors.slice(i + 1).map((b) => cosine(a, b)));
    const mean = cosines.reduce((sum, value) => sum + value, 0) / cosines.length;
    const spread = Math.sqrt(cosines.reduce((sum, value) => sum + (value - mean) ** 2, 0) / cosines.length);
    expect(Math.abs(mean)).toBeLessThan(0.02);
    expect(spread).toBeGreaterThan(0.09);
    expect(spread).toBeLessThan(0.16);
  });

  test('property: any text gives a unit or a zero vector', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 50 }), async (text) => {
        const [vector] = await vectorsOf([text]);
        const length = Math.hypot(...vector!);
        expect(length === 0 || Math.abs(length - 1) < 1e-5).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  test('arguments are checked', () => {
    expect(() => deterministicEmbedder({ dimensions: 2 })).toThrow('"dimensions"');
    expect(() => deterministicEmbedder({ size: 2 } as object)).toThrow('Unknown option "size"');
  });
});

describe('generator', () => {
  test('answers by question; an unknown question has none', async () => {
    const generator = deterministicGenerator({ [prompt.question]: ['At noon.', 'At one.'] });
    expect(await generator.generate(prompt, { n: 1 })).toEqual([{ text: 'At noon.' }]);
    expect(await generator.generate({ ...prompt, question: 'toString' }, { n: 1 })).toEqual([]);
  });

  test('a failure half-way', async () => {
    const reported: Generation[] = [];
    const generator = deterministicGenerator(() => ['At noon.'], { failWith: new Error('line cut') });
    const work = generator.generate(prompt, { n: 3, onGeneration: (one) => reported.push(one) });
    await expect(work).rejects.toThrow('line cut');
    expect(reported).toEqual([{ text: 'At noon.' }]);
  });

  test.each([{ hang: true }, { delayMs: 600_000 }])('%j is ended by an abort', async (options) => {
    const controller = new AbortController();
    const generator = deterministicGenerator(() => ['At noon.'], options);
    const work = generator.generate(prompt, { n: 1, signal: controller.signal });
    controller.abort();
    await expect(work).rejects.toMatchObject({ code: 'aborted' });
  });

  test('delays add up, one before each answer', async () => {
    const start = performance.now();
    const times: number[] = [];
    const generator = deterministicGenerator(() => ['At noon.', 'At one.'], { delayMs: 30 });
    await generator.generate(prompt, { n: 2, onGeneration: () => times.push(performance.now() - start) });
    expect(times[0]).toBeGreaterThanOrEqual(25);
    expect(times[1]).toBeGreaterThanOrEqual(50);
  });
});
