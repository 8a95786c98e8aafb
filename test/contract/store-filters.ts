import { expect } from 'vitest';
import { isSurmiseError } from '../../src/core/errors.js';
import { parseWhere } from '../../src/core/parse-where.js';
import type { Document, DocumentRecord, Filter, ScoredList, Store } from '../../src/core/ports.js';
import { ids, put, recordOf, term } from './store-fixtures.js';

const axis = Float32Array.of(1, 0, 0);

function filedRecord(id: string, text: string, x: number, document: Partial<Document>): DocumentRecord {
  const record = recordOf(id, text, [x, 1, 0]);
  return { ...record, document: { ...record.document, ...document } };
}

/** The same request of both legs. */
function bothLegs(store: Store, options: { k: number; where?: Filter; ids?: string[]; perDocument?: boolean }) {
  return Promise.all([store.match([term('boat')], options), store.nearest(axis, options)]);
}

const idsOf = ({ hits }: ScoredList) => ids(hits).sort();

/** Clauses of the store port about filters. */
export const filterClauses = {
  'only documents that fulfil the filter': async (store: Store) => {
    await put(
      store,
      filedRecord('/a/1.md', 'boat', 1, { title: 'One', metadata: { tags: ['x', 'y'], year: 2023 } }),
      filedRecord('/a/2.md', 'boat boat', 2, { metadata: { tags: 'x', date: '2024-03-01' } }),
      filedRecord('/b/3.md', 'boat', 3, { language: 'fr', metadata: { author: { name: 'Ada' } } }),
      recordOf('/b/4.md', 'boat', [4, 1, 0]),
    );
    const all = ['/a/1.md#0', '/a/2.md#0', '/b/3.md#0', '/b/4.md#0'];
    for (const [where, expected] of [
      ['tags = x', [0, 1]],
      ['tag = y', [0]],
      ['tags != y', [1, 2, 3]],
      ['year >= 2023 or date >= 2024', [0, 1]],
      ['author.name = Ada', [2]],
      ['not exists tags', [2, 3]],
      ['path starts /a/', [0, 1]],
      ['id = /b/4.md', [3]],
      ['title = One', [0]],
      ['exists title', [0]],
      ['language = fr', [2]],
      ['tags = nowhere', []],
      ['tags = x and path starts /b/', []],
    ] as const) {
      const wanted = expected.map((at) => all[at]);
      const filter = parseWhere(where);
      for (const list of await bothLegs(store, { k: 9, where: filter })) {
        expect([where, idsOf(list)]).toEqual([where, wanted]);
        expect(list.matched).toBe(wanted.length);
      }
      expect(await store.count(filter)).toEqual({ documents: wanted.length, chunks: wanted.length });
    }
  },

  'a filter comes before ranking and leaves the scores': async (store: Store) => {
    const many = Array.from({ length: 50 }, (_, at) => filedRecord(`many${at}`, 'boat boat', 9, {}));
    const few = [1, 2, 3].map((at) => filedRecord(`few${at}`, 'boat and more', -at, { metadata: { rare: true } }));
    await put(store, ...many, ...few);
    const where = { field: 'rare', is: '=', value: true } as const;
    const open = await bothLegs(store, { k: 99 });
    for (const [leg, list] of (await bothLegs(store, { k: 3, where })).entries()) {
      const scores = new Map(open[leg]!.hits.map(({ id, score }) => [id, score]));
      expect(list.matched).toBe(3);
      expect(idsOf(list)).toEqual(['few1#0', 'few2#0', 'few3#0']);
      for (const { id, score } of list.hits) expect(score).toBe(scores.get(id));
      const own = list.hits.map(({ score }) => score);
      expect(list.range).toEqual({ min: Math.min(...own), max: Math.max(...own) });
    }
    for (const { hits, matched, range } of await bothLegs(store, { k: 3, where: { or: [] } }))
      expect([hits, matched, range]).toEqual([[], 0, { min: 0, max: 0 }]);
  },

  'a filter and ids: both hold': async (store: Store) => {
    await put(
      store,
      ...['a', 'b', 'c'].map((id, at) => filedRecord(id, 'boat', at, { metadata: { even: at % 2 === 0 } })),
    );
    const where = { field: 'even', is: '=', value: true } as const;
    for (const list of await bothLegs(store, { k: 9, where, ids: ['a#0', 'b#0', 'nobody#0'], perDocument: true }))
      expect([idsOf(list), list.matched]).toEqual([['a#0'], 1]);
  },

  'a filter sees what was written last': async (store: Store) => {
    const where = { field: 'shelf', is: '=', value: 1 } as const;
    const shelve = (id: string, shelf: number) => put(store, filedRecord(id, 'boat', 1, { metadata: { shelf } }));
    const found = async () => (await bothLegs(store, { k: 9, where })).map(idsOf);
    await shelve('a', 1);
    await shelve('b', 2);
    expect(await found()).toEqual([['a#0'], ['a#0']]);
    await shelve('b', 1);
    await shelve('a', 2);
    expect(await found()).toEqual([['b#0'], ['b#0']]);
    await store.delete(['b']);
    expect(await found()).toEqual([[], []]);
    expect(await store.count(where)).toEqual({ documents: 0, chunks: 0 });
  },

  'filters of collections': async (store: Store) => {
    await put(
      store,
      filedRecord('a', 'boat', 1, { collection: 'notes' }),
      filedRecord('b', 'boat', 2, { collection: 'docs' }),
      filedRecord('c', 'boat', 3, { metadata: { collection: 'notes' } }),
    );
    const found = async (where: string) => (await bothLegs(store, { k: 9, where: parseWhere(where) })).map(idsOf);
    expect(await found('collection = notes')).toEqual([['a#0'], ['a#0']]);
    expect(await found('collection != notes')).toEqual([
      ['b#0', 'c#0'],
      ['b#0', 'c#0'],
    ]);
    expect(await found('not exists collection')).toEqual([['c#0'], ['c#0']]);
  },

  'what is no filter': async (store: Store) => {
    await put(store, recordOf('a', 'boat', [1, 0, 0]));
    for (const where of [null, 'tags = x', [], {}, { field: 'a', is: 'like', value: 'x' }] as unknown as Filter[])
      for (const call of [() => bothLegs(store, { k: 1, where }), () => store.count(where)]) {
        const failure = await call().catch((error: unknown) => error);
        expect([where, isSurmiseError(failure) && failure.code]).toEqual([where, 'bad_argument']);
      }
  },
};
