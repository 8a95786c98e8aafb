import { afterAll, describe, expect, test } from 'vitest';
import { isSurmiseError } from '../../src/core/errors.js';
import type { Reranker } from '../../src/core/ports.js';

/** The clauses of the reranker port; an implementation may skip one with its reason. */
export type RerankerClause = 'id' | 'one score each' | 'relevant first' | 'any number of texts' | 'abort';

export interface RerankerContract {
  readonly skip?: Partial<Readonly<Record<RerankerClause, string>>>;
}

const question = 'When does the ferry leave?';
const texts: readonly string[] = Object.freeze([
  'Tea is made with water.',
  'The ferry does leave at noon, when the bell rings.',
  'Ünïcode, 船 and 😀 are no reason to fail.',
]);

/** Registers the tests that every reranker passes. `create` is called once. */
export function rerankerContract(
  name: string,
  create: () => Promise<{ readonly reranker: Reranker; close?(): Promise<unknown> }>,
  { skip = {} }: RerankerContract = {},
): void {
  describe(`reranker contract: ${name}`, () => {
    let created: ReturnType<typeof create> | undefined;
    afterAll(async () => (await created)?.close?.());
    const clause = (title: RerankerClause, body: (subject: Reranker) => Promise<void>): void => {
      test(title, async (context) => {
        if (skip[title] !== undefined) context.skip(skip[title]);
        created ??= create();
        await body((await created).reranker);
      });
    };

    clause('id', async ({ id }) => expect(id.trim()).not.toBe(''));

    clause('one score each', async (subject) => {
      const scores = await subject.rerank(question, texts, {});
      expect(scores).toHaveLength(texts.length);
      expect(scores.every(Number.isFinite)).toBe(true);
      expect(await subject.rerank(question, [...texts].reverse(), {})).toEqual([...scores].reverse());
    });

    clause('relevant first', async (subject) => {
      const [tea, ferry] = await subject.rerank(question, texts, {});
      expect(ferry).toBeGreaterThan(tea!);
    });

    clause('any number of texts', async (subject) => {
      expect(await subject.rerank(question, [], {})).toEqual([]);
      expect(await subject.rerank(question, texts.slice(0, 1), {})).toHaveLength(1);
      const many = Array.from({ length: 70 }, (_, at) => `Sentence ${at}. `.repeat(at + 1));
      expect(await subject.rerank(question, many, {})).toHaveLength(70);
    });

    clause('abort', async (subject) => {
      const failure = await subject
        .rerank(question, texts, { signal: AbortSignal.abort() })
        .catch((error: unknown) => error);
      expect(isSurmiseError(failure) && failure.code).toBe('aborted');
    });
  });
}
