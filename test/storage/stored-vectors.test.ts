import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Filter, NearOptions } from '../../src/core/ports.js';
import { searchVectors } from '../../src/kernels/search-vectors.js';
import { unitVector } from '../../src/kernels/vectors.js';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';
import { contractFingerprint } from '../contract/store-fixtures.js';

/** Few different numbers, so that many scores are equal. */
const vector = fc.array(fc.constantFrom(0, 1, -1, 0.5, 3e-5, -700), { minLength: 3, maxLength: 3 });
const chunk = fc.option(vector, { nil: undefined });
const record = fc.record({
  id: fc.constantFrom(...'abcdefghij'),
  chunks: fc.array(chunk, { minLength: 1, maxLength: 6 }),
});
const oneOf = (values: readonly string[]): Filter => ({ or: values.map((value) => ({ field: 'id', is: '=', value })) });
const subset = fc.subarray([...'abcdefghijk'], { minLength: 1 });

test('finds what a scan of all float32 rows finds, whatever is kept in memory', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(record, { selector: ({ id }) => id, minLength: 1 }),
      fc.subarray([...'abcdefghij']),
      vector,
      fc.integer({ min: 1, max: 12 }),
      fc.boolean(),
      fc.option(subset, { nil: undefined }),
      fc.option(subset, { nil: undefined }),
      fc.constantFrom(0, undefined),
      async (records, deleted, query, k, perDocument, passing, wanted, floatBytes) => {
        const store = openSqliteStore({ path: ':memory:', ...(floatBytes !== undefined && { floatBytes }) });
        await store.put(
          records.map(({ id, chunks }) => ({
            document: { id, text: 'x'.repeat(chunks.length) },
            hash: id,
            chunks: chunks.map((value, at) => ({
              start: at,
              end: at + 1,
              ...(value && { vector: Float32Array.from(value) }),
            })),
          })),
          { fingerprint: contractFingerprint },
        );
        await store.delete(deleted);
        const ids = wanted?.flatMap((id) => [`${id}#0`, `${id}#2`]);
        const live = records
          .filter(({ id }) => !deleted.includes(id))
          .flatMap(({ id, chunks }) => chunks.map((value, at) => ({ document: id, id: `${id}#${at}`, value })))
          .filter(({ value }) => value !== undefined);
        const expected = searchVectors(
          {
            matrix: Float32Array.from(live.flatMap(({ value }) => [...unitVector(Float32Array.from(value!))])),
            dimensions: 3,
            rows: live.length,
            id: (row) => live[row]!.id,
          },
          Float32Array.from(query),
          {
            k,
            allow: Uint8Array.from(live, ({ document, id }) =>
              (passing?.includes(document) ?? true) && (ids?.includes(id) ?? true) ? 1 : 0,
            ),
            groups: { of: Uint32Array.from(live, ({ document }) => document.charCodeAt(0)), count: 128 },
          },
        );
        const options: NearOptions = { k, perDocument, ...(ids && { ids }), ...(passing && { where: oneOf(passing) }) };
        const found = await store.nearest(Float32Array.from(query), options);
        await store.close();
        const scored = (list: typeof expected.hits) => list.map(({ id, score }) => ({ id, score }));
        const inHits = new Set(expected.hits.map(({ id }) => id));
        expect(found.hits).toEqual(scored(expected.hits));
        expect(found.more ?? []).toEqual(
          perDocument ? scored(expected.groupHits.filter(({ id }) => !inHits.has(id))) : [],
        );
        expect([found.matched, found.range.min, found.range.max]).toEqual([
          expected.matched,
          expected.min,
          expected.max,
        ]);
      },
    ),
    { numRuns: 150 },
  );
});

test('a search of float32 rows in the file sees what was written since', async () => {
  const store = openSqliteStore({ path: ':memory:', floatBytes: 0 });
  const put = (id: string, ...numbers: number[]) =>
    store.put(
      [{ document: { id, text: id }, hash: id, chunks: [{ start: 0, end: 1, vector: Float32Array.from(numbers) }] }],
      {
        fingerprint: contractFingerprint,
      },
    );
  const nearest = async () => (await store.nearest(Float32Array.of(1, 0, 0), { k: 2 })).hits.map(({ id }) => id);
  await put('a', 1, 1, 0);
  expect(await nearest()).toEqual(['a#0']);
  await put('b', 1, 0, 0);
  expect(await nearest()).toEqual(['b#0', 'a#0']);
  await put('a', 2, 0, 0);
  await put('b', 0, 1, 0);
  expect(await nearest()).toEqual(['a#0', 'b#0']);
  await store.close();
});
