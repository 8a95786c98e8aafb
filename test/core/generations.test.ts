import { describe, expect, test } from 'vitest';
import { createGenerations, type Wanted } from '../../src/core/generations.js';
import type { Generation } from '../../src/core/ports.js';
import { generatorOf } from './library.js';

const wanted = (key = 'k', n = 2): Wanted => ({
  key,
  n,
  prompt: { system: 's', user: 'u', question: 'q', passages: [] },
  usable: ({ text }) => text.startsWith('good'),
});
const never = new Promise<never>(() => {});

/** A generator whose calls are answered by hand. */
function byHand() {
  const calls: { answer(list: Generation[]): void; fail(): void; give(one: Generation): void; ended: boolean }[] = [];
  const generator = generatorOf(
    (_, { signal, onGeneration }) =>
      new Promise((answer, reject) => {
        const call = { answer, fail: () => reject(new Error('no')), give: onGeneration!, ended: false };
        signal!.addEventListener('abort', () => {
          call.ended = true;
        });
        calls.push(call);
      }),
  );
  return { calls, generator };
}

test('equal wishes share one call, and a later one asks nobody', async () => {
  const { calls, generator } = byHand();
  const generations = createGenerations();
  const [one, two] = [generations.write(generator, wanted())!, generations.write(generator, wanted())!];
  expect([one.from, two.from, calls.length]).toEqual(['call', 'another search', 1]);
  one.leave(false);
  expect(calls[0]!.ended).toBe(false);
  calls[0]!.answer([{ text: 'good' }]);
  expect(await two.all).toEqual([{ text: 'good' }]);
  const three = generations.write(generator, wanted())!;
  expect([three.from, await three.all, calls.length]).toEqual(['cache', [{ text: 'good' }], 1]);
  expect(generations.write(generator, wanted('other'))!.from).toBe('call');
});

test('when the last that waits has gone, the call ends and nothing is counted', async () => {
  const { calls, generator } = byHand();
  const generations = createGenerations({ breaker: { failures: 1 } });
  const writing = generations.write(generator, wanted())!;
  writing.leave(false);
  await expect(writing.all).rejects.toBeDefined();
  expect([calls[0]!.ended, generations.refusal(generator)]).toEqual([true, undefined]);
});

test('a call that is late goes on and fills the cache', async () => {
  const { calls, generator } = byHand();
  const generations = createGenerations();
  const writing = generations.write(generator, wanted())!;
  calls[0]!.give({ text: 'good a' });
  expect(writing.received).toEqual([{ text: 'good a' }]);
  writing.leave(true);
  calls[0]!.answer([{ text: 'good a' }, { text: 'good b' }]);
  await writing.all;
  expect(generations.write(generator, wanted())).toMatchObject({ from: 'cache', received: { length: 2 } });
});

test('of a late call that never ends, what came is kept', async () => {
  const { calls, generator } = byHand();
  const generations = createGenerations({ lateMs: 5 });
  for (const [key, text] of [
    ['k', 'good a'],
    ['other', 'sorry'],
  ] as const) {
    const writing = generations.write(generator, wanted(key))!;
    calls.at(-1)!.give({ text });
    writing.leave(true);
    await expect(writing.all).rejects.toBeDefined();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(generations.write(generator, wanted())).toMatchObject({ from: 'cache', received: [{ text: 'good a' }] });
  expect(generations.write(generator, wanted('other'))!.from).toBe('call');
  generations.close();
});

test('late calls end in time, and only a few of them go on', async () => {
  const { calls, generator } = byHand();
  const brief = createGenerations({ lateMs: 5 });
  const late = brief.write(generator, wanted())!;
  late.leave(true);
  await expect(late.all).rejects.toBeDefined();
  expect(calls[0]!.ended).toBe(true);

  const generations = createGenerations({ breaker: { failures: 100 } });
  for (let i = 0; i < 20; i++) generations.write(generator, wanted(`${i}`))!.leave(true);
  expect(calls.slice(1).filter(({ ended }) => !ended)).toHaveLength(8);
  generations.close();
  expect(calls.every(({ ended }) => ended)).toBe(true);
});

describe('what opens the breaker', () => {
  test.each<[string, () => Promise<Generation[]>, boolean]>([
    ['failing', () => Promise.reject(new Error('no credit')), true],
    ['nothing', async () => [], true],
    ['something that is no list', async () => 'text' as never, true],
    ['only what can not be used', async () => [{ text: 'sorry' }, null as never], true],
    ['one that can be used', async () => [{ text: 'sorry' }, { text: 'good' }], false],
  ])('%s', async (_, generate, opens) => {
    const generations = createGenerations({ breaker: { failures: 1 } });
    const generator = generatorOf(generate);
    await generations.write(generator, wanted())!.all.catch(() => {});
    await new Promise((resolve) => setImmediate(resolve));
    expect(generations.refusal(generator)).toBe(opens ? 'breaker open' : undefined);
    expect(generations.has('k')).toBe(!opens);
    expect(generations.write(generator, wanted()) === undefined).toBe(opens);
    // Another one is not left alone for it.
    expect(generations.refusal(generatorOf(generate))).toBeUndefined();
  });

  test('hanging without a word', () => {
    const generations = createGenerations({ breaker: { failures: 1 } });
    const generator = generatorOf(() => never);
    generations.write(generator, wanted())!.leave(true);
    expect(generations.refusal(generator)).toBe('breaker open');
    generations.close();
  });
});

test('a budget that is used up refuses calls, not what is there already', async () => {
  const generations = createGenerations({ budget: { calls: 1 } });
  const good = generatorOf(async () => [{ text: 'good' }]);
  await generations.write(good, wanted())!.all;
  await new Promise((resolve) => setImmediate(resolve));
  expect(generations.refusal(good)).toBe('budget');
  expect(generations.write(good, wanted('other'))).toBeUndefined();
  expect(generations.write(good, wanted())!.from).toBe('cache');
});

test('more than was asked for, or too long, is cut; what the generator changes later changes nothing', async () => {
  const vector = Float32Array.of(1, 2);
  const list = [{ text: 'good', vector, weight: 2 }, { text: `good${'x'.repeat(900_000)}` }, { text: 'good third' }];
  const generations = createGenerations();
  const all = await generations.write(
    generatorOf(async () => list),
    wanted(),
  )!.all;
  vector[0] = 9;
  expect(all.map(({ text }) => text.length)).toEqual([4, 200_001]);
  expect(all[0]).toEqual({ text: 'good', weight: 2, vector: Float32Array.of(1, 2) });
});
