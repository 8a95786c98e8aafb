import { expect, test } from 'vitest';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';
import { match } from '../contract/store-fixtures.js';

async function storeWith(document: { text: string; title?: string; language?: string }) {
  const store = openSqliteStore({ path: ':memory:' });
  const chunks = [{ start: 0, end: document.text.length }];
  try {
    await store.put([{ document: { id: 'a', ...document }, hash: 'h', chunks }]);
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

test.each([
  ['en', 'en'],
  ['EN', 'en'],
  ['en-US', 'en'],
  ['en_GB', 'en'],
  ['eng', 'en'],
  ['pt-BR', 'pt'],
  ['zh-Hant-TW', 'zh'],
  ['und', 'und'],
  ['nds', 'nds'],
])('the language "%s" is analysed as %s', async (language, code) => {
  const store = await storeWith({ text: 'anchoring', language });
  expect((await store.info()).languages).toEqual({ [code]: 1 });
  if (code === 'en') expect(await match(store, 'anchor')).toEqual(['a#0']);
  await store.close();
});

test.each(['', ' ', 'english', 'e', 'en-', '-en', '42', 'en US', 'e\u0301n'])(
  'the language "%s" is no language code',
  (language) =>
    expect(storeWith({ text: 'anchoring', language })).rejects.toMatchObject({
      code: 'bad_data',
      message: expect.stringContaining('"a"'),
    }),
);

test('a title helps to tell the language of a short text', async () => {
  const text = 'Anlegestelle Nordufer';
  const alone = await storeWith({ text });
  const titled = await storeWith({ text, title: 'Wo ist das Boot und wann kommt es nicht mehr in den Hafen zurück?' });
  expect((await alone.info()).languages).toEqual({ und: 1 });
  expect((await titled.info()).languages).toEqual({ de: 1 });
  await Promise.all([alone.close(), titled.close()]);
});
