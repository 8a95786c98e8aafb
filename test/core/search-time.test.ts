import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { describe, expect, test } from 'vitest';
import type { Embedder } from '../../src/core/ports.js';
import { createSurmise } from '../../src/core/surmise.js';
import { fromAiSdk } from '../../src/models/ai-sdk.js';
import { deterministicGenerator } from '../../src/models/deterministic-generator.js';
import { type Answer, completion, openAiServer } from '../models/openai-server.js';
import { embedder, generatorOf, indexed, library } from './library.js';

const question = 'why do insects leave their home in spring';
const answer = 'In May a hive swarms: the old queen leaves with half of the bees to found another colony.';
const never = new Promise<never>(() => {});

const generatorAt = (url: string) =>
  fromAiSdk(createOpenAICompatible({ name: 'loopback', baseURL: url, apiKey: 'k' }).chatModel('tiny'), {
    maxRetries: 0,
  });

describe('asked again', () => {
  test('a second search calls neither generator nor embedder, and gives the same', async () => {
    const calls: string[] = [];
    const generator = generatorOf(async () => {
      calls.push('generate');
      return [{ text: answer }];
    });
    const counting: Embedder = {
      ...embedder,
      embed(texts, options) {
        calls.push(`embed ${options.role}`);
        return embedder.embed(texts, options);
      },
    };
    const { store } = await indexed();
    const surmise = createSurmise({ store, embedder: counting, generator });
    const first = await surmise.search(question);
    expect(calls.sort()).toEqual(['embed document', 'embed query', 'generate']);
    const second = await surmise.search(` ${question}\n`);
    expect(calls).toHaveLength(3);
    expect(second.hits).toEqual(first.hits);
    expect([first, second].map(({ trace }) => trace.generator!.from)).toEqual(['call', 'cache']);
  });

  test('at the same time, one call serves both; it ends only when both have gone', async () => {
    let calls = 0;
    let release: () => void = () => {};
    const open = new Promise<void>((resolve) => {
      release = resolve;
    });
    const generator = generatorOf(async () => {
      calls++;
      await open;
      return [{ text: answer }];
    });
    const surmise = await indexed(library, { embedder, generator });
    const leaver = surmise.stream(question);
    await leaver.next();
    const stayer = surmise.stream(question);
    await stayer.next();
    await leaver.return();
    release();
    const { value } = await stayer.next();
    expect(calls).toBe(1);
    expect(value!.result.trace.generator).toMatchObject({ from: 'another search', received: 1 });
  });

  test('what comes too late for one search serves the next', async () => {
    let release: () => void = () => {};
    const open = new Promise<void>((resolve) => {
      release = resolve;
    });
    const generator = generatorOf(async () => {
      await open;
      return [{ text: answer }];
    });
    const surmise = await indexed(library, { embedder, generator });
    const late = await surmise.search(question, { deadlineMs: 20 });
    expect(late.degraded).toMatchObject([{ part: 'generator' }]);
    release();
    await surmise.prefetch(question);
    const next = await surmise.search(question, { deadlineMs: 20 });
    expect(next.trace.generator).toMatchObject({ from: 'cache' });
    expect(next.hits[0]!.document).toBe('bees');
  });
});

describe('prefetch', () => {
  test('writes ahead; the search waits for nothing', async () => {
    const surmise = await indexed(library, { embedder, generator: deterministicGenerator({ [question]: [answer] }) });
    await surmise.prefetch(question);
    const { trace } = await surmise.search(question);
    expect(trace.generator).toMatchObject({ from: 'cache', received: 1 });
  });

  test('a newer one ends the one before; failures are not thrown, bad arguments are', async () => {
    const ended: string[] = [];
    let begun: () => void = () => {};
    const begin = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const generator = generatorOf(({ question: asked }, { signal }) => {
      begun();
      signal!.addEventListener('abort', () => ended.push(asked));
      return asked === 'what is a tide' ? Promise.reject(new Error('no')) : never;
    });
    const surmise = await indexed(library, { embedder, generator });
    const first = surmise.prefetch('what is a');
    await begin;
    await surmise.prefetch('what is a tide');
    await first;
    expect(ended[0]).toBe('what is a');
    await expect(surmise.prefetch('x', { n: 0 })).rejects.toMatchObject({ code: 'bad_argument' });
  });

  test('one that was begun before and is ready later ends nothing', async () => {
    const settled: (() => void)[] = [];
    const later = () => new Promise<void>((resolve) => settled.push(resolve));
    const [said, written] = [later(), later()];
    const generator = generatorOf(async ({ system }) => {
      const isRewriting = system.includes('conversation');
      await (isRewriting ? said : written);
      return [{ text: isRewriting ? 'why do insects leave' : answer }];
    });
    const surmise = await indexed(library, { embedder, generator });
    const history = [{ role: 'user', text: 'Insects leave their home.' }] as const;
    const both = [surmise.prefetch('why do they', { history }), surmise.prefetch(question)];
    for (const settle of settled) {
      await new Promise((resolve) => setTimeout(resolve, 30));
      settle();
    }
    await Promise.all(both);
    expect((await surmise.search(question)).trace.generator).toMatchObject({ from: 'cache' });
  });

  test('asks for nothing where the gate is closed or the caller has hypotheses', async () => {
    const generator = generatorOf(() => {
      throw new Error('was asked');
    });
    const surmise = await indexed(library, { embedder, generator });
    for (const [asked, options] of [
      ['lamp_42', {}],
      [question, { hyde: 'off' }],
      [question, { hypotheses: [answer] }],
      ['', {}],
    ] as const)
      expect(await surmise.prefetch(asked, options)).toBeUndefined();
    expect((await surmise.search(question, { hyde: 'off' })).degraded).toEqual([]);
  });
});

describe('a generator over HTTP that is no good leaves the plain hits, bit for bit', () => {
  const babble = 'word '.repeat(50_000);
  test.each<[string, (index: number) => Answer, RegExp]>([
    ['hangs', () => 'hang', /took longer than \d+ ms of the 300 ms/],
    ['cuts the connection', () => 'reset', /./],
    ['refuses', () => ({ json: completion("I'm sorry, but I cannot help with that.") }), /none of the hypotheses/],
    ['babbles', () => ({ json: completion(babble) }), /none of the hypotheses/],
    ['answers something else', () => ({ json: { ok: true } }), /./],
    ['answers no JSON', () => ({ json: '<html>busy</html>' }), /./],
    ['is not allowed', () => ({ status: 401, json: { error: { message: 'bad key' } } }), /./],
  ])('%s', async (_, reply, reason) => {
    await using server = await openAiServer((_, index) => reply(index));
    const surmise = await indexed(library, { embedder, generator: generatorAt(server.url) });
    const plain = await surmise.search(question, { hyde: 'off' });
    // Only one that hangs is waited for to the end.
    const deadlineMs = reply(0) === 'hang' ? 300 : 20_000;
    const result = await surmise.search(question, { deadlineMs });
    expect(result.trace.generator!.ms).toBeLessThan(deadlineMs);
    const essence = ({ hits }: typeof plain) => hits.map(({ id, score, legs }) => [id, score, legs]);
    expect(essence(result)).toEqual(essence(plain));
    expect(result.degraded).toMatchObject([{ part: 'generator', reason: expect.stringMatching(reason) }]);
    await surmise.close();
  });

  test('after three failures it is not asked for a while, and the trace says so', async () => {
    let calls = 0;
    const generator = generatorOf(() => {
      calls++;
      return Promise.reject(new Error('overloaded'));
    });
    const surmise = await indexed(library, { embedder, generator });
    for (const asked of ['a hive', 'a tide', 'a bow']) await surmise.search(`${asked} of which kind`);
    const { trace, degraded } = await surmise.search(question);
    expect(calls).toBe(3);
    expect(trace.gate).toEqual({ open: true, reason: 'question', generation: 'breaker open' });
    expect(degraded).toMatchObject([{ part: 'generator', reason: /left alone/ }]);
    // What takes its place has not failed.
    await surmise.reload({ generator: deterministicGenerator({ [question]: [answer] }) });
    expect((await surmise.search(question)).trace.generator).toMatchObject({ received: 1 });
  });

  test('a budget bounds the calls', async () => {
    const { store } = await indexed();
    const generator = deterministicGenerator(() => [answer]);
    const surmise = createSurmise({ store, embedder, generator, budget: { calls: 1 } });
    await surmise.search('when do bees leave', { hyde: 'on' });
    const { trace, degraded } = await surmise.search(question);
    expect([trace.gate.generation, trace.hypotheses, degraded]).toEqual(['budget', [], []]);
  });
});

test('an embedder that hangs ends with the deadline of the search, too', async () => {
  const { store } = await indexed();
  const surmise = createSurmise({ store, embedder: { ...embedder, embed: () => never } });
  const result = await surmise.search('queen of the hive', { deadlineMs: 20 });
  expect(result.degraded).toEqual([{ part: 'dense', reason: expect.stringContaining('took longer') }]);
  expect(result.hits[0]!.document).toBe('bees');
});

test('a question without a vector is searched by its hypotheses', async () => {
  const blind: Embedder = {
    ...embedder,
    embed: async (texts, options) =>
      options.role === 'query' ? texts.map(() => new Float32Array(64)) : embedder.embed(texts, options),
  };
  const { store } = await indexed();
  const surmise = createSurmise({ store, embedder: blind });
  const { trace, hits } = await surmise.search(question, { hypotheses: [answer], mode: 'dense' });
  expect(trace.legs.map(({ name, matched }) => [name, matched])).toEqual([
    ['dense', 0],
    ['dense+hypothesis', 8],
  ]);
  expect(hits[0]!.document).toBe('bees');
});
