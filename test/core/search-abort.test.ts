import { describe, expect, test } from 'vitest';
import type { Embedder } from '../../src/core/ports.js';
import { embedder, generatorOf, indexed, library } from './library.js';

const question = 'why do insects leave their home in spring';
const never = new Promise<never>(() => {});

describe('giving up', () => {
  test('before, during and after the plain hits', async () => {
    const caller = new AbortController();
    let told = false;
    const generator = generatorOf((_, { signal }) => {
      signal!.addEventListener('abort', () => {
        told = true;
      });
      return never;
    });
    const surmise = await indexed(library, { embedder, generator });
    await expect(surmise.search(question, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
    const stream = surmise.stream(question, { signal: caller.signal });
    expect((await stream.next()).value).toMatchObject({ stage: 'plain' });
    const final = stream.next();
    caller.abort(new Error('closed the tab'));
    await expect(final).rejects.toMatchObject({ code: 'aborted' });
    expect(told).toBe(true);
  });

  test('leaving the stream ends the generation', async () => {
    let told: (value: unknown) => void = () => {};
    const ended = new Promise((resolve) => {
      told = resolve;
    });
    const generator = generatorOf((_, { signal }) => {
      signal!.addEventListener('abort', told);
      return never;
    });
    const surmise = await indexed(library, { embedder, generator });
    for await (const { stage } of surmise.stream(question)) {
      expect(stage).toBe('plain');
      break;
    }
    await ended;
  });

  test('while the question is embedded', async () => {
    const { store } = await indexed();
    const caller = new AbortController();
    const hanging: Embedder = { ...embedder, embed: () => never };
    const surmise = await indexed([], { store, embedder: hanging });
    const waiting = surmise.search(question, { signal: caller.signal });
    caller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
  });
});
