import { expect } from 'vitest';
import type { DocumentRecord, Fingerprint, ScoredList, Store } from '../../src/core/ports.js';
import { contractFingerprint, hashes, ids, match, put, recordOf, term } from './store-fixtures.js';

/** Clauses of the store port about what is kept, replaced and removed. */
export const recordClauses = {
  'an empty store': async (store: Store) => {
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
  },

  'what is put can be had again': async (store: Store) => {
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
  },

  'the header of a table is indexed with the chunk and handed out again': async (store: Store) => {
    const text = 'one | two\nthree | four\nfive | six';
    const header = '| left | right |';
    await put(store, {
      document: { id: 'a', text },
      hash: 'h',
      chunks: [
        { start: 0, end: 9 },
        { start: 10, end: 22, heading: ['Numbers'], header },
        { start: 23, end: text.length, heading: ['Numbers'], header },
      ],
    });
    const [first, ...others] = await store.get(['a#0', 'a#1', 'a#2']);
    expect(first).not.toHaveProperty('header');
    expect(others).toMatchObject([
      { header, heading: ['Numbers'], text: 'three | four' },
      { header, heading: ['Numbers'], text: 'five | six' },
    ]);
    expect(await match(store, 'right')).toEqual(['a#1', 'a#2']);
  },

  'documents belong to a collection or to none': async (store: Store) => {
    const of = (id: string, collection?: string) => {
      const record = recordOf(id, 'boat');
      return { ...record, document: { ...record.document, ...(collection && { collection }) } };
    };
    await put(store, of('a', 'notes'), of('b', 'mail'), of('c', 'notes'), of('d'));
    expect((await store.info()).collections).toEqual({ mail: 1, notes: 2 });
    await put(store, of('c', 'mail'));
    await store.delete(['a']);
    expect((await store.info()).collections).toEqual({ mail: 2 });
  },

  'texts of any length': async (store: Store) => {
    const long = `${'😀é漢 '.repeat(20_000)}the boat`;
    const chunks = [
      { start: 0, end: long.length },
      { start: 16_382, end: 16_387 },
      { start: long.length - 4, end: long.length },
      { start: long.length, end: long.length },
    ];
    await put(store, { document: { id: 'a', text: long }, hash: 'h', chunks });
    const found = await store.get(['a#3', 'a#2', 'a#1', 'a#0']);
    expect(found.map(({ text }) => text)).toEqual(chunks.map(({ start, end }) => long.slice(start, end)).reverse());
  },

  'put replaces in every leg': async (store: Store) => {
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
  },

  'put is all or nothing': async (store: Store) => {
    await put(store, recordOf('a', 'boat', [1, 0, 0]));
    const before = await store.info();
    const failing = recordOf('c', 'wreck', [1, 0]);
    await expect(put(store, recordOf('a', 'plane', [0, 1, 0]), recordOf('b', 'boat'), failing)).rejects.toThrow();
    expect(await store.info()).toEqual({ ...before, version: expect.any(String) });
    expect(await match(store, 'boat')).toEqual(['a#0']);
    expect(await match(store, 'plane')).toEqual([]);
    expect(await store.get(['a#0', 'b#0', 'c#0'])).toMatchObject([{ text: 'boat' }]);
    await put(store, recordOf('b', 'boat', [0, 1, 0]));
    expect(await match(store, 'boat')).toEqual(['a#0', 'b#0']);
  },

  'the version changes with every write and stays without one': async (store: Store) => {
    const versions = new Set<string>();
    const version = async () => (await store.info()).version;
    const writes = [
      () => Promise.resolve(),
      () => put(store, recordOf('a', 'boat', [1, 0, 0]), recordOf('b', 'boat')),
      () => put(store, recordOf('a', 'boat', [1, 0, 0])),
      () => store.delete(['a']),
      () => put(store, recordOf('a', 'plane')),
    ];
    for (const write of writes) {
      await write();
      versions.add(await version());
      await match(store, 'boat');
      await store.analyze(['boat']);
      await store.get(['a#0']);
      await hashes(store);
      versions.add(await version());
    }
    expect(versions.size).toBe(writes.length);
  },

  'what could not be read again is refused': async (store: Store) => {
    await put(store, recordOf('a', 'boat', [1, 0, 0]));
    const record = recordOf('b', 'boat');
    const [chunk] = record.chunks;
    const circle: Record<string, unknown> = {};
    circle.circle = circle;
    const documents = [
      { id: '' },
      { id: 7 },
      { id: 'half \ud800' },
      { text: null },
      { title: 7 },
      { path: [] },
      { collection: {} },
      { metadata: new Date(0) },
      { metadata: ['tag'] },
      { metadata: { toJSON: () => 'text' } },
      { metadata: { count: 5n } },
      { metadata: null },
      { metadata: circle },
    ];
    const odd: unknown[] = [
      ...documents.map((part) => ({ ...record, document: { ...record.document, ...part } })),
      { ...record, hash: undefined },
      ...[{ heading: 'Oars' }, { heading: [1] }, { header: ['|'] }, { vector: [1, 0, 0] }].map((part) => ({
        ...record,
        chunks: [{ ...chunk, ...part }],
      })),
    ];
    for (const one of odd) await expect(put(store, one as DocumentRecord)).rejects.toMatchObject({ code: 'bad_data' });
    const { model, ...rest } = contractFingerprint;
    const fingerprints: unknown[] = [
      rest,
      null,
      'm',
      { ...contractFingerprint, normalised: 'no' },
      { ...contractFingerprint, dimensions: 0 },
      { ...contractFingerprint, dimensions: 1.5 },
      { ...contractFingerprint, model: 5n },
      { ...contractFingerprint, prefixes: { query: 'q' } },
    ];
    for (const fingerprint of fingerprints)
      await expect(store.put([record], { fingerprint: fingerprint as Fingerprint })).rejects.toMatchObject({
        code: 'bad_argument',
      });
    for (const ids of [[['a']], [7], 'a', undefined])
      await expect(async () => store.delete(ids as unknown as string[])).rejects.toMatchObject({
        code: 'bad_argument',
      });
    expect(await hashes(store)).toEqual([['a', 'hash of boat']]);
    expect(await store.info()).toMatchObject({ documents: 1, fingerprint: contractFingerprint });
  },

  'a record is written as it was when it was put': async (store: Store) => {
    const record = recordOf('a', 'boat', [1, 0, 0]);
    const heading = ['One'];
    const chunks = [{ ...record.chunks[0]!, heading }];
    const first = put(store, recordOf('b', 'oar'));
    const second = put(store, { ...record, chunks });
    heading[0] = 'Two';
    chunks[0]!.vector!.fill(9);
    chunks.pop();
    await Promise.all([first, second]);
    const vector = Float32Array.of(1, 0, 0);
    expect(await store.get(['a#0'], { vectors: true })).toMatchObject([{ heading: ['One'], vector }]);
  },

  'delete removes from every leg': async (store: Store) => {
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
  },

  'unknown ids are left out': async (store: Store) => {
    await put(store, recordOf('a', 'boat', [1, 0, 0]), recordOf('a#0', 'oar', [0, 1, 0]));
    const asked = ['a', 'a#', 'a#1', 'a#00', 'a#-0', 'a#0.0', 'a#0#0', '#0', '', 'b#0', 'a#0', 'a#0'];
    expect(ids((await store.get(asked)).map(({ id }) => ({ id, score: 0 })))).toEqual(['a#0#0', 'a#0', 'a#0']);
    expect(ids((await store.match([term('boat')], { k: 9, ids: asked })).hits)).toEqual(['a#0']);
  },

  'documents in order of id': async (store: Store) => {
    await put(store, ...['b', 'B', 'a10', 'a9', 'é', 'z', '漢'].map((id) => recordOf(id, 'boat')));
    expect((await hashes(store)).map(([id]) => id)).toEqual(['B', 'a10', 'a9', 'b', 'z', 'é', '漢']);
  },

  'more documents than a page': async (store: Store) => {
    const many = Array.from({ length: 2_100 }, (_, index) => recordOf(`d${index}`, `boat ${index}`));
    await put(store, ...many);
    expect(new Set((await hashes(store)).map(([id]) => id)).size).toBe(2_100);
    expect((await store.match([term('boat')], { k: 5_000 })).hits).toHaveLength(2_100);
  },

  'hostile text': async (store: Store) => {
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
  },

  'half a surrogate pair': async (store: Store) => {
    const text = 'cut \ud83d here \ude00, then the boat';
    await put(store, { ...recordOf('a', text), chunks: [{ start: 17, end: text.length }] });
    expect(await store.get(['a#0'])).toMatchObject([{ text: text.slice(17) }]);
  },

  close: async (store: Store) => {
    await store.close();
    await store.close();
    const failures = [store.info(), store.get([]), store.put([]), store.match([], { k: 1 }), store.analyze([])];
    for (const failure of failures) await expect(failure).rejects.toMatchObject({ code: 'bad_argument' });
    await expect(hashes(store)).rejects.toMatchObject({ code: 'bad_argument' });
  },
};
