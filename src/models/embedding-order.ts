import { SurmiseError } from '../core/errors.js';
import { norm } from '../core/vectors.js';

/** How far apart (1 − cosine) two vectors of one text are at most; batches change the last digits. */
const maxDistance = 0.01;
/** What is no distance at all, but digits. */
const minDistance = 1e-6;
/** A vector of another text that is so many times nearer is no accident of the last digits. */
const farNearer = 100;

/**
 * Where each received vector belongs, by the `index` fields of OpenAI-like answers (`data: [{index, embedding}]`): all
 * items carry one and together they are 0 … n − 1, or none does and the order received counts, as it does for answers
 * of another form. The AI SDK itself goes by the order received.
 *
 * @param bodies raw answers of consecutive requests
 * @param count vectors in all of them
 * @throws SurmiseError `provider_failed` for indices that are missing, repeated or out of range
 */
export function embeddingOrder(
  who: string,
  bodies: readonly unknown[],
  count: number,
): { readonly places: readonly number[]; readonly numbered: boolean } {
  const positions: number[] = [];
  let numbered = true;
  for (const body of bodies) {
    const items = dataOf(body);
    if (items === undefined) return received(count);
    const indices: unknown[] = items.map(indexOf);
    const start = positions.length;
    if (indices.every((index) => index === undefined)) {
      numbered = false;
      for (let i = 0; i < indices.length; i++) positions.push(start + i);
    } else if (isPermutation(indices)) for (const index of indices) positions.push(start + index);
    else
      throw new SurmiseError(
        'provider_failed',
        `${who} answered vectors whose "index" fields do not number them from 0; they can not be told apart safely.`,
        { fatal: true },
      );
  }
  return positions.length === count ? { places: positions, numbered } : received(count);
}

/**
 * Which vectors of an answer without numbers are asked for again: one between the ends, which finds what keeps the ends
 * in place, and one of the ends, which finds what keeps the middle. Chosen at random, so that no order escapes for good.
 */
export function samplePlaces(count: number): number[] {
  const end = Math.random() < 0.5 ? 0 : count - 1;
  return count > 2 ? [1 + Math.floor(Math.random() * (count - 2)), end] : [end];
}

/**
 * Looks for the vector that a text got alone in an answer: it must stand at its place, and no other may be by far nearer.
 *
 * @throws SurmiseError `provider_failed` where they are in another order
 */
export function checkSample(
  who: string,
  vectors: readonly (readonly number[])[],
  at: number,
  alone: readonly number[],
): void {
  const distances = vectors.map((vector) => 1 - cosine(vector, alone));
  const nearest = distances.reduce((least, distance) => Math.min(least, distance), Number.POSITIVE_INFINITY);
  const most = Math.min(maxDistance, Math.max(minDistance, nearest * farNearer));
  if (distances[at]! <= most) return;
  throw new SurmiseError(
    'provider_failed',
    `${who} answers vectors in another order than the texts and does not number them; set "batch" to 1.`,
    { fatal: true },
  );
}

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = a.reduce((sum, value, i) => sum + value * (b[i] ?? Number.NaN), 0);
  return dot / (norm(a) * norm(b));
}

function received(count: number): { readonly places: readonly number[]; readonly numbered: boolean } {
  return { places: Array.from({ length: count }, (_, i) => i), numbered: false };
}

function dataOf(body: unknown): readonly unknown[] | undefined {
  const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined;
  return Array.isArray(data) ? data : undefined;
}

function indexOf(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'index' in item ? (item.index ?? undefined) : undefined;
}

function isPermutation(indices: readonly unknown[]): indices is number[] {
  const seen = new Set(indices);
  return seen.size === indices.length && indices.every((_, i) => seen.has(i));
}
