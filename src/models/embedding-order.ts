import { SurmiseError } from '../core/errors.js';

/**
 * Where each received vector belongs, by the `index` fields of OpenAI-like answers (`data: [{index, embedding}]`): all
 * items carry one and together they are 0 … n − 1, or none does and the order received counts, as it does for answers
 * of another form. The AI SDK itself goes by the order received.
 *
 * @param bodies raw answers of consecutive requests
 * @param count vectors in all of them
 * @throws SurmiseError `provider_failed` for indices that are missing, repeated or out of range
 */
export function embeddingOrder(who: string, bodies: readonly unknown[], count: number): number[] {
  const positions: number[] = [];
  for (const body of bodies) {
    const items = dataOf(body);
    if (items === undefined) return received(count);
    const indices: unknown[] = items.map(indexOf);
    const start = positions.length;
    if (indices.every((index) => index === undefined))
      for (let i = 0; i < indices.length; i++) positions.push(start + i);
    else if (isPermutation(indices)) for (const index of indices) positions.push(start + index);
    else
      throw new SurmiseError(
        'provider_failed',
        `${who} answered vectors whose "index" fields do not number them from 0; they can not be told apart safely.`,
      );
  }
  return positions.length === count ? positions : received(count);
}

function received(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
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
