import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Embedder } from '../../src/core/ports.js';
import { compileKernel } from '../../src/models/row-sum.js';
import { staticEmbedder } from '../../src/models/static-embedder.js';
import { embedderContract } from '../contract/embedder.js';
import { smallTable, tableBytes } from './static-bytes.js';
import { withoutCompiler } from './web-assembly.js';

const file = new URL('../../assets/static-embedder/static-256.i8.bin', import.meta.url);
const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

embedderContract('static', async () => staticEmbedder(await readFile(file)));
embedderContract('static, two dimensions', () => staticEmbedder(tableBytes(smallTable)), {
  skip: { 'order and batch': 'Nearly every word is unknown to six word pieces, so that texts are alike.' },
});

describe('the sum of scaled rows, with length 1: worked by hand', () => {
  const embedder = staticEmbedder(tableBytes(smallTable));
  const vectorOf = async (text: string): Promise<number[]> => [
    ...(await embedder.embed([text], { role: 'query' }))[0]!,
  ];
  // .5·(6, 0) = (3, 0); .25·(0, 16) = (0, 4); 2·(−1, 0) = (−2, 0); unknown: (−127, −127).
  test.each([
    ['sail', [1, 0]],
    ['Sailboat', [0.6, 0.8]],
    ['sailboats sail!', [4 / Math.hypot(4, 4), 4 / Math.hypot(4, 4)]],
    ['!', [-1, 0]],
    ['rowing', [-Math.SQRT1_2, -Math.SQRT1_2]],
    ['', [0, 0]],
    ['\u200b \u0301', [0, 0]],
  ])('%j', async (text, expected) => {
    const vector = await vectorOf(text);
    expected.forEach((value, i) => {
      expect(vector[i]).toBeCloseTo(value, 6);
    });
  });

  test('rows that cancel each other give the zero vector', async () => {
    const opposed = { ...smallTable, scales: [1, 1, 1, 1, 6, 1] };
    const [vector] = await staticEmbedder(tableBytes(opposed)).embed(['sail!'], { role: 'document' });
    expect([...vector!]).toEqual([0, 0]);
  });

  test('the model is named by the content of the file', () => {
    const names = [smallTable, { ...smallTable, scales: [1, 0.5, 0.25, 1, 2, 1.5] }].map(
      (parts) => staticEmbedder(tableBytes(parts)).fingerprint.model,
    );
    expect(names[0]).toMatch(/^static-2-[0-9a-f]{8}$/);
    expect(names[1]).not.toBe(names[0]);
    expect(staticEmbedder(tableBytes(smallTable)).fingerprint.model).toBe(names[0]);
  });
});

describe('the table of the package', () => {
  let bytes: Uint8Array;
  let embedder: Embedder;
  beforeAll(async () => {
    bytes = await readFile(file);
    embedder = staticEmbedder(bytes);
  });

  test('its identity: a changed table is another embedding space', () => {
    expect(embedder.fingerprint).toEqual({
      provider: 'static',
      model: 'static-256-5305bee9',
      dimensions: 256,
      normalised: true,
    });
  });

  test('pinned figures of an independent encoder', async () => {
    const vectors = await embedder.embed(['The ferry leaves the island at noon.', 'Café déjà-vu: 船 #42'], {
      role: 'document',
    });
    expect(vectors.map((vector) => [...vector.slice(0, 4)].map((value) => Math.round(value * 1e6)))).toEqual([
      [83876, 75096, 86966, 103141],
      [98770, 39797, 23084, 94973],
    ]);
  });

  test('the same bits with the kernel, with a kernel that was compiled before, and without one', async () => {
    const texts = [
      'The ferry leaves the island at noon.',
      'Café déjà-vu: 船 #42',
      '',
      'tides and ferries '.repeat(10_000),
    ];
    const vectors = await embedder.embed(texts, { role: 'document' });
    const kernel = compileKernel()!;
    for (const other of withoutCompiler(() => [staticEmbedder(bytes), staticEmbedder(bytes, { kernel })])) {
      expect(other.fingerprint).toEqual(embedder.fingerprint);
      expect(await other.embed(texts, { role: 'document' })).toEqual(vectors);
    }
  });

  test("vectors are the caller's own, and tokens can be counted between two of them", async () => {
    const [first] = await embedder.embed(['low tide'], { role: 'query' });
    const kept = first!.slice();
    expect(embedder.countTokens!('high water at the pier')).toBe(5);
    await embedder.embed(['high water'], { role: 'query' });
    expect(first).toEqual(kept);
  });

  test('tokens are word pieces, all of them', () => {
    expect(['', ' \n', 'ferry', 'Ferries, ferries!', '船 42'].map(embedder.countTokens!)).toEqual([0, 0, 1, 4, 2]);
    expect(embedder.countTokens!('a '.repeat(600_000))).toBe(600_000);
  });

  test('questions and passages are embedded alike', async () => {
    const texts = ['How deep is the lake?', 'The lake is forty metres deep.'];
    expect(await embedder.embed(texts, { role: 'query' })).toEqual(await embedder.embed(texts, { role: 'document' }));
  });

  test('a text is nearer to what means the same in other words than to another subject', async () => {
    for (const [anchor, near, far] of [
      [
        'How do I cancel a running request?',
        'Abort an operation that is in progress.',
        'Bake the bread until it is brown.',
      ],
      ['The doctor treated a sick child.', 'A physician cured the ill boy.', 'Shares fell on the stock market.'],
      ['Planets that orbit distant stars', 'Worlds circling other suns in the galaxy', 'How to repair a bicycle tyre'],
    ] as const) {
      const [a, b, c] = await embedder.embed([anchor, near, far], { role: 'document' });
      expect(cosine(a!, b!)).toBeGreaterThan(cosine(a!, c!) + 0.15);
    }
  });

  test('cut anywhere near its end, or in its middle, it is refused', () => {
    for (const missing of [1, 2, 3, 4, 5, 6, 7, 8, 100_000, 500_000, 7_000_000])
      expect(() => staticEmbedder(bytes.subarray(0, bytes.length - missing)), `${missing} bytes`).toThrow(
        'not a static embedder table',
      );
  });

  test.each([
    ['one word', 'a'],
    ['combining marks', '\u0301\u0316'],
    ['Han', '船'],
    ['punctuation', '#!'],
    ['words', 'the quick fox '],
    ['one sign of many letters', '\ufdfa'],
  ])('a text of 3 million units is read up to its limit: %s', async (_, unit) => {
    const [long, cut] = await embedder.embed(
      [unit.repeat(3_000_000 / unit.length), unit.repeat(3_000_000 / unit.length).slice(0, embedder.limits.characters)],
      { role: 'document' },
    );
    expect(long).toEqual(cut);
  });

  test('other tasks get their turn during a batch, and an abort ends it', async () => {
    const controller = new AbortController();
    const texts = new Array<string>(256).fill('tides and ferries '.repeat(10_000));
    const work = embedder.embed(texts, { role: 'document', signal: controller.signal });
    setTimeout(() => controller.abort(), 0);
    await expect(work).rejects.toMatchObject({ code: 'aborted' });
  });
});
