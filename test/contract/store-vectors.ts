import { expect } from 'vitest';
import type { DocumentRecord, Store } from '../../src/core/ports.js';
import { put, recordOf } from './store-fixtures.js';

/** A record of one chunk whose vector has a key. */
function keyed(id: string, key: string, vector: readonly number[]): DocumentRecord {
  const record = recordOf(id, `text of ${id}`, vector);
  return { ...record, chunks: record.chunks.map((chunk) => ({ ...chunk, key })) };
}

/** Clauses of the store port about vectors that are looked up by their key; a store without `vectors` skips them. */
export const vectorClauses = {
  'vectors by key': async (store: Store) => {
    const vectors = async (...keys: string[]) =>
      [...(await store.vectors!(keys))].map(([key, vector]) => [key, [...vector]]);
    expect(await vectors('0a1b')).toEqual([]);
    await put(store, keyed('a', '0a1b', [1, 0, 0.5]), keyed('b', 'ff', [0, 300, 0]), recordOf('c', 'x', [0, 0, 1]));
    expect(await vectors()).toEqual([]);
    expect(await vectors('ff', '0a', 'nobody', "' OR 1=1 --", '', '0a1b', 'ff')).toEqual([
      ['ff', [0, 300, 0]],
      ['0a1b', [1, 0, 0.5]],
    ]);
    // Under another id as well, and there until the last that has the key is gone.
    await put(store, keyed('moved', '0a1b', [1, 0, 0.5]));
    await store.delete(['a']);
    expect(await vectors('0a1b')).toEqual([['0a1b', [1, 0, 0.5]]]);
    await put(store, keyed('moved', 'cc', [0, 0, 2]));
    expect(await vectors('0a1b', 'cc')).toEqual([['cc', [0, 0, 2]]]);
    await store.delete(['moved', 'b']);
    expect(await vectors('0a1b', 'cc', 'ff')).toEqual([]);
    for (const key of ['', 'abc', 'no'])
      await expect(put(store, keyed('d', key, [1, 0, 0]))).rejects.toMatchObject({ code: 'bad_argument' });
  },
};
