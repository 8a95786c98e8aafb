import { afterAll, describe, expect, test } from 'vitest';
import { isSurmiseError } from '../../src/core/errors.js';
import type { DocumentRecord, Fingerprint, Scored, ScoredList, Store } from '../../src/core/ports.js';

/** The clauses of the store port; an implementation may skip one with its reason. */
export type StoreClause =
  | 'an empty store'
  | 'what is put can be had again'
  | 'put replaces in every leg'
  | 'put is all or nothing'
  | 'delete removes from every leg'
  | 'unknown ids are left out'
  | 'documents in order of id'
  | 'more documents than a page'
  | 'k against n'
  | 'range and matched are of the whole index'
  | 'only the given ids'
  | 'ties by id'
  | 'weights'
  | 'cosine of vectors of any length'
  | 'hostile text'
  | 'half a surrogate pair'
  | 'vectors of one space only'
  | 'chunks without vectors'
  | 'bad arguments'
  | 'close';

export interface StoreContract {
  readonly skip?: Partial<Readonly<Record<StoreClause, string>>>;
}

export const contractFingerprint: Fingerprint = { provider: 'contract', model: 'm', dimensions: 3, normalised: false };

/** A record of one chunk. */
export function recordOf(id: string, text: string, vector?: readonly number[]): DocumentRecord {
  const chunk = { start: 0, end: text.length, ...(vector && { vector: Float32Array.from(vector) }) };
  return { document: { id, text }, hash: `hash of ${text}`, chunks: [chunk] };
}

const ids = (list: readonly Scored[]) => list.map(({ id }) => id);
const term = (word: string, weight = 1) => ({ term: word, weight });

/** Registers the tests that every store passes. `open` gives a fresh, empty store each time. */
export function storeContract(name: string, open: () => Promise<Store>, { skip = {} }: StoreContract = {}): void {
  describe(`store contract: ${name}`, () => {
    const opened: Store[] = [];
    afterAll(async () => {
      for (const store of opened) await store.close();
    });
    const clause = (title: StoreClause, body: (store: Store) => Promise<void>): void => {
      test(title, async (context) => {
        if (skip[title] !== undefined) context.skip(skip[title]);
        const store = await open();
        opened.push(store);
        await body(store);
      });
    };
    const put = (store: Store, ...records: DocumentRecord[]) =>
      store.put(records, { fingerprint: contractFingerprint });
    const match = async (store: Store, word: string, k = 10) => ids((await store.match([term(word)], { k })).hits);
    const hashes = async (store: Store) => {
      const found: [string, string][] = [];
      for await (const { id, hash } of store.documents()) found.push([id, hash]);
      return found;
    };

    clause('an empty store', async (store) => {
      const nothing: ScoredList = { hits: [], matched: 0, range: { min: 0, max: 0 } };
      expect(await store.match([term('boat')], { k: 10 })).toEqual(nothing);
      expect(await store.match([], { k: 10 })).toEqual(nothing);
      expect(await store.nearest(Float32Array.of(1, 0, 0), { k: 10 })).toEqual(nothing);
      expect(await store.get(['x#0'])).toEqual([]);
      expect(await store.delete(['x'])).toBe(0);
      expect(await hashes(store)).toEqual([]);
      expect(await store.analyze(['boat', ''])).toEqual([[{ term: 'boat', weight: 1, chunks: 0 }], []]);
      const info = await store.info();
      expect(info).toMatchObject({ documents: 0, chunks: 0, vectors: 0, characters: 0, languages: {} });
      expect(info).not.toHaveProperty('fingerprint');
    });

    clause('what is put can be had again', async (store) => {
      const text = '# Oars\nPull the oars.\n# Sails\nHoist the sails: 帆を上げる 😀.';
      const vector = Float32Array.of(0.25, -3, 1e-7);
      await put(store, {
        document: {
          id: '/logs/été #1.md',
          text,
          title: 'Log',
          path: 'log.md',
          language: 'en',
          metadata: { a: [1, null] },
        },
        hash: 'h1',
        chunks: [
          { start: 7, end: 21, heading: ['Oars'], vector },
          { start: 30, end: text.length, heading: ['Sails', ''] },
        ],
      });
      const expected = [
        { start: 30, end: text.length, heading: ['Sails', ''], text: text.slice(30) },
        { start: 7, end: 21, heading: ['Oars'], text: 'Pull the oars.' },
      ].map((chunk, index) => ({
        ...chunk,
        id: `/logs/été #1.md#${1 - index}`,
        document: '/logs/été #1.md',
        path: 'log.md',
        title: 'Log',
      }));
      const wanted = expected.map(({ id }) => id);
      expect(await store.get(wanted)).toEqual(expected);
      expect(await store.get(wanted, { vectors: true })).toEqual([expected[0], { ...expected[1], vector }]);
      expect(await hashes(store)).toEqual([['/logs/été #1.md', 'h1']]);
      expect(await store.info()).toMatchObject({
        documents: 1,
        chunks: 2,
        vectors: 1,
        characters: text.length,
        languages: { en: 2 },
        fingerprint: contractFingerprint,
      });
    });

    clause('put replaces in every leg', async (store) => {
      await put(store, recordOf('a', 'boat boat', [1, 0, 0]), recordOf('b', 'boat', [0, 1, 0]));
      await put(store, recordOf('a', 'plane', [0, 0, 1]));
      expect(await match(store, 'boat')).toEqual(['b#0']);
      expect(await match(store, 'plane')).toEqual(['a#0']);
      expect(ids((await store.nearest(Float32Array.of(0, 0, 1), { k: 1 })).hits)).toEqual(['a#0']);
      expect(await store.get(['a#0'])).toMatchObject([{ text: 'plane' }]);
      expect(await store.info()).toMatchObject({ documents: 2, chunks: 2, vectors: 2, characters: 9 });
      const long = {
        ...recordOf('b', 'one two'),
        chunks: [
          { start: 0, end: 3 },
          { start: 4, end: 7 },
        ],
      };
      await put(store, long);
      expect(await store.info()).toMatchObject({ documents: 2, chunks: 3, vectors: 1 });
      await put(store, { ...long, chunks: [] });
      expect(await hashes(store)).toEqual([['a', 'hash of plane']]);
      expect(await store.get(['b#0', 'b#1'])).toEqual([]);
    });

    clause('put is all or nothing', async (store) => {
      await put(store, recordOf('a', 'boat', [1, 0, 0]));
      const before = await store.info();
      const failing = recordOf('c', 'wreck', [1, 0]);
      await expect(put(store, recordOf('a', 'plane', [0, 1, 0]), recordOf('b', 'boat'), failing)).rejects.toThrow();
      expect(await store.info()).toEqual(before);
      expect(await match(store, 'boat')).toEqual(['a#0']);
      expect(await match(store, 'plane')).toEqual([]);
      expect(await store.get(['a#0', 'b#0', 'c#0'])).toMatchObject([{ text: 'boat' }]);
      await put(store, recordOf('b', 'boat', [0, 1, 0]));
      expect(await match(store, 'boat')).toEqual(['a#0', 'b#0']);
    });

    clause('delete removes from every leg', async (store) => {
      await put(store, recordOf('a', 'boat', [1, 0, 0]), recordOf('b', 'boat', [0, 1, 0]), recordOf('c', 'boat'));
      expect(await store.delete(['c', 'nobody', 'a', 'a'])).toBe(2);
      expect(await match(store, 'boat')).toEqual(['b#0']);
      const near = await store.nearest(Float32Array.of(1, 1, 0), { k: 10 });
      expect([ids(near.hits), near.matched]).toEqual([['b#0'], 1]);
      expect(await store.get(['a#0', 'b#0', 'c#0'])).toHaveLength(1);
      expect((await store.analyze(['boat']))[0]).toEqual([{ term: 'boat', weight: 1, chunks: 1 }]);
      expect(await store.delete(['b'])).toBe(1);
      const info = await store.info();
      expect(info).toMatchObject({ documents: 0, chunks: 0, vectors: 0, characters: 0, languages: {} });
      expect(info).not.toHaveProperty('fingerprint');
    });

    clause('unknown ids are left out', async (store) => {
      await put(store, recordOf('a', 'boat', [1, 0, 0]), recordOf('a#0', 'oar', [0, 1, 0]));
      const asked = ['a', 'a#', 'a#1', 'a#00', 'a#-0', 'a#0.0', 'a#0#0', '#0', '', 'b#0', 'a#0', 'a#0'];
      expect(ids((await store.get(asked)).map(({ id }) => ({ id, score: 0 })))).toEqual(['a#0#0', 'a#0', 'a#0']);
      expect(ids((await store.match([term('boat')], { k: 9, ids: asked })).hits)).toEqual(['a#0']);
    });

    clause('documents in order of id', async (store) => {
      await put(store, ...['b', 'B', 'a10', 'a9', 'é', 'z', '漢'].map((id) => recordOf(id, 'boat')));
      expect((await hashes(store)).map(([id]) => id)).toEqual(['B', 'a10', 'a9', 'b', 'z', 'é', '漢']);
    });

    clause('more documents than a page', async (store) => {
      const many = Array.from({ length: 2_100 }, (_, index) => recordOf(`d${index}`, `boat ${index}`));
      await put(store, ...many);
      expect(new Set((await hashes(store)).map(([id]) => id)).size).toBe(2_100);
      expect((await store.match([term('boat')], { k: 5_000 })).hits).toHaveLength(2_100);
    });

    clause('k against n', async (store) => {
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
    });

    clause('range and matched are of the whole index', async (store) => {
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
    });

    clause('only the given ids', async (store) => {
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
    });

    clause('ties by id', async (store) => {
      const tied = ['b', 'a', 'C', 'a10', 'a9', 'é'];
      for (const id of tied) await put(store, recordOf(id, 'boat', [0, 2, 0]));
      const order = ['C#0', 'a#0', 'a10#0', 'a9#0', 'b#0', 'é#0'];
      for (const k of [1, 3, 6, 100]) {
        expect(await match(store, 'boat', k)).toEqual(order.slice(0, k));
        expect(ids((await store.nearest(Float32Array.of(1, 1, 0), { k })).hits)).toEqual(order.slice(0, k));
      }
    });

    clause('weights', async (store) => {
      await put(store, recordOf('a', 'boat'), recordOf('b', 'oar'), recordOf('c', 'sail'));
      const score = async (...terms: { term: string; weight: number }[]) =>
        new Map((await store.match(terms, { k: 9 })).hits.map((hit) => [hit.id, hit.score]));
      const one = (await score(term('boat'))).get('a#0')!;
      const scores = await score(term('boat', 0.5), term('oar', 2), term('nowhere', 9));
      expect(scores.get('a#0')).toBeCloseTo(one / 2, 10);
      expect(scores.get('b#0')).toBeCloseTo(one * 2, 10);
      expect(scores.has('c#0')).toBe(false);
      expect((await score(term('oar', 1), term('oar', 1))).get('b#0')).toBeCloseTo(one * 2, 10);
    });

    clause('cosine of vectors of any length', async (store) => {
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
    });

    clause('hostile text', async (store) => {
      const texts = [
        "'); DROP TABLE documents; --",
        'a\u0000b \u0007 NUL',
        '%_*"NEAR(x)',
        'x'.repeat(100_000),
        '\ufeff\u202e',
      ];
      await put(store, ...texts.map((text) => recordOf(text.slice(0, 40), text)));
      for (const text of texts) expect(await store.get([`${text.slice(0, 40)}#0`])).toMatchObject([{ text }]);
      for (const text of texts) expect(Array.isArray((await store.analyze([text]))[0])).toBe(true);
      for (const text of texts) await store.match([term(text)], { k: 1 });
      expect(await store.delete(texts.map((text) => text.slice(0, 40)))).toBe(texts.length);
    });

    clause('half a surrogate pair', async (store) => {
      const text = 'cut \ud83d here \ude00, then the boat';
      await put(store, { ...recordOf('a', text), chunks: [{ start: 17, end: text.length }] });
      expect(await store.get(['a#0'])).toMatchObject([{ text: text.slice(17) }]);
    });

    clause('vectors of one space only', async (store) => {
      await put(store, recordOf('a', 'boat', [1, 0, 0]));
      const other = { ...contractFingerprint, model: 'n' };
      const failure = await store
        .put([recordOf('b', 'oar', [0, 1, 0])], { fingerprint: other })
        .catch((e: unknown) => e);
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
    });

    clause('chunks without vectors', async (store) => {
      await store.put([recordOf('a', 'boat')], { fingerprint: contractFingerprint });
      expect(await store.info()).not.toHaveProperty('fingerprint');
      await put(store, recordOf('b', 'boat', [1, 0, 0]));
      expect(await store.nearest(Float32Array.of(1, 0, 0), { k: 5 })).toMatchObject({
        hits: [{ id: 'b#0' }],
        matched: 1,
      });
      expect(await match(store, 'boat')).toEqual(['a#0', 'b#0']);
      expect((await store.get(['a#0'], { vectors: true }))[0]).not.toHaveProperty('vector');
    });

    clause('bad arguments', async (store) => {
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
    });

    clause('close', async (store) => {
      await store.close();
      await store.close();
      const failures = [store.info(), store.get([]), store.put([]), store.match([], { k: 1 }), store.analyze([])];
      for (const failure of failures) await expect(failure).rejects.toMatchObject({ code: 'bad_argument' });
      await expect(hashes(store)).rejects.toMatchObject({ code: 'bad_argument' });
    });
  });
}
