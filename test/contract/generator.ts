import { describe, expect, test } from 'vitest';
import { isSurmiseError } from '../../src/core/errors.js';
import type { Chunk, Generation, Generator, Prompt } from '../../src/core/ports.js';

/** The clauses of the generator port; an implementation may skip one with its reason. */
export type GeneratorClause = 'id' | 'at most n' | 'reported as they come' | 'prompt is left alone' | 'abort';

export interface GeneratorContract {
  readonly skip?: Partial<Readonly<Record<GeneratorClause, string>>>;
}

/** The prompt of the contract; the generator under test must answer it with at least one passage. */
export const contractPrompt: Prompt = deepFreeze({
  system: 'Write a passage that answers the question.',
  user: 'When does the ferry leave?',
  question: 'When does the ferry leave?',
  passages: [
    'Timetable of the harbour.',
    'Boats cross twice a day.',
    'Tickets are sold on board.',
    'Dogs travel free.',
  ].map(
    (text, i): Chunk => ({
      id: `harbour#${i}`,
      document: 'harbour',
      path: 'harbour.md',
      title: 'Harbour',
      heading: [],
      start: 0,
      end: text.length,
      text,
    }),
  ),
});

/** Registers the tests that every generator passes. `create` is called once. */
export function generatorContract(
  name: string,
  create: () => Generator | Promise<Generator>,
  { skip = {} }: GeneratorContract = {},
): void {
  describe(`generator contract: ${name}`, () => {
    let created: Promise<Generator> | undefined;
    const clause = (title: GeneratorClause, body: (subject: Generator) => Promise<void>): void => {
      test(title, async (context) => {
        if (skip[title] !== undefined) context.skip(skip[title]);
        created ??= Promise.resolve(create());
        await body(await created);
      });
    };

    clause('id', async ({ id }) => expect(id.trim()).not.toBe(''));

    clause('at most n', async (subject) => {
      for (const n of [1, 2, 3]) {
        const generations = await subject.generate(contractPrompt, { n });
        expect(generations.length).toBeGreaterThan(0);
        expect(generations.length).toBeLessThanOrEqual(n);
        for (const { text, vector } of generations) {
          expect(text.trim()).not.toBe('');
          expect(vector?.every(Number.isFinite) ?? true).toBe(true);
        }
      }
    });

    clause('reported as they come', async (subject) => {
      const reported: Generation[] = [];
      const generations = await subject.generate(contractPrompt, { n: 3, onGeneration: (one) => reported.push(one) });
      expect(reported.map(({ text }) => text).sort()).toEqual(generations.map(({ text }) => text).sort());
    });

    clause('prompt is left alone', async (subject) => {
      const before = JSON.stringify(contractPrompt);
      await subject.generate(contractPrompt, { n: 1, maxTokens: 50 });
      expect(JSON.stringify(contractPrompt)).toBe(before);
    });

    clause('abort', async (subject) => {
      const options = { n: 2, signal: AbortSignal.abort() };
      const failure = await subject.generate(contractPrompt, options).catch((e: unknown) => e);
      expect(isSurmiseError(failure) && failure.code).toBe('aborted');
    });
  });
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}
