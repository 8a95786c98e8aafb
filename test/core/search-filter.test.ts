import { describe, expect, test } from 'vitest';
import { parseWhere } from '../../src/core/parse-where.js';
import type { Document } from '../../src/core/ports.js';
import { feedbackGenerator } from '../../src/models/feedback.js';
import { embedder, generatorOf, indexed } from './library.js';

const modes = ['lexical', 'dense', 'hybrid'] as const;
const where = parseWhere('shelf = 3');

/** Many documents about the question, and a few on shelf 3 that say less of it. */
const crowded: Document[] = [
  ...Array.from({ length: 40 }, (_, at) => ({ id: `crowd${at}`, text: `The kettle boils, kettle number ${at}.` })),
  ...Array.from({ length: 4 }, (_, at) => ({
    id: `shelf${at}`,
    text: `Tea, cups and spoons and, once in ${at} weeks, a kettle on the stove.`,
    metadata: { shelf: 3 },
  })),
];

describe('a search with a filter', () => {
  test.each(modes)('gives k hits where so many documents pass (%s)', async (mode) => {
    const { search } = await indexed(crowded, { embedder, feedback: feedbackGenerator() });
    for (const hyde of ['off', 'on'] as const)
      for (const k of [1, 3, 4, 9]) {
        const { hits, trace } = await search('kettle', { mode, k, where, hyde });
        expect(hits).toHaveLength(Math.min(k, 4));
        for (const { document } of hits) expect(document).toMatch(/^shelf/);
        for (const { matched } of trace.legs) expect(matched).toBe(4);
        expect(trace.filter).toEqual({ where, documents: 4, chunks: 4 });
        // The range is that of what passes: the best of it scores 1 where there is one leg.
        if (mode !== 'hybrid') expect(hits[0]!.score).toBe(1);
      }
  });

  test('hypotheses and passages of the index are searched with under it too', async () => {
    const { search } = await indexed(crowded, { embedder, feedback: feedbackGenerator() });
    const { hits, trace } = await search('kettle', { where, hypotheses: ['The kettle boils on the stove.'] });
    expect(new Set(trace.legs.map(({ stage }) => stage))).toEqual(new Set(['plain', 'hypotheses', 'feedback']));
    for (const { matched } of trace.legs) expect(matched).toBe(4);
    for (const { source, text } of trace.hypotheses) if (source === 'feedback') expect(text).toMatch(/^Tea/);
    expect(hits).toHaveLength(4);
  });

  test('that lets everything through is a search without one', async () => {
    const { search } = await indexed(crowded, { embedder });
    const options = { hyde: 'off', k: 50 } as const;
    const { hits } = await search('kettle', { ...options, where: { and: [] } });
    expect(hits).toEqual((await search('kettle', options)).hits);
  });

  test('that lets nothing through says so before anything is written or embedded', async () => {
    const generator = generatorOf(() => Promise.reject(new Error('not to be asked')));
    const { search } = await indexed(crowded, { embedder, generator });
    const result = await search('kettle', { where: parseWhere('shelf = 9'), hyde: 'on' });
    expect(result).toMatchObject({ hits: [], reason: 'nothing passes the filter', degraded: [] });
    expect(result.trace).toMatchObject({ legs: [], filter: { documents: 0, chunks: 0 } });
  });

  test('whose documents do not have the words finds nothing, which is another reason', async () => {
    const { search } = await indexed(crowded, { embedder });
    expect(await search('boils', { where, mode: 'lexical' })).toMatchObject({ hits: [], reason: 'nothing matches' });
  });

  test('in an empty index', async () => {
    const { search } = await indexed([]);
    expect(await search('kettle', { where })).toMatchObject({ reason: 'nothing indexed' });
  });
});
