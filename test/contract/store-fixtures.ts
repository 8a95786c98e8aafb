import type { DocumentRecord, Fingerprint, Scored, Store } from '../../src/core/ports.js';

export const contractFingerprint: Fingerprint = { provider: 'contract', model: 'm', dimensions: 3, normalised: false };

/** A record of one chunk. */
export function recordOf(id: string, text: string, vector?: readonly number[]): DocumentRecord {
  const chunk = { start: 0, end: text.length, ...(vector && { vector: Float32Array.from(vector) }) };
  return { document: { id, text }, hash: `hash of ${text}`, chunks: [chunk] };
}

export const ids = (list: readonly Scored[]) => list.map(({ id }) => id);
export const term = (word: string, weight = 1) => ({ term: word, weight });

export function put(store: Store, ...records: DocumentRecord[]): Promise<void> {
  return store.put(records, { fingerprint: contractFingerprint });
}

export async function match(store: Store, word: string, k = 10): Promise<string[]> {
  return ids((await store.match([term(word)], { k })).hits);
}

/** Id and hash of every document. */
export async function hashes(store: Store): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for await (const { id, hash } of store.documents()) found.push([id, hash]);
  return found;
}
