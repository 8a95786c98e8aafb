import { expect, test } from 'vitest';
import type { Store } from '../../src/core/ports.js';
import { reembed } from '../../src/core/reembed.js';
import { createSurmise } from '../../src/core/surmise.js';
import { deterministicEmbedder } from '../../src/models/deterministic-embedder.js';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';
import { embedder, library } from './library.js';

/** As long as those of the other: mixed, nothing but the answer would tell. */
const other = deterministicEmbedder({ synonyms: [['queen', 'violin']] });
const strange = { ...other, fingerprint: { ...other.fingerprint, model: 'strange' } };

/** A store in which the vectors are replaced as soon as a search looks at them. */
async function replacedWhileSearched() {
  const store = openSqliteStore({ path: ':memory:' });
  await createSurmise({ store, embedder }).index(library.map((document) => ({ document })));
  let replaced = false;
  const looked: Store = {
    ...store,
    async nearest(vector, options) {
      if (!replaced) {
        replaced = true;
        await reembed({ store, embedder: strange });
      }
      return store.nearest(vector, options);
    },
  };
  return { looked, words: await createSurmise({ store }).search('queen', { feedback: false }) };
}

const idsOf = ({ hits }: { hits: readonly { id: string; score: number }[] }) =>
  hits.map(({ id, score }) => [id, score]);

test('when new vectors take the place of the old ones in the middle of a search, no list has scores of both', async () => {
  const { looked, words } = await replacedWhileSearched();
  const result = await createSurmise({ store: looked, embedder }).search('queen', { feedback: false });
  expect(result).toMatchObject({
    mode: 'lexical',
    degraded: [{ part: 'dense', reason: expect.stringContaining('strange') }],
  });
  expect(idsOf(result)).toEqual(idsOf(words));
});

test('nor has any step of a stream', async () => {
  const { looked, words } = await replacedWhileSearched();
  const steps = createSurmise({ store: looked, embedder }).stream('queen', { feedback: false });
  for await (const { result } of steps) {
    expect(result.mode).toBe('lexical');
    expect(idsOf(result)).toEqual(idsOf(words));
  }
});

test('a dense search fails then, and says why', async () => {
  const { looked } = await replacedWhileSearched();
  await expect(createSurmise({ store: looked, embedder }).search('queen', { mode: 'dense' })).rejects.toMatchObject({
    code: 'embedder_mismatch',
  });
});
