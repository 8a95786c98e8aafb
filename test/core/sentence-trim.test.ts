import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Embedder } from '../../src/core/ports.js';
import { keepSentences, passageSentences, trimFloor } from '../../src/core/sentence-trim.js';
import { deterministicEmbedder } from '../../src/models/deterministic-embedder.js';
import { embedder, indexed, memoryStore } from './library.js';

const text = [
  'The ferry leaves the harbour at noon. Dogs travel',
  'free of charge! Is the café open? Yes.',
  '',
  '- Tickets are sold on board',
  '- Bicycles cost two euros',
  '',
  '船は正午に出ます。犬は無料です。',
].join('\n');
const texts = (list: readonly { text: string }[]) => list.map((one) => one.text);

describe('sentences', () => {
  test('running text is joined over the ends of lines, lines of a list stand for themselves, in any script', () => {
    expect(texts(passageSentences(text))).toEqual([
      'The ferry leaves the harbour at noon.',
      'Dogs travel\nfree of charge!',
      'Is the café open?',
      'Yes.',
      '- Tickets are sold on board',
      '- Bicycles cost two euros',
      '船は正午に出ます。',
      '犬は無料です。',
    ]);
    expect(passageSentences(' \n\t\n')).toEqual([]);
  });

  test('offsets point into the document, in order, and nothing but white space is left out', () => {
    const piece = fc.constantFrom(
      'One. ',
      'Two! ',
      '\n',
      '\n\n',
      '- item',
      '😀',
      'e\u0301',
      ' ',
      '1. ',
      '\r\n',
      'z'.repeat(3_000),
    );
    fc.assert(
      fc.property(fc.array(piece), fc.nat(50), (pieces, lead) => {
        const passage = pieces.join('');
        const document = 'x'.repeat(lead) + passage;
        const found = passageSentences(passage, lead);
        let at = lead;
        for (const { start, end, text } of found) {
          expect(document.slice(start, end)).toBe(text);
          expect(document.slice(at, start).trim()).toBe('');
          expect(text.trim()).toBe(text);
          at = end;
        }
        expect(document.slice(at).trim()).toBe('');
      }),
    );
  });
});

describe('what is kept', () => {
  const three = passageSentences('One. Two. Three.');
  const at = (cosine: number) => [cosine, Math.sqrt(1 - cosine ** 2)];
  const kept = (cosines: readonly number[], floor?: number) =>
    texts(keepSentences(three, cosines.map(at), [1, 0], floor));

  test('what reaches 0.38, in its order', () => {
    expect(trimFloor).toBe(0.38);
    expect(kept([0.39, 0.37, 0.99])).toEqual(['One.', 'Three.']);
    expect(keepSentences(three, [0.5, 0, 0].map(at), [1, 0])[0]!.similarity).toBeCloseTo(0.5, 12);
  });

  test('the nearest one where none does, the first of equals; a floor of 0 is a floor', () => {
    expect(kept([0.1, 0.3, 0.3])).toEqual(['Two.']);
    expect(kept([-0.1, 0.3, 0], 0)).toEqual(['Two.', 'Three.']);
    expect(keepSentences([], [], [1, 0])).toEqual([]);
  });
});

describe('in a search', () => {
  const words = deterministicEmbedder();
  const documents = [
    { id: 'ferry', text: 'Dogs travel free. The ferry leaves at noon. Coffee is served on deck.' },
    { id: 'train', text: 'The train leaves hourly. Sandwiches are sold in the second coach.' },
  ];
  const asked = 'ferry leaves at noon';

  test('each hit brings its near sentences, at least one, and stays whole itself', async () => {
    const { search } = await indexed(documents, { embedder: words });
    const whole = await search(asked);
    const { hits, trace, degraded } = await search(asked, { trim: true });
    expect(degraded).toEqual([]);
    expect(hits.map(({ sentences, ...hit }) => hit)).toEqual(whole.hits);
    expect(texts(hits[0]!.sentences!)).toEqual(['The ferry leaves at noon.']);
    for (const hit of hits) {
      expect(hit.sentences!.length).toBeGreaterThan(0);
      for (const { start, end, text } of hit.sentences!)
        expect(documents.find(({ id }) => id === hit.document)!.text.slice(start, end)).toBe(text);
    }
    const kept = hits.reduce((sum, { sentences }) => sum + sentences!.length, 0);
    expect(trace.trim).toEqual({ floor: 0.38, sentences: 5, kept, ms: expect.any(Number) });
    const all = await search(asked, { trim: { floor: -1 } });
    expect(all.trace.trim).toMatchObject({ sentences: 5, kept: 5 });
  });

  test('sentences are embedded as documents, the question as a query', async () => {
    const roles: string[] = [];
    const spy: Embedder = {
      ...words,
      embed: (given, options) => {
        roles.push(`${options.role}: ${given.length}`);
        return words.embed(given, options);
      },
    };
    const { search } = await indexed(documents, { embedder: spy });
    roles.length = 0;
    await search(asked, { mode: 'lexical', trim: true });
    expect(roles.sort()).toEqual(['document: 3', 'document: 5', 'query: 1'].slice(-2));
  });

  test('without an embedder, or with one that fails, the hits are whole and it is said', async () => {
    const lexical = await (await indexed(documents, {})).search(asked, { trim: true });
    expect(lexical.degraded).toMatchObject([{ part: 'trim', reason: /no embedder/ }].map(({ part }) => ({ part })));
    expect(lexical.hits[0]).not.toHaveProperty('sentences');
    const store = memoryStore();
    await indexed(documents, { store, embedder: words });
    const broken: Embedder = { ...words, embed: () => Promise.reject(new Error('out of order')) };
    const surmise = await indexed([], { store, embedder: broken });
    const result = await surmise.search(asked, { mode: 'lexical', trim: true });
    expect(result.hits).toHaveLength(2);
    expect(result.degraded).toEqual([{ part: 'trim', reason: expect.stringMatching(/out of order.*whole/) }]);
  });

  test('more sentences than are compared: the hits behind are whole, and it is said', async () => {
    const long = (id: string) => ({ id, text: `The ferry leaves at noon. ${'Tea! '.repeat(1_500)}` });
    const { search } = await indexed([long('a'), long('b')], { embedder: words });
    const { hits, degraded } = await search(asked, { trim: true, per: 'chunk', k: 100, deadlineMs: 60_000 });
    const trimmed = hits.map(({ sentences }) => sentences !== undefined);
    expect(trimmed).toContain(false);
    expect(trimmed).toEqual([...trimmed].sort().reverse());
    expect(degraded).toEqual([{ part: 'trim', reason: expect.stringMatching(/2000 sentences/) }]);
  });
});

describe('diversified', () => {
  const twins = ['one', 'two', 'three'].map((id) => ({ id, text: 'The ferry leaves the harbour at noon.' }));
  const other = {
    id: 'other',
    text: 'At noon the ferry whistles, and gulls rise over harbour, quay, boats, nets and fish.',
  };
  const documents = [...twins, other, { id: 'tea', text: 'Tea is made with water.' }];
  const asked = 'ferry harbour noon';

  test('what is like a better hit makes way; scores stay those of relevance, the value is in the stage', async () => {
    const { search } = await indexed(documents, { embedder });
    const before = (await search(asked)).hits;
    expect(before.map(({ document }) => document)).toEqual(['one', 'three', 'two', 'other', 'tea']);
    const { hits, trace, degraded } = await search(asked, { mmr: true });
    expect(degraded).toEqual([]);
    expect(hits.map(({ document }) => document)).toEqual(['one', 'other', 'three', 'two', 'tea']);
    expect(trace.mmr).toEqual({ lambda: 0.5, candidates: 5 });
    for (const hit of hits) expect(hit.score).toBe(before.find(({ id }) => id === hit.id)!.score);
    expect(hits.map(({ stages }) => stages.mmr!.rank)).toEqual([1, 2, 3, 4, 5]);
    expect((await search(asked, { mmr: { lambda: 1 } })).hits.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    for (let k = 1; k < 5; k++) expect((await search(asked, { mmr: true, k })).hits).toEqual(hits.slice(0, k));
  });

  test('it is by relevance of the reranker where there is one', async () => {
    const reranker = {
      id: 'r',
      rerank: async (_: string, all: readonly string[]) => all.map((one) => (one.startsWith('At') ? 0.9 : 0.8)),
    };
    const { search } = await indexed(documents, { embedder, reranker });
    const { hits } = await search(asked, { mmr: true, minScore: 0.85 });
    expect(hits.map(({ document }) => document)).toEqual(['other']);
    expect(Object.keys(hits[0]!.stages)).toEqual(['plain', 'rerank', 'mmr']);
  });

  test('without vectors the order is that before, and it is said; some without count as like nothing', async () => {
    const { search } = await indexed(documents, {});
    const { hits, degraded } = await search(asked, { mmr: true });
    expect(hits).toEqual((await search(asked)).hits);
    expect(degraded).toEqual([{ part: 'mmr', reason: expect.stringMatching(/no vectors/) }]);
    const { store, search: mixed } = await indexed(documents, { embedder });
    const bare = 'The ferry of the harbour';
    await store.put([{ document: { id: 'bare', text: bare }, hash: 'h', chunks: [{ start: 0, end: bare.length }] }]);
    const some = await mixed(asked, { mmr: true, mode: 'lexical' });
    expect(some.hits).toHaveLength(5);
    expect(some.degraded).toEqual([{ part: 'mmr', reason: expect.stringMatching(/1 of 5 candidates/) }]);
  });
});
