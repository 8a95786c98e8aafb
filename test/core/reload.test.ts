import { expect, test } from 'vitest';
import type { Embedder } from '../../src/core/ports.js';
import { createSurmise } from '../../src/core/surmise.js';
import { deterministicEmbedder } from '../../src/models/deterministic-embedder.js';
import { openSqliteStore } from '../../src/storage/sqlite-store.js';
import { embedder, generatorOf, library } from './library.js';

/** As long as the old one, so that a vector of the wrong one would pass unnoticed. */
const base = deterministicEmbedder({ synonyms: [['modem', 'violin']] });
const other: Embedder = { ...base, fingerprint: { ...base.fingerprint, model: 'other' } };

async function open() {
  const store = openSqliteStore({ path: ':memory:' });
  const surmise = createSurmise({ store, embedder });
  await surmise.index(library.map((document) => ({ document })));
  return { store, surmise };
}

/** One that waits for `go` before it answers. */
function waiting() {
  let go = () => {};
  let asked = () => {};
  const going = new Promise<void>((resolve) => {
    go = resolve;
  });
  const begun = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const held: Embedder = {
    ...other,
    async embed(texts, options) {
      asked();
      await Promise.race([
        going,
        new Promise((_, reject) => options.signal?.addEventListener('abort', () => reject(options.signal?.reason))),
      ]);
      return other.embed(texts, options);
    },
  };
  return { held, go, begun };
}

const best = { mode: 'dense', hyde: 'off', feedback: false } as const;

test('the old embedder answers while vectors of the new one are made, then the new one does', async () => {
  const { surmise, store } = await open();
  const { held, go, begun } = waiting();
  expect((await surmise.search('modem', best)).hits[0]!.document).toBe('router');
  const { replaced, warning, reembedded } = await surmise.reload({ embedder: held });
  expect(replaced).toEqual([]);
  expect(warning).toMatch(/deterministic-64.*other/);
  await begun;
  const between = await surmise.search('modem', best);
  expect(between).toMatchObject({ mode: 'dense', degraded: [] });
  expect(between.hits[0]!.document).toBe('router');
  go();
  expect(await reembedded).toMatchObject({ swapped: true });
  // The question was asked before: its old vector must not come again.
  const after = await surmise.search('modem', best);
  expect(after.degraded).toEqual([]);
  expect(after.hits[0]!.document).toBe('violin');
  expect((await store.info()).fingerprint).toEqual(other.fingerprint);
  await surmise.close();
});

test('closing ends what is made in the background; what was made stays for the next time', async () => {
  const { surmise } = await open();
  const { held, begun } = waiting();
  const { reembedded } = await surmise.reload({ embedder: held });
  const failed = expect(reembedded).rejects.toMatchObject({ code: 'aborted' });
  await begun;
  await surmise.close();
  await failed;
  await expect(surmise.info()).rejects.toMatchObject({ code: 'bad_argument' });
});

test('going back to the embedder of the index ends it, too', async () => {
  const { surmise, store } = await open();
  const { held, begun } = waiting();
  const { reembedded } = await surmise.reload({ embedder: held });
  const failed = expect(reembedded).rejects.toMatchObject({ code: 'aborted' });
  await begun;
  expect(await surmise.reload({ embedder })).toEqual({ replaced: ['embedder'] });
  await failed;
  expect(await store.beside.info()).toBeUndefined();
  expect((await surmise.search('modem', best)).hits[0]!.document).toBe('router');
});

test('where new vectors can not be made the old ones go on answering', async () => {
  const { surmise } = await open();
  const broken: Embedder = { ...other, embed: () => Promise.reject(new Error('no such model')) };
  const { reembedded } = await surmise.reload({ embedder: broken }, { retries: { attempts: 1 } });
  await expect(reembedded).rejects.toMatchObject({ code: 'provider_failed' });
  expect((await surmise.search('modem', best)).hits[0]!.document).toBe('router');
});

test('generators are replaced at once and taken away by null; what is not named stays', async () => {
  const { surmise } = await open();
  const passage = 'Descale it with vinegar, since the water tastes of chalk.';
  const generator = generatorOf(async () => [{ text: passage }], 'writer');
  expect(await surmise.reload({ generator })).toEqual({ replaced: ['generator'] });
  const { trace } = await surmise.search('what does one do about hard water?', { hyde: 'on' });
  expect(trace.generator?.id).toBe('writer');
  expect(await surmise.reload({ generator: null })).toEqual({ replaced: ['generator'] });
  const without = await surmise.search('what does one do about hard water?', { hyde: 'on' });
  expect(without.trace.generator).toBeUndefined();
  expect(without.mode).toBe('hybrid');
});

test('a search goes on with the parts that it was begun with', async () => {
  const { surmise, store } = await open();
  const { parse } = store;
  store.parse = async (asked) => {
    await surmise.reload({ embedder: null });
    return parse!(asked);
  };
  const { mode, degraded } = await surmise.search('modem', best);
  expect([mode, degraded]).toEqual(['dense', []]);
});

test('without an embedder words are searched; what is no part is refused', async () => {
  const { surmise } = await open();
  await surmise.reload({ embedder: null });
  expect((await surmise.search('kettle')).mode).toBe('lexical');
  await expect(surmise.reload({ store: 1 } as never)).rejects.toMatchObject({ code: 'bad_argument' });
  await expect(surmise.reload({ embedder: {} as Embedder })).rejects.toMatchObject({ code: 'bad_argument' });
});
