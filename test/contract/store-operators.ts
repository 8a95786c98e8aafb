import { expect } from 'vitest';
import type { MatchOptions, Requirement, Store, WeightedPrefix } from '../../src/core/ports.js';
import { ids, put, recordOf, term } from './store-fixtures.js';

/** What both legs find for a question: words first, vectors second, in order of id. */
async function find(store: Store, question: string, options: Partial<MatchOptions> = {}) {
  const { terms, prefixes, require } = await store.parse!(question);
  const asked = { k: 20, ...(require && { require }), ...options };
  const words = await store.match(terms, { ...asked, ...(prefixes && { prefixes }) });
  const near = await store.nearest(Float32Array.of(1, 0, 0), asked);
  expect([words.matched, near.matched]).toEqual([words.hits.length, near.hits.length]);
  return { words: ids(words.hits).sort(), near: ids(near.hits).sort() };
}

const texts = {
  gate: 'the mill has an old gate, painted milky green',
  mill: 'an old mill by the river',
  miller: 'a miller who was old',
  tower: 'the tower of the town',
};

async function fill(store: Store): Promise<void> {
  const entries = Object.entries(texts);
  await put(store, ...entries.map(([id, text], at) => recordOf(id, text, [1, at, 0])));
}

const all = ['gate#0', 'mill#0', 'miller#0', 'tower#0'];

/** Clauses of the store port about the operators of questions; a store without `parse` skips them. */
export const operatorClauses = {
  'a phrase must be there, in both legs': async (store: Store) => {
    await fill(store);
    expect(await find(store, '"old mill"')).toEqual({ words: ['mill#0'], near: ['mill#0'] });
    expect(await find(store, '“old mill”')).toEqual({ words: ['mill#0'], near: ['mill#0'] });
    expect(await find(store, '"mill old"')).toEqual({ words: [], near: [] });
    expect(await find(store, '"the mill" "green"')).toEqual({ words: ['gate#0'], near: ['gate#0'] });
    // Words beside it need not be there.
    expect(await find(store, '"old mill" tower')).toEqual({ words: ['mill#0'], near: ['mill#0'] });
    expect(await find(store, '"old zeppelin"')).toEqual({ words: [], near: [] });
  },

  'what stands behind a minus must not be there, in both legs': async (store: Store) => {
    await fill(store);
    expect(await find(store, 'old -river')).toEqual({
      words: ['gate#0', 'miller#0'],
      near: ['gate#0', 'miller#0', 'tower#0'],
    });
    expect(await find(store, 'old -"old gate"')).toEqual({
      words: ['mill#0', 'miller#0'],
      near: ['mill#0', 'miller#0', 'tower#0'],
    });
    expect(await find(store, 'old -mil*')).toEqual({ words: [], near: ['tower#0'] });
    expect(await find(store, 'old -old')).toEqual({ words: [], near: ['tower#0'] });
    expect(await find(store, 'old -zeppelin')).toMatchObject({ near: all });
  },

  'a word with an asterisk stands for all words that begin so': async (store: Store) => {
    await fill(store);
    expect((await find(store, 'mil*')).words).toEqual(['gate#0', 'mill#0', 'miller#0']);
    expect((await find(store, 'tow*')).words).toEqual(['tower#0']);
    expect((await find(store, 'zepp*')).words).toEqual([]);
    // It says what to score, not what must be there.
    expect((await find(store, 'mil*')).near).toEqual(all);
    const { terms, prefixes } = await store.parse!('mil* tower');
    const both = await store.match(terms, { k: 9, prefixes: prefixes! });
    expect(both.range).toEqual({ min: expect.any(Number), max: both.hits[0]!.score });
    expect(both.hits).toHaveLength(4);
  },

  'operators beside filters and ids': async (store: Store) => {
    await fill(store);
    const where = { field: 'id', is: '!=', value: 'gate' } as const;
    expect(await find(store, 'old -river', { where })).toEqual({ words: ['miller#0'], near: ['miller#0', 'tower#0'] });
    expect(await find(store, 'old -river', { ids: ['mill#0', 'gate#0'] })).toEqual({
      words: ['gate#0'],
      near: ['gate#0'],
    });
    const { terms, require } = await store.parse!('old -river');
    const { hits } = await store.match(terms, { k: 1, require: require!, perDocument: true });
    expect(hits).toHaveLength(1);
  },

  'a question as text': async (store: Store) => {
    await fill(store);
    const plain = await store.parse!('an old mill');
    expect(plain).toEqual({ text: 'an old mill', terms: (await store.analyze(['an old mill']))[0] });
    expect((await store.parse!('old "by the river" tow* -green -"a b"')).text.split(/\s+/)).toEqual(
      'old by the river tow'.split(' '),
    );
    const marks = [
      '"',
      '""',
      '*',
      '-',
      '- ',
      '-"',
      '"-"',
      '-*',
      '*"*',
      '-- -',
      '“',
      '"old',
      'NEAR("a b", 2)',
      'a:b*',
      "'",
    ];
    for (const question of [...marks, ...marks.map((mark) => `mill ${mark}`), ...marks.map((mark) => `${mark} mill`)]) {
      const parsed = await store.parse!(question);
      if (question.includes('mill')) expect((await find(store, question)).words, question).toContain('mill#0');
      else expect(parsed.require?.must ?? [], question).toEqual([]);
    }
    expect(await store.parse!('')).toMatchObject({ text: '', terms: [] });
    // Nothing but exclusions: nothing to look for.
    expect(await store.parse!('-mill -"old gate"')).toMatchObject({ text: '', terms: [] });
    expect(await find(store, '-mill -"old gate"')).toEqual({ words: [], near: ['miller#0', 'tower#0'] });
  },

  'exclusions that are too many are said to be': async (store: Store) => {
    await fill(store);
    const many = Array.from({ length: 64 }, (_, at) => `-none${'x'.repeat(at + 1)}`).join(' ');
    const parsed = await store.parse!(`tower ${many} -mill`);
    expect(parsed.terms.map((each) => each.term)).toEqual(['tower']);
    expect(parsed.notes).toEqual([expect.stringMatching(/"-mill".*too many/)]);
  },

  'operators after a change': async (store: Store) => {
    await fill(store);
    expect((await find(store, '"old mill"')).near).toEqual(['mill#0']);
    await put(
      store,
      recordOf('mill', 'a mill that is old', [1, 1, 0]),
      recordOf('new', 'one more old mill', [1, 0, 1]),
    );
    await store.delete(['gate']);
    expect((await find(store, '"old mill"')).near).toEqual(['new#0']);
    expect((await find(store, 'milky*')).words).toEqual([]);
    expect((await find(store, 'old -mill')).near).toEqual(['miller#0', 'tower#0']);
  },

  'the parts of a score': async (store: Store) => {
    await fill(store);
    const asked = [term('old', 0.5), term('mill', 2), term('old', 0.25), term('nowhere')];
    const { hits } = await store.match(asked, { k: 9 });
    const explained = await store.explainMatch!(asked, [...ids(hits), 'tower#0', 'nobody#0', 'mill#7']);
    expect(explained.map(({ id }) => id)).toEqual([...ids(hits), 'tower#0']);
    explained.forEach(({ parts }, at) => {
      expect(parts.reduce((sum, { part }) => sum + part, 0)).toBe(hits[at]?.score ?? 0);
      for (const { weight, idf, tf, length } of parts) expect(Math.min(weight, idf, tf, length)).toBeGreaterThan(0);
    });
    const [mill] = explained.filter(({ id }) => id === 'mill#0');
    expect(mill!.parts.map(({ term: word, weight, tf, length }) => [word, weight, tf, length])).toEqual([
      ['mill', 2, 1, 6],
      ['old', 0.75, 1, 6],
    ]);
    const { terms, prefixes } = await store.parse!('tower mil*');
    const options = { prefixes: prefixes! };
    const found = await store.match(terms, { k: 9, ...options });
    for (const { id, parts } of await store.explainMatch!(terms, ids(found.hits), options)) {
      expect(parts.map((part) => part.term)).toEqual(id === 'tower#0' ? ['tower'] : ['mil*']);
      expect(parts[0]!.part).toBe(found.hits.find((hit) => hit.id === id)!.score);
    }
    for (const weight of [0, -1, Number.NaN])
      await expect(store.explainMatch!([term('old', weight)], ids(hits))).rejects.toMatchObject({
        code: 'bad_argument',
      });
  },

  'bad operators': async (store: Store) => {
    await fill(store);
    const clauses = [{ sequence: ['old'] }];
    const bad = [
      { must: [clauses] },
      { must: clauses, not: [] },
      { must: [], not: [{ prefix: '' }] },
      { must: [], not: [{ sequence: [] }] },
      { must: [[null]], not: [] },
      { must: [], not: ['old'] },
    ] as unknown as Requirement[];
    const calls = [
      ...bad.flatMap((require) => [
        () => store.match([term('old')], { k: 1, require }),
        () => store.nearest(Float32Array.of(1, 0, 0), { k: 1, require }),
      ]),
      ...[
        { prefix: '', terms: [], weight: 1 },
        { prefix: 'a', weight: 1 },
        { prefix: 'a', terms: [], weight: 0 },
      ].map((prefix) => () => store.match([], { k: 1, prefixes: [prefix as unknown as WeightedPrefix] })),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'bad_argument' });
  },
};
