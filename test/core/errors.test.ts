import { expect, test } from 'vitest';
import { messageOf } from '../../src/core/errors.js';
import { indexDocuments } from '../../src/core/indexing.js';
import { embedder, memoryStore } from './library.js';

const unshown = {
  toString() {
    throw new Error('no');
  },
};

test.each<[unknown, string]>([
  [new Error('gone'), 'gone'],
  ['gone', 'gone'],
  [Symbol('gone'), 'Symbol(gone)'],
  [undefined, 'undefined'],
  [Object.create(null), 'something was thrown that can not be shown'],
  [unshown, 'something was thrown that can not be shown'],
])('whatever is thrown has a message', async (thrown, message) => {
  expect(messageOf(thrown)).toBe(message);
  const failing = { ...embedder, embed: () => Promise.reject(thrown) };
  const run = indexDocuments({ store: memoryStore(), embedder: failing }, [{ document: { id: 'a', text: 'b' } }]);
  await expect(run).rejects.toMatchObject({ code: 'provider_failed', message: expect.stringContaining(message) });
});
