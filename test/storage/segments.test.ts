import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DocumentRecord, Store } from '../../src/core/ports.js';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';
import { contractFingerprint, recordOf } from '../contract/store-fixtures.js';

const words = ['boat', 'oar', 'sail', 'mast', 'keel', 'rope'];
const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

type Step = { readonly put: readonly DocumentRecord[] } | { readonly remove: readonly string[] };

const record = fc
  .record({
    id: fc.constantFrom(...names),
    text: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }),
    vector: fc.option(fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 }), fc.constant(1))),
  })
  .map(({ id, text, vector }) => recordOf(id, text.join(' '), vector ?? undefined));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ put: fc.array(record, { minLength: 1, maxLength: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.subarray(names, { minLength: 1, maxLength: 3 }) }) },
);

/** Everything that a search can see. */
async function sight(store: Store) {
  const { location, bytes, version, ...info } = await store.info();
  const terms = words.map((term, index) => ({ term, weight: 1 + index / 8 }));
  return {
    info,
    counts: await store.analyze([words.join(' ')]),
    single: await Promise.all(terms.map((term) => store.match([term], { k: 3 }))),
    together: await store.match(terms, { k: 100 }),
    near: await store.nearest(Float32Array.of(1, -2, 0.5), { k: 100 }),
    chunks: await store.get(
      names.map((name) => `${name}#0`),
      { vectors: true },
    ),
  };
}

async function fresh(documents: ReadonlyMap<string, DocumentRecord>): Promise<Awaited<ReturnType<typeof sight>>> {
  const store = openSqliteStore({ path: ':memory:' });
  await store.put([...documents.values()], { fingerprint: contractFingerprint });
  const seen = await sight(store);
  await store.close();
  return seen;
}

async function apply(store: Store, steps: readonly Step[]): Promise<Map<string, DocumentRecord>> {
  const documents = new Map<string, DocumentRecord>();
  for (const one of steps)
    if ('put' in one) {
      await store.put(one.put, { fingerprint: contractFingerprint });
      for (const added of one.put) documents.set(added.document.id, added);
    } else {
      await store.delete(one.remove);
      for (const id of one.remove) documents.delete(id);
    }
  return documents;
}

test('after any puts and deletions a search sees what it would see in a fresh index', () =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 90, size: 'max' }), async (steps) => {
      const store = openSqliteStore({ path: ':memory:' });
      const documents = await apply(store, steps);
      expect(await sight(store)).toEqual(await fresh(documents));
      await store.close();
    }),
    { numRuns: 40 },
  ));

test('segments are merged tier by tier, and dead postings go with it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'surmise-'));
  const path = join(folder, 'index.db');
  const store = openSqliteStore({ path });
  const steps = Array.from({ length: 8 ** 3 + 9 }, (_, index): Step => {
    return {
      put: [recordOf(names[index % 8]!, `${words[index % 6]} ${words[(index * index) % 6]}`, [index % 5, 1, 1])],
    };
  });
  const documents = await apply(store, steps);
  expect(await sight(store)).toEqual(await fresh(documents));
  await store.close();
  const database = new Database(path, { readonly: true });
  expect(database.prepare('SELECT tier FROM segments ORDER BY id').pluck().all()).toEqual([3, 1, 0]);
  expect(database.prepare('SELECT count(*) FROM postings').pluck().get()).toBeLessThan(30);
  database.close();
  rmSync(folder, { recursive: true });
});
