import { throwIfAborted } from '../core/deadline.js';
import type { Embedder } from '../core/ports.js';
import { normalize } from '../core/vectors.js';
import { checkNames, checkWhole } from './check.js';
import { fnv1a, hex32 } from './fnv1a.js';

export interface DeterministicEmbedderOptions {
  /** 8 to 4,096. Default 64. */
  readonly dimensions?: number;
  /** Groups of words that mean the same; each group counts as one word. */
  readonly synonyms?: readonly (readonly string[])[];
  /** Another seed is another space, 0 to 2^32 − 1. Default 0. */
  readonly seed?: number;
}

const maxCharacters = 20_000;
const word = /[\p{L}\p{M}\p{N}_]+/gu;
/** What one character trigram counts beside its whole word: enough to bring inflected forms near each other. */
const trigramWeight = 0.25;

/**
 * An embedder for tests and examples: the same vectors on every machine, from nothing but the text. Each word and each
 * character trigram stands for a pseudo-random direction; texts that share words are near, others nearly orthogonal
 * (cosine about ±1/√dimensions). It knows no meaning but the given synonyms. Unit vectors; a text without letters or
 * digits gives the zero vector.
 *
 * @throws SurmiseError `bad_argument`; `embed` only `aborted`
 */
export function deterministicEmbedder(options: DeterministicEmbedderOptions = {}): Embedder {
  checkNames('the deterministic embedder', options, ['dimensions', 'synonyms', 'seed']);
  const dimensions = checkWhole('dimensions', options.dimensions ?? 64, 8, 4_096);
  const seed = checkWhole('seed', options.seed ?? 0, 0, 0xffff_ffff);
  const groups = (options.synonyms ?? []).map((group) => group.map(fold));
  const meanings = new Map(groups.flatMap((group) => group.map((member) => [member, group[0]!] as const)));
  const space = hex32(fnv1a(JSON.stringify([seed, groups])));

  const encode = (text: string): Float32Array => {
    const sum = new Float64Array(dimensions);
    for (const found of fold(text.slice(0, maxCharacters)).match(word) ?? []) {
      const meaning = meanings.get(found) ?? found;
      addDirection(sum, fnv1a(meaning, seed), 1);
      const padded = `^${meaning}$`;
      for (let i = 0; i + 3 <= padded.length; i++)
        addDirection(sum, fnv1a(padded.slice(i, i + 3), seed), trigramWeight);
    }
    return normalize(sum);
  };

  return {
    fingerprint: {
      provider: 'deterministic',
      model: `deterministic-${dimensions}-${space}`,
      dimensions,
      normalised: true,
    },
    limits: { batch: 64, characters: maxCharacters },
    async embed(texts, { signal }) {
      throwIfAborted(signal);
      return texts.map(encode);
    },
  };
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Adds `weight` times the ±1 vector that xorshift32 (Marsaglia 2003) draws from the hash. */
function addDirection(sum: Float64Array, hash: number, weight: number): void {
  // Zero is xorshift's only fixed point.
  let state = hash || 1;
  for (let i = 0; i < sum.length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    sum[i]! += state < 0 ? -weight : weight;
  }
}
