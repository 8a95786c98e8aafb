import { expect } from 'vitest';
import { isSurmiseError } from '../../src/core/errors.js';
import type { Store } from '../../src/core/ports.js';
import { contractFingerprint, ids, match, put, recordOf, term } from './store-fixtures.js';

/** Clauses of the store port about what searches find. */
export const searchClauses = {
  'k against n': async (store: Store) => {
    const k = 3;
    for (let n = 0; n <= k + 1; n++) {
      if (n > 0) await put(store, recordOf(`d${n}`, 'boat', [n, 1, 0]));
      const lists = [
        await store.match([term('boat')], { k }),
        await store.nearest(Float32Array.of(1, 0, 0), { k }),
      ] as const;
      for (const { hits, matched } of lists) {
        expect([hits.length, matched]).toEqual([Math.min(n, k), n]);
        expect(new Set(ids(hits)).size).toBe(hits.length);
      }
    }
  },

  'range and matched are of the whole index': async (store: Store) => {
    await put(
      store,
      recordOf('a', 'boat boat boat', [1, 0, 0]),
      recordOf('b', 'boat and much else that lies about', [0, 1, 0]),
      recordOf('c', 'nothing', [-1, 0, 0]),
    );
    const lexical = await store.match([term('boat')], { k: 1 });
    expect(lexical).toMatchObject({ matched: 2, range: { min: 0, max: lexical.hits[0]!.score } });
    expect(lexical.hits[0]!.score).toBeGreaterThan(0);
    const dense = await store.nearest(Float32Array.of(2, 0, 0), { k: 1 });
    expect(dense).toEqual({ hits: [{ id: 'a#0', score: 1 }], matched: 3, range: { min: -1, max: 1 } });
  },

  'the best chunk of each document, asked for, beside the best chunks': async (store: Store) => {
    const text = 'boat boat boat boat';
    const chunk = (start: number, vector: number[]) => ({ start, end: start + 4, vector: Float32Array.from(vector) });
    const large = { document: { id: 'large', text }, hash: 'h', chunks: [0, 5, 10].map((at) => chunk(at, [3, at, 0])) };
    await put(
      store,
      large,
      recordOf('small', 'boat and more', [1, 9, 0]),
      recordOf('tiny', 'boat and more yet', [0, 1, 0]),
    );
    const options = { k: 2, perDocument: true };
    const lists = [
      await store.match([term('boat')], options),
      await store.nearest(Float32Array.of(1, 0, 0), options),
    ] as const;
    for (const { hits, more = [] } of lists) {
      expect(ids(hits)).toEqual(['large#0', 'large#1']);
      expect(ids(more)).toEqual(['small#0']);
      expect(more[0]!.score).toBeLessThan(hits[1]!.score);
    }
    expect((await store.match([term('boat')], { k: 2 })).more).toBeUndefined();
  },

  'only the given ids': async (store: Store) => {
    await put(store, ...['a', 'b', 'c'].map((id, index) => recordOf(id, `boat ${id}`, [index, 1, 0])));
    const wanted = { k: 10, ids: ['c#0', 'a#0', 'nobody#0', 'c#0'] };
    expect(await store.match([term('boat')], wanted)).toMatchObject({
      hits: [{ id: 'a#0' }, { id: 'c#0' }],
      matched: 2,
    });
    const near = await store.nearest(Float32Array.of(1, 0, 0), wanted);
    expect([ids(near.hits), near.matched]).toEqual([['c#0', 'a#0'], 2]);
    expect((await store.match([term('boat')], { k: 10, ids: [] })).hits).toEqual([]);
    expect((await store.nearest(Float32Array.of(1, 0, 0), { k: 10, ids: [] })).hits).toEqual([]);
    const all = new Map((await store.match([term('boat')], { k: 10 })).hits.map(({ id, score }) => [id, score]));
    for (const { id, score } of (await store.match([term('boat')], wanted)).hits) expect(score).toBe(all.get(id));
  },

  'ties by id': async (store: Store) => {
    const tied = ['b', 'a', 'C', 'a10', 'a9', 'é'];
    for (const id of tied) await put(store, recordOf(id, 'boat', [0, 2, 0]));
    const order = ['C#0', 'a#0', 'a10#0', 'a9#0', 'b#0', 'é#0'];
    for (const k of [1, 3, 6, 100]) {
      expect(await match(store, 'boat', k)).toEqual(order.slice(0, k));
      expect(ids((await store.nearest(Float32Array.of(1, 1, 0), { k })).hits)).toEqual(order.slice(0, k));
    }
  },

  weights: async (store: Store) => {
    await put(store, recordOf('a', 'boat'), recordOf('b', 'oar'), recordOf('c', 'sail'));
    const score = async (...terms: { term: string; weight: number }[]) =>
      new Map((await store.match(terms, { k: 9 })).hits.map((hit) => [hit.id, hit.score]));
    const one = (await score(term('boat'))).get('a#0')!;
    const scores = await score(term('boat', 0.5), term('oar', 2), term('nowhere', 9));
    expect(scores.get('a#0')).toBeCloseTo(one / 2, 10);
    expect(scores.get('b#0')).toBeCloseTo(one * 2, 10);
    expect(scores.has('c#0')).toBe(false);
    expect((await score(term('oar', 1), term('oar', 1))).get('b#0')).toBeCloseTo(one * 2, 10);
  },

  'cosine of vectors of any length': async (store: Store) => {
    await put(
      store,
      recordOf('far', 'x', [300, 400, 0]),
      recordOf('near', 'x', [0.003, 0, 0.0001]),
      recordOf('zero', 'x', [0, 0, 0]),
    );
    const { hits } = await store.nearest(Float32Array.of(50, 0, 0), { k: 9 });
    expect(ids(hits)).toEqual(['near#0', 'far#0', 'zero#0']);
    expect(hits.map(({ score }) => score)).toEqual([
      expect.closeTo(0.003 / Math.hypot(0.003, 0.0001), 5),
      expect.closeTo(0.6, 5),
      0,
    ]);
    const [far] = await store.get(['far#0'], { vectors: true });
    expect([...far!.vector!]).toEqual([300, 400, 0]);
  },

  'vectors of one space only': async (store: Store) => {
    await put(store, recordOf('a', 'boat', [1, 0, 0]));
    const other = { ...contractFingerprint, model: 'n' };
    const failure = await store.put([recordOf('b', 'oar', [0, 1, 0])], { fingerprint: other }).catch((e: unknown) => e);
    expect(isSurmiseError(failure) && failure.code).toBe('embedder_mismatch');
    expect((await store.info()).fingerprint).toEqual(contractFingerprint);
    await expect(store.put([recordOf('b', 'oar', [0, 1, 0])])).rejects.toThrow();
    for (const vector of [
      [1, 2],
      [1, 2, 3, 4],
      [1, Number.NaN, 0],
      [Number.POSITIVE_INFINITY, 0, 0],
    ])
      await expect(put(store, recordOf('b', 'oar', vector))).rejects.toThrow();
    await store.delete(['a']);
    await store.put([recordOf('b', 'oar', [0, 1, 0])], { fingerprint: other });
    expect((await store.info()).fingerprint).toEqual(other);
  },

  'chunks without vectors': async (store: Store) => {
    await store.put([recordOf('a', 'boat')], { fingerprint: contractFingerprint });
    expect(await store.info()).not.toHaveProperty('fingerprint');
    await put(store, recordOf('b', 'boat', [1, 0, 0]));
    expect(await store.nearest(Float32Array.of(1, 0, 0), { k: 5 })).toMatchObject({
      hits: [{ id: 'b#0' }],
      matched: 1,
    });
    expect(await match(store, 'boat')).toEqual(['a#0', 'b#0']);
    expect((await store.get(['a#0'], { vectors: true }))[0]).not.toHaveProperty('vector');
  },

  'bad arguments': async (store: Store) => {
    await put(store, recordOf('a', 'boat', [1, 0, 0]));
    const vector = Float32Array.of(1, 0, 0);
    const calls = [
      ...[0, -1, 1.5, Number.NaN].flatMap((k) => [
        () => store.match([term('boat')], { k }),
        () => store.nearest(vector, { k }),
      ]),
      ...[0, -1, Number.NaN, Number.POSITIVE_INFINITY].map(
        (weight) => () => store.match([term('boat', weight)], { k: 1 }),
      ),
      ...[
        [1, 0],
        [1, 0, 0, 0],
        [1, Number.NaN, 0],
      ].map((wrong) => () => store.nearest(Float32Array.from(wrong), { k: 1 })),
    ];
    for (const call of calls) {
      const failure = await call().catch((e: unknown) => e);
      expect(isSurmiseError(failure) && failure.code).toBe('bad_argument');
    }
    expect((await store.nearest(vector, { k: 1 })).hits).toEqual([{ id: 'a#0', score: 1 }]);
  },
};
