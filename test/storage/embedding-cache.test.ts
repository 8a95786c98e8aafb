import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Embedder } from '../../src/core/index.js';
import { deterministicEmbedder } from '../../src/models/index.js';
import { cachedEmbedder } from '../../src/storage/index.js';
import { embedderContract } from '../contract/embedder.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'surmise-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Texts that the model was asked for. */
function recorded(embedder: Embedder = deterministicEmbedder()): { embedder: Embedder; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    embedder: {
      ...embedder,
      embed: (texts, options) => {
        asked.push(...texts);
        return embedder.embed(texts, options);
      },
    },
  };
}

embedderContract('kept in a file', () =>
  cachedEmbedder(deterministicEmbedder(), { path: join(folder, 'contract.db') }),
);

test('what was embedded once is read, also by the next process; the rest is asked for', async () => {
  const path = join(folder, 'deep', 'down', 'vectors.db');
  const first = recorded();
  const cached = cachedEmbedder(first.embedder, { path });
  const expected = await first.embedder.embed(['rose', 'frost', 'rose'], { role: 'query' });
  first.asked.length = 0;
  expect(await cached.embed(['rose', 'frost'], { role: 'query' })).toEqual(expected.slice(0, 2));
  cached.close();

  const second = recorded();
  const again = cachedEmbedder(second.embedder, { path });
  expect(await again.embed(['frost', 'noon', 'rose', 'rose'], { role: 'query' })).toHaveLength(4);
  expect(await again.embed(['rose', 'frost'], { role: 'query' })).toEqual(expected.slice(0, 2));
  expect(second.asked).toEqual(['noon']);
  expect(again.counts()).toEqual({ found: 5, made: 1 });
  again.close();
});

test('another role and another space are asked for', async () => {
  const path = join(folder, 'spaces.db');
  const { embedder, asked } = recorded();
  const cached = cachedEmbedder(embedder, { path });
  await cached.embed(['rose'], { role: 'query' });
  await cached.embed(['rose'], { role: 'document' });
  expect(asked).toEqual(['rose', 'rose']);
  const other = recorded({ ...embedder, fingerprint: { ...embedder.fingerprint, model: 'other' } });
  const beside = cachedEmbedder(other.embedder, { path });
  await beside.embed(['rose'], { role: 'query' });
  expect(other.asked).toEqual(['rose']);
  for (const each of [cached, beside]) each.close();
});

test('vectors that are not sound are handed on and not kept', async () => {
  const { embedder } = recorded();
  let answers: Float32Array[] = [];
  const cached = cachedEmbedder({ ...embedder, embed: async () => answers }, { path: join(folder, 'unsound.db') });
  const { dimensions } = embedder.fingerprint;
  const sound = new Float32Array(dimensions).fill(1);
  for (const bad of [new Float32Array(dimensions).fill(Number.NaN), new Float32Array(dimensions + 1)]) {
    answers = [bad];
    expect(await cached.embed(['rose'], { role: 'query' })).toEqual([bad]);
  }
  answers = [sound];
  expect(await cached.embed(['rose'], { role: 'query' })).toEqual([sound]);
  answers = [];
  expect(await cached.embed(['rose'], { role: 'query' })).toEqual([sound]);
  cached.close();
});

test('texts are not in the file', async () => {
  const path = join(folder, 'private.db');
  const cached = cachedEmbedder(deterministicEmbedder(), { path });
  await cached.embed(['the combination of the safe'], { role: 'query' });
  cached.close();
  expect((await readFile(path)).includes('combination')).toBe(false);
});

test('what is used longest ago goes when the room is full', async () => {
  const { embedder, asked } = recorded();
  const one = 4 * embedder.fingerprint.dimensions;
  const path = join(folder, 'small.db');
  const cached = cachedEmbedder(embedder, { path, maxBytes: 100 * one });
  const texts = Array.from({ length: 100 }, (_, i) => `text ${i}`);
  await cached.embed(texts, { role: 'document' });
  await cached.embed(['one more'], { role: 'document' });
  asked.length = 0;
  await cached.embed([...texts].reverse(), { role: 'document' });
  expect(asked.length).toBeGreaterThanOrEqual(10);
  expect(asked).toContain('text 0');
  expect(asked).not.toContain('text 99');
  cached.close();
  expect((await stat(path)).size).toBeLessThan(1_000_000);
});

test('what is read is kept longer than what was written after it', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01') });
  try {
    const { embedder, asked } = recorded();
    const one = 4 * embedder.fingerprint.dimensions;
    const cached = cachedEmbedder(embedder, { path: join(folder, 'used.db'), maxBytes: 20 * one });
    const some = (name: string) => Array.from({ length: 10 }, (_, i) => `${name} ${i}`);
    await cached.embed(some('first'), { role: 'document' });
    vi.setSystemTime(new Date('2026-03-02'));
    await cached.embed(some('second'), { role: 'document' });
    vi.setSystemTime(new Date('2026-03-03'));
    await cached.embed(some('first'), { role: 'document' });
    await cached.embed(['third'], { role: 'document' });
    asked.length = 0;
    await cached.embed(some('first'), { role: 'document' });
    expect(asked).toEqual([]);
    await cached.embed(some('second'), { role: 'document' });
    expect(asked.length).toBeGreaterThan(0);
    cached.close();
  } finally {
    vi.useRealTimers();
  }
});

describe('a file that can not be used says so', () => {
  test('foreign content, an index, a folder', async () => {
    const foreign = join(folder, 'notes.md');
    await writeFile(foreign, 'Roses need sun. '.repeat(1_000));
    for (const path of [foreign, folder])
      expect(() => cachedEmbedder(deterministicEmbedder(), { path })).toThrowError(
        expect.objectContaining({ code: 'storage_failed', message: expect.stringContaining('Remove the file') }),
      );
    expect(await readFile(foreign, 'utf8')).toMatch(/^Roses/);
  });
});
