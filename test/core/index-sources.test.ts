import { expect, test } from 'vitest';
import type { IndexSource } from '../../src/core/index-input.js';
import { createSurmise } from '../../src/core/surmise.js';
import { memoryStore } from './library.js';

/** A source that counts how often it is read. */
function sourceOf(id: string, text: string | undefined, identity = text ?? 'nothing') {
  const source = {
    id,
    identity,
    reads: 0,
    async read() {
      source.reads++;
      return text === undefined ? undefined : { document: { id, text } };
    },
  };
  return source;
}

test('a source is read when its identity has changed, and not otherwise', async () => {
  const surmise = createSurmise({ store: memoryStore() });
  const first = sourceOf('a', 'The boat leaves at noon.');
  expect(await surmise.index([first, sourceOf('b', 'The mill is closed.')])).toMatchObject({ added: 2 });
  const again = sourceOf('a', 'The boat leaves at noon.');
  expect(await surmise.index([again])).toMatchObject({ added: 0, updated: 0, unchanged: 1 });
  expect([first.reads, again.reads]).toEqual([1, 0]);
  expect(await surmise.index([sourceOf('a', 'The boat leaves at one.')])).toMatchObject({ updated: 1, unchanged: 0 });
  expect((await surmise.search('boat')).hits[0]).toMatchObject({ text: 'The boat leaves at one.' });
});

test('equal bytes under another id, or cut in another way, are read', async () => {
  const surmise = createSurmise({ store: memoryStore() });
  await surmise.index([sourceOf('a', 'The boat leaves at noon.')]);
  const moved = sourceOf('c', 'The boat leaves at noon.');
  const cut = sourceOf('a', 'The boat leaves at noon.');
  expect(await surmise.index([moved])).toMatchObject({ added: 1 });
  expect(await surmise.index([cut], { chunking: { size: 500 } })).toMatchObject({ updated: 1 });
});

test('a source in which there is nothing leaves what the index has', async () => {
  const surmise = createSurmise({ store: memoryStore() });
  await surmise.index([sourceOf('a', 'The boat leaves at noon.')]);
  expect(await surmise.index([sourceOf('a', undefined)])).toMatchObject({ added: 0, updated: 0, unchanged: 0 });
  expect((await surmise.search('boat')).hits).toHaveLength(1);
});

test.each<[string, IndexSource, RegExp]>([
  [
    'of another document than it said',
    { ...sourceOf('a', 'x'), read: sourceOf('b', 'x').read },
    /"a" gave document "b"/,
  ],
  ['without an identity', sourceOf('a', 'x', ''), /"a" needs an "identity"/],
  ['without an id', sourceOf('', 'x'), /"id"/],
])('a source %s is bad data', async (_, source, message) => {
  const surmise = createSurmise({ store: memoryStore() });
  await expect(surmise.index([source])).rejects.toMatchObject({
    code: 'bad_data',
    message: expect.stringMatching(message),
  });
});
