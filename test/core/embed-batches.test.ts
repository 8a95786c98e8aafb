import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { embedBatches } from '../../src/core/embed-batches.js';
import type { Embedder, EmbedLimits } from '../../src/core/ports.js';
import { embedder } from './library.js';

const withLimits = (limits: EmbedLimits, more: Partial<Embedder> = {}): Embedder => ({ ...embedder, ...more, limits });
const letters: Partial<Embedder> = { countTokens: (text) => text.length };
const bytes = (text: string) => new TextEncoder().encode(text).length;

test('every text is in one batch, in order; limits are kept unless one text alone exceeds them', () => {
  const limits = fc.record({
    batch: fc.integer({ min: 1, max: 9 }),
    callTokens: fc.integer({ min: 1, max: 60 }),
    callBytes: fc.integer({ min: 1, max: 90 }),
  });
  const texts = fc.array(fc.string({ unit: 'binary', maxLength: 20 }), { maxLength: 60 });
  fc.assert(
    fc.property(texts, limits, fc.boolean(), (list, bounds, estimated) => {
      const batches = embedBatches(withLimits(bounds, estimated ? {} : letters), list, 'document').map(({ from, to }) =>
        list.slice(from, to),
      );
      expect(batches.flat()).toEqual(list);
      for (const batch of batches) {
        expect(batch.length).toBeGreaterThan(0);
        if (batch.length === 1) continue;
        expect(batch.length).toBeLessThanOrEqual(bounds.batch);
        expect(bytes(batch.join(''))).toBeLessThanOrEqual(bounds.callBytes);
        if (!estimated) expect(batch.join('').length).toBeLessThanOrEqual(bounds.callTokens);
      }
    }),
  );
});

describe('one batch takes as much as the limits allow', () => {
  const sizes = (limits: EmbedLimits, texts: readonly string[], more = letters) =>
    embedBatches(withLimits(limits, more), texts, 'query').map(({ from, to }) => to - from);

  test.each<[string, EmbedLimits, string[], number[]]>([
    ['texts', { batch: 2 }, ['a', 'b', 'c'], [2, 1]],
    ['tokens', { batch: 9, callTokens: 6 }, ['aaa', 'bbb', 'c'], [2, 1]],
    ['bytes', { batch: 9, callBytes: 6 }, ['é', 'é', 'é', 'x'], [3, 1]],
    ['a text that is too long is alone', { batch: 9, callTokens: 3 }, ['a', 'bbbbbb', 'c', 'd'], [1, 1, 2]],
    ['nothing', { batch: 9 }, [], []],
    ['empty texts', { batch: 9, callTokens: 1, callBytes: 1 }, ['', '', ''], [3]],
  ])('%s', (_, limits, texts, expected) => expect(sizes(limits, texts)).toEqual(expected));

  test('what the model wants before a text counts', () => {
    const prefixed = {
      ...letters,
      fingerprint: { ...embedder.fingerprint, prefixes: { query: 'q: ', document: '' } },
    };
    expect(sizes({ batch: 9, callTokens: 8 }, ['a', 'b', 'c'], prefixed)).toEqual([2, 1]);
  });
});
