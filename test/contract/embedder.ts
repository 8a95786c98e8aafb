import { describe, expect, type TestContext, test } from 'vitest';
import { isSurmiseError } from '../../src/core/errors.js';
import type { Embedder, Role } from '../../src/core/ports.js';

/** The clauses of the embedder port; an implementation may skip one with its reason. */
export type EmbedderClause =
  | 'fingerprint and limits'
  | 'count, length, finite'
  | 'order and batch'
  | 'blank texts'
  | 'unit length'
  | 'repeatable'
  | 'fresh vectors'
  | 'difficult texts'
  | 'full batch'
  | 'abort';

export interface EmbedderContract {
  readonly skip?: Partial<Readonly<Record<EmbedderClause, string>>>;
}

const roles: readonly Role[] = ['query', 'document'];
const texts = [
  'The ferry leaves the island at noon.',
  'Prune the roses before the first frost.',
  'A broken pump stopped the fountain.',
] as const;
const difficult = [
  'half a pair: \ud83d and \ude00 turned',
  'a family of four 👨‍👩‍👧‍👦 in one cluster',
  'zero \u0000 byte, bell \u0007, joiner \u200d, byte order mark \ufeff',
  'e\u0301'.repeat(200),
  '船は正午に島を出る',
  'العبارة تغادر الجزيرة ظهرا',
  '"; DROP TABLE chunks; --',
  '<|endoftext|>[CLS][SEP]',
  'x'.repeat(20_000),
];

/** Registers the tests that every embedder passes. `create` is called once; it may skip a test where it has no model. */
export function embedderContract(
  name: string,
  create: (context: Pick<TestContext, 'skip'>) => Embedder | Promise<Embedder>,
  { skip = {} }: EmbedderContract = {},
): void {
  describe(`embedder contract: ${name}`, () => {
    let created: Promise<Embedder> | undefined;
    const embedder = (context: Pick<TestContext, 'skip'>): Promise<Embedder> => {
      created ??= Promise.resolve(create(context));
      return created;
    };
    const clause = (title: EmbedderClause, body: (subject: Embedder) => Promise<void>): void => {
      test(title, async (context) => {
        if (skip[title] !== undefined) context.skip(skip[title]);
        await body(await embedder(context));
      });
    };

    clause('fingerprint and limits', async ({ fingerprint, limits }) => {
      expect(fingerprint.provider).not.toBe('');
      expect(fingerprint.model).not.toBe('');
      expect(Number.isInteger(fingerprint.dimensions) && fingerprint.dimensions > 0).toBe(true);
      expect(Number.isInteger(limits.batch) && limits.batch > 0).toBe(true);
      expect(JSON.parse(JSON.stringify(fingerprint))).toEqual(fingerprint);
    });

    clause('count, length, finite', async (subject) => {
      for (const role of roles) {
        expect(await subject.embed([], { role })).toEqual([]);
        const vectors = await subject.embed(Object.freeze([...texts]), { role });
        expect(vectors).toHaveLength(texts.length);
        for (const vector of vectors) expectVector(vector, subject);
      }
    });

    clause('order and batch', async (subject) => {
      for (const role of roles) {
        const together = await subject.embed(texts, { role });
        const reversed = (await subject.embed([...texts].reverse(), { role })).reverse();
        for (const [i, text] of texts.entries()) {
          const [alone] = await subject.embed([text], { role });
          expect(distance(together[i]!, alone!)).toBeLessThan(1e-4);
          expect(distance(reversed[i]!, alone!)).toBeLessThan(1e-4);
          expect(distance(together[i]!, together[(i + 1) % texts.length]!)).toBeGreaterThan(1e-2);
        }
      }
    });

    clause('blank texts', async (subject) => {
      const [blank, text, space] = await subject.embed(['', texts[0], ' \n\t'], { role: 'document' });
      const [alone] = await subject.embed([texts[0]], { role: 'document' });
      expect(blank).toEqual(new Float32Array(subject.fingerprint.dimensions));
      expect(space).toEqual(new Float32Array(subject.fingerprint.dimensions));
      expect(distance(text!, alone!)).toBeLessThan(1e-4);
    });

    clause('unit length', async (subject) => {
      if (!subject.fingerprint.normalised) return;
      for (const vector of await subject.embed(texts, { role: 'query' }))
        expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
    });

    clause('repeatable', async (subject) => {
      const first = await subject.embed(texts, { role: 'document' });
      const second = await subject.embed(texts, { role: 'document' });
      for (const [i, vector] of first.entries()) expect(distance(vector, second[i]!)).toBeLessThan(1e-5);
    });

    clause('fresh vectors', async (subject) => {
      const [first] = await subject.embed([texts[0]], { role: 'document' });
      const kept = first!.slice();
      first!.fill(7);
      const [second] = await subject.embed([texts[0]], { role: 'document' });
      expect(distance(second!, kept)).toBeLessThan(1e-5);
    });

    clause('difficult texts', async (subject) => {
      const vectors = await subject.embed(difficult, { role: 'document' });
      expect(vectors).toHaveLength(difficult.length);
      for (const vector of vectors) expectVector(vector, subject);
    });

    clause('full batch', async (subject) => {
      const many = Array.from({ length: subject.limits.batch }, (_, i) => `${texts[i % texts.length]} ${i}`);
      expect(await subject.embed(many, { role: 'document' })).toHaveLength(many.length);
    });

    clause('abort', async (subject) => {
      const failure = await subject
        .embed(texts, { role: 'query', signal: AbortSignal.abort() })
        .catch((e: unknown) => e);
      expect(isSurmiseError(failure) && failure.code).toBe('aborted');
    });
  });
}

function expectVector(vector: Float32Array, { fingerprint }: Embedder): void {
  expect(vector).toBeInstanceOf(Float32Array);
  expect(vector).toHaveLength(fingerprint.dimensions);
  expect(vector.every(Number.isFinite)).toBe(true);
}

function distance(a: Float32Array, b: Float32Array): number {
  return Math.hypot(...a.map((value, i) => value - b[i]!));
}
