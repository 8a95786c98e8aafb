import { describe, expect, test } from 'vitest';
import type { Embedder } from '../../src/core/ports.js';
import { deterministicGenerator } from '../../src/models/deterministic-generator.js';
import { embedder, generatorOf, indexed, library } from './library.js';

const question = 'why do insects leave their home in spring';
const answer = 'In May a hive swarms: the old queen leaves with half of the bees to found another colony.';
const other = 'Bees swarm when the hive grows too small for the queen and her people.';
const never = new Promise<never>(() => {});

describe('what fails does not fail the search', () => {
  const plainOf = async () => (await indexed()).search(question, { hyde: 'off' });

  test.each<[string, ReturnType<typeof generatorOf>, RegExp]>([
    ['rejects', generatorOf(() => Promise.reject(new Error('no credit left'))), /no credit left/],
    [
      'throws',
      generatorOf(() => {
        throw new TypeError('not ready');
      }),
      /not ready/,
    ],
    ['hangs', generatorOf(() => never), /took longer than \d+ ms of the 20 ms/],
    ['answers nothing usable', generatorOf(async () => [{ text: "I'm sorry, I can't." }]), /none of the hypotheses/],
    ['answers no list', generatorOf(async () => undefined as never), /./],
    ['answers no texts', generatorOf(async () => [{}, null, { text: 5 }] as never), /none of the hypotheses/],
  ])('a generator that %s leaves the plain hits', async (_, generator, reason) => {
    const surmise = await indexed(library, { embedder, generator });
    const result = await surmise.search(question, { deadlineMs: 20 });
    expect(result.degraded).toEqual([{ part: 'generator', reason: expect.stringMatching(reason) }]);
    const plain = await plainOf();
    expect(result.hits.map(({ id, score }) => [id, score])).toEqual(plain.hits.map(({ id, score }) => [id, score]));
  });

  test('the deadline keeps the hypotheses that are done', async () => {
    const generator = deterministicGenerator({ [question]: [answer] }, { hang: true });
    const surmise = await indexed(library, { embedder, generator });
    const result = await surmise.search(question, { deadlineMs: 50 });
    expect(result.degraded).toMatchObject([{ part: 'generator', reason: expect.stringContaining('50 ms') }]);
    expect(result.trace.generator).toMatchObject({ wanted: 3, received: 1 });
    expect(result.trace.hypotheses).toEqual([{ source: 'generator', text: answer, used: true }]);
    expect(result.hits[0]!.document).toBe('bees');
  });

  test('a failure half-way keeps them too', async () => {
    const generator = deterministicGenerator({ [question]: [answer] }, { failWith: new Error('cut off') });
    const result = await (await indexed(library, { embedder, generator })).search(question);
    expect(result.degraded).toEqual([{ part: 'generator', reason: 'cut off' }]);
    expect(result.hits[0]!.document).toBe('bees');
  });

  test('more hypotheses than were asked for are not used', async () => {
    const generator = generatorOf(async () => [answer, other, `${other} They return.`].map((text) => ({ text })));
    const { trace } = await (await indexed(library, { embedder, generator })).search(question, { n: 2 });
    expect(trace.hypotheses).toHaveLength(2);
    expect(trace.generator).toMatchObject({ received: 2 });
  });

  const failing = (when: (role: string) => boolean): Embedder => ({
    ...embedder,
    embed: (texts, options) =>
      when(options.role) ? Promise.reject(new Error('connection lost')) : embedder.embed(texts, options),
  });

  test('an embedder that fails at query time leaves the lexical hits, with their full scores', async () => {
    const { store } = await indexed();
    for (const denseWeight of [0.5, 0.3, 1]) {
      const surmise = await indexed([], { store, embedder: failing(() => true) });
      const result = await surmise.search('queen of the hive', { denseWeight });
      expect(result.degraded).toEqual([{ part: 'dense', reason: expect.stringContaining('connection lost') }]);
      const lexical = await surmise.search('queen of the hive', { mode: 'lexical' });
      expect(result.hits).toEqual(lexical.hits);
      expect(result.hits[0]).toMatchObject({ document: 'bees', score: 1 });
      // To the last bit, also where the index does not know all words.
      for (const asked of ['when the bread is xyzzy', 'a long cold violin of chalk', 'water moon bees'])
        expect((await surmise.search(asked, { denseWeight })).hits).toEqual(
          (await surmise.search(asked, { mode: 'lexical' })).hits,
        );
    }
  });

  test('one that fails for hypotheses only leaves the dense leg with the question', async () => {
    const { store } = await indexed();
    const generator = deterministicGenerator({ [question]: [answer] });
    const surmise = await indexed([], { store, embedder: failing((role) => role === 'document'), generator });
    const result = await surmise.search(question);
    expect(result.degraded).toMatchObject([{ part: 'hypotheses', reason: expect.stringContaining('connection lost') }]);
    expect(result.hits[0]!.legs).toHaveProperty(['dense+hypothesis']);
  });

  test('in a dense search there is nothing else to answer with, so its failure is the answer', async () => {
    const { store } = await indexed();
    const surmise = await indexed([], { store, embedder: failing(() => true) });
    await expect(surmise.search(question, { mode: 'dense' })).rejects.toMatchObject({ code: 'provider_failed' });
  });

  test('a vector of another space from the generator is not mixed in', async () => {
    const generator = generatorOf(async () => [{ text: answer, vector: Float32Array.of(1, 2, 3) }]);
    const result = await (await indexed(library, { embedder, generator })).search(question);
    expect(result.degraded).toMatchObject([{ part: 'hypotheses' }]);
    expect(result.hits.length).toBe(8);
  });

  test('feedback that fails or answers nonsense leaves the list before it', async () => {
    const plain = await plainOf();
    const fail = generatorOf(() => Promise.reject(new Error('lost the thread')));
    const failed = await (await indexed(library, { embedder, feedback: fail })).search(question);
    expect(failed.degraded).toEqual([{ part: 'feedback', reason: 'lost the thread' }]);
    const nonsense = generatorOf(async () => [{}, { text: null }] as never);
    const odd = await (await indexed(library, { embedder, feedback: nonsense })).search(question);
    for (const { hits } of [failed, odd])
      expect(hits.map(({ id, score }) => [id, score])).toEqual(plain.hits.map(({ id, score }) => [id, score]));
  });

  test('a store that fails is an error, and nothing is left running', async () => {
    const { store } = await indexed();
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    let begun: () => void = () => {};
    const begin = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const broken = { ...store, match: () => begin.then(() => Promise.reject(new Error('disk is gone'))) };
    let stopped = false;
    const generator = generatorOf((_, { signal }) => {
      begun();
      signal!.addEventListener('abort', () => {
        stopped = true;
      });
      return never;
    });
    const surmise = await indexed([], { store: broken, embedder: failing(() => true), generator });
    await expect(surmise.search(question, { hyde: 'on' })).rejects.toThrow('disk is gone');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect([stopped, unhandled]).toEqual([true, []]);
  });
});
