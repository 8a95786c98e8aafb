import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Explanation } from '../../src/core/index.js';
import type { SearchOptions } from '../../src/core/options.js';
import { createSurmise } from '../../src/core/surmise.js';
import { feedbackGenerator } from '../../src/models/feedback.js';
import { embedder, generatorOf, indexed, library, memoryStore } from './library.js';

const question = 'when do bees leave the hive';
const hypothesis = 'In May a hive swarms. The old queen leaves with half of the bees to found another colony.';

/** Every level adds up to the one above it, to the last digits. */
function expectSums({ of, value, parts, before }: Explanation): void {
  if (parts !== undefined) {
    const sum = parts.reduce((total, part) => total + part.value, 0);
    expect(Math.abs(sum - value), of).toBeLessThan(1e-6);
    parts.forEach(expectSums);
  }
  if (before !== undefined) expectSums(before);
}

const allOf = (explanation: Explanation): Explanation[] => [
  explanation,
  ...(explanation.parts ?? []).flatMap(allOf),
  ...(explanation.before === undefined ? [] : allOf(explanation.before)),
];

test('the tree of each hit adds up to its score, whatever was searched with', async () => {
  const surmise = await indexed(library, { embedder, feedback: feedbackGenerator() });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('bees', 'teapot', 'moon', 'the', 'dough', 'xyzzy', '"spring tides"', 'swar*', '-hive'), {
        minLength: 1,
        maxLength: 5,
      }),
      fc.constantFrom<SearchOptions>(
        {},
        { mode: 'lexical' },
        { mode: 'dense' },
        { fusion: 'rrf' },
        { hyde: 'off' },
        { hypotheses: [hypothesis] },
        { hypotheses: [hypothesis, 'Kettles are descaled.'], feedback: false, denseWeight: 0.3 },
        { denseWeight: 0 },
        { denseWeight: 1 },
        { scale: 'pool' },
        { scale: 'max' },
        { scale: 'z-score' },
      ),
      async (words, options) => {
        const { hits } = await surmise.search(words.join(' '), { ...options, explain: true });
        for (const { explanation, score, legs } of hits) {
          expect(Math.abs(explanation!.value - score)).toBeLessThan(1e-9);
          expect(explanation!.parts!.map(({ of }) => of)).toEqual(Object.keys(legs));
          expectSums(explanation!);
        }
      },
    ),
    { numRuns: 150 },
  );
});

test('it says what each term weighs and where it comes from, and which sentence was nearest', async () => {
  const surmise = await indexed(library, { embedder });
  const { hits } = await surmise.search(question, { hypotheses: [hypothesis], explain: true });
  expect(hits[0]!.document).toBe('bees');
  const [lexical, dense] = hits[0]!.explanation!.parts!;
  const term = (name: string) => lexical!.parts!.find(({ of }) => of === name)!;
  expect(term('hive').how).toMatch(/^weight 1 \+ 0\.\d+ from hypotheses, idf [\d.]+, 1 × in \d+ words$/);
  expect(term('queen').how).toMatch(/^weight 0\.\d+ from hypotheses, idf/);
  // No part where the chunk does not hold the word.
  expect(lexical!.parts!.map(({ of }) => of)).not.toContain('found');
  expect(dense!.parts!.map(({ of }) => of)).toEqual(expect.arrayContaining(['question', 'hypothesis 1']));
  const { sentence } = dense!.parts!.find(({ of }) => of === 'hypothesis 1')!;
  expect(sentence!.text).toBe('The old queen leaves with half of the bees to found another colony.');
  expect(sentence!.similarity).toBeGreaterThan(0.5);
});

test('without being asked for, nothing is explained', async () => {
  const surmise = await indexed();
  const { hits } = await surmise.search(question);
  expect(hits[0]).not.toHaveProperty('explanation');
});

test('a reranked score keeps the tree of the one that it replaced', async () => {
  const reranker = {
    id: 'length',
    rerank: async (_: string, texts: readonly string[]) => texts.map(({ length }) => 1 / length),
  };
  const surmise = await indexed(library, { embedder, reranker });
  // Also those behind the ones that it reads.
  for (const rerank of [true, { depth: 2 }]) {
    const { hits } = await surmise.search(question, { explain: true, rerank });
    expect(hits).toHaveLength(8);
    for (const { explanation, score, legs } of hits) {
      expect(explanation!.value).toBe(score);
      expect(explanation!.before!.parts!.map(({ of }) => of)).toEqual(Object.keys(legs));
      expectSums(explanation!);
    }
  }
});

test('an embedder that fails for the sentences costs only these', async () => {
  let calls = 0;
  const failing = {
    ...embedder,
    embed: async (...args: Parameters<typeof embedder.embed>) => {
      if (args[1].role === 'document' && ++calls > 2) throw new Error('out of order');
      return embedder.embed(...args);
    },
  };
  const surmise = await indexed(library, { embedder: failing });
  const { hits, degraded } = await surmise.search(question, { hypotheses: [hypothesis], explain: true });
  expect(degraded).toEqual([{ part: 'explain', reason: expect.stringContaining('out of order') }]);
  expectSums(hits[0]!.explanation!);
  expect(allOf(hits[0]!.explanation!).some(({ sentence }) => sentence !== undefined)).toBe(false);
});

describe('why a document stands where it stands', () => {
  const tagged = library.map((document, i) => ({ ...document, metadata: { place: i % 2 === 0 ? 'home' : 'away' } }));

  test('one of the hits: as the search says', async () => {
    const surmise = await indexed();
    const { hits } = await surmise.search(question, { explain: true });
    const why = await surmise.why(question, 'tides');
    const hit = hits.find(({ document }) => document === 'tides')!;
    expect(why).toMatchObject({ found: true, candidate: true, document: 'tides', rank: hit.rank, score: hit.score });
    expect(why.explanation).toEqual(hit.explanation);
    expect(why.chunk!.text).toBe(hit.text);
    expect(why).not.toHaveProperty('reason');
  });

  test('behind k: its place in the whole list', async () => {
    const surmise = await indexed();
    const { hits } = await surmise.search(question);
    const last = hits.at(-1)!;
    const why = await surmise.why(question, last.document, { k: 1 });
    expect(why).toMatchObject({ found: false, reason: 'behind k', rank: last.rank, score: last.score });
    expect(why.result.hits).toHaveLength(1);
    expectSums(why.explanation!);
  });

  test('beyond the candidates of every leg: where it would stand', async () => {
    // More documents that match than a leg gives to fusion.
    const many = Array.from({ length: 1_100 }, (_, i) => ({
      id: `d${String(i).padStart(4, '0')}`,
      text: `canoe ${'paddle '.repeat(i)}`,
    }));
    const surmise = await indexed(many, {});
    const why = await surmise.why('canoe', 'd1099');
    expect(why).toMatchObject({ found: false, candidate: false, reason: 'behind k', rank: 1_001, of: 1_001 });
    const near = await surmise.why('canoe', 'd0000');
    expect(near).toMatchObject({ found: true, candidate: true, rank: 1, of: 1_000 });
  });

  test.each<[string, string, SearchOptions, object]>([
    ['is not there', 'unicorn', {}, { reason: 'not indexed' }],
    [
      'does not pass the filter',
      'bees',
      { where: { field: 'place', is: '=', value: 'home' } },
      { reason: 'refused by the filter' },
    ],
    ['shares no word', 'violin', { mode: 'lexical', hyde: 'off' }, { reason: 'nothing in common' }],
    ['stands below the threshold', 'violin', { minScore: 0.99 }, { reason: 'below the threshold' }],
  ])('one that %s', async (_, id, options, expected) => {
    const surmise = await indexed(tagged);
    expect(await surmise.why(question, id, options)).toMatchObject({ found: false, ...expected });
  });

  test('of its chunks the first that passes the threshold, wherever MMR puts the others', async () => {
    const paragraphs = library.map(({ text }) => `${text} ${text.toLowerCase()}`);
    const diaries = ['one', 'two'].map((id, i) => ({ id, text: paragraphs.slice(4 * i, 4 * i + 4).join('\n\n') }));
    const surmise = createSurmise({ store: memoryStore(), embedder });
    await surmise.index(
      diaries.map((document) => ({ document })),
      { chunking: { size: 20, overlap: 0 } },
    );
    for (const minScore of [0, 0.2, 0.4, 0.6]) {
      const options: SearchOptions = { per: 'chunk', mmr: { lambda: 0 }, minScore, hyde: 'off' };
      const { hits } = await surmise.search('moon and bees', options);
      for (const id of ['one', 'two']) {
        const { found, chunk } = await surmise.why('moon and bees', id, options);
        expect(found ? chunk!.id : undefined).toBe(hits.find(({ document }) => document === id)?.id);
      }
    }
  });

  test('an operator refuses it', async () => {
    const surmise = await indexed();
    expect(await surmise.why('bees -queen', 'bees')).toMatchObject({ found: false, reason: 'refused by an operator' });
    expect(await surmise.why('bees "moon rise"', 'tides')).toMatchObject({ reason: 'refused by an operator' });
  });

  test('an empty question', async () => {
    const surmise = await indexed();
    expect(await surmise.why('', 'bees')).toMatchObject({ found: false, of: 0, reason: 'the search is empty' });
  });

  test('a chunk by its id, also of a document whose id looks like that of a chunk', async () => {
    const surmise = await indexed([...library, { id: 'bees#0', text: 'Bees are here again.' }]);
    expect(await surmise.why('tides', 'tides#0')).toMatchObject({ document: 'tides', chunk: { id: 'tides#0' } });
    expect(await surmise.why('bees', 'bees#0')).toMatchObject({ document: 'bees#0', chunk: { id: 'bees#0#0' } });
    await expect(surmise.why('bees', '')).rejects.toMatchObject({ code: 'bad_argument' });
  });

  test('a generator writes for it as for the search', async () => {
    const generator = generatorOf(async () => [{ text: hypothesis }]);
    const surmise = await indexed(library, { embedder, generator });
    const why = await surmise.why('insects that go away in spring', 'bees', { n: 1 });
    expect(why.result.trace.hypotheses).toMatchObject([{ source: 'generator', used: true }]);
    expect(allOf(why.explanation!).map(({ of }) => of)).toContain('hypothesis 1');
  });
});
