import { afterAll, describe, test } from 'vitest';
import type { Store } from '../../src/core/ports.js';
import { filterClauses } from './store-filters.js';
import { operatorClauses } from './store-operators.js';
import { recordClauses } from './store-records.js';
import { searchClauses } from './store-search.js';
import { vectorClauses } from './store-vectors.js';

const clauses = { ...recordClauses, ...searchClauses, ...filterClauses, ...operatorClauses, ...vectorClauses };

/** The clauses of the store port; an implementation may skip one with its reason. */
export type StoreClause = keyof typeof clauses;

export interface StoreContract {
  readonly skip?: Partial<Readonly<Record<StoreClause, string>>>;
}

/** Registers the tests that every store passes. `open` gives a fresh, empty store each time. */
export function storeContract(name: string, open: () => Promise<Store>, { skip = {} }: StoreContract = {}): void {
  describe(`store contract: ${name}`, () => {
    const opened: Store[] = [];
    afterAll(async () => {
      for (const store of opened) await store.close();
    });
    for (const title of Object.keys(clauses) as StoreClause[])
      test(title, async (context) => {
        if (skip[title] !== undefined) context.skip(skip[title]);
        const store = await open();
        opened.push(store);
        await clauses[title](store);
      });
  });
}
