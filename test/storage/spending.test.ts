import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { addSpending, readSpending } from '../../src/storage/spending.js';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';

test('sums by embedder; a price that becomes known counts from then on, another currency begins anew', async () => {
  const store = openSqliteStore({ path: ':memory:' });
  expect(await store.spending()).toEqual([]);
  const usd = (amount: number) => ({ amount, currency: 'USD' });
  await store.addSpending({ embedder: 'a/x', texts: 1, tokens: 10 });
  await store.addSpending({ embedder: 'b/y', texts: 2, tokens: 20, cost: usd(1) });
  await store.addSpending({ embedder: 'a/x', texts: 3, tokens: 30, cost: usd(2) });
  await store.addSpending({ embedder: 'a/x', texts: 1, tokens: 1 });
  await store.addSpending({ embedder: 'b/y', texts: 1, tokens: 1, cost: { amount: 5, currency: 'EUR' } });
  expect(await store.spending()).toEqual([
    { embedder: 'a/x', texts: 5, tokens: 41, cost: usd(2) },
    { embedder: 'b/y', texts: 3, tokens: 21, cost: { amount: 5, currency: 'EUR' } },
  ]);
});

test.each([
  '',
  '{}',
  '[1, null, {"embedder": 1}]',
  '[{"embedder": "a", "texts": -1, "tokens": 0}]',
  '[{"embedder": "a", "texts": 1, "tokens": 1, "cost": null}]',
])('what can not be read counts as nothing: %s', (json) => {
  const database = new Database(':memory:');
  database.exec('CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)');
  database.prepare("INSERT INTO meta VALUES ('spending', ?)").run(json);
  expect(readSpending(database)).toEqual([]);
  addSpending(database, { embedder: 'a', texts: 1, tokens: 2 });
  expect(readSpending(database)).toEqual([{ embedder: 'a', texts: 1, tokens: 2 }]);
});
