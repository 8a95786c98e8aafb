import { digester } from './digest.js';
import type { EmbedItem, EmbedQueue } from './embed-queue.js';
import { fingerprintKey } from './fingerprint.js';
import { indexText } from './index-text.js';
import type { DocumentRecord, Store } from './ports.js';

/** Bytes of SHA-256 that a key keeps: 128 bits are enough that no two texts meet. */
export const keyBytes = 16;
/** In front of the hash of a document of which vectors are missing: it equals none, so the next run does it again. */
const incomplete = 'incomplete:';

export interface EmbeddedRecords {
  /**
   * In the order given: without a failure all documents, with one those that are done and those of which a text was
   * embedded, so that none is asked for twice. A chunk whose text was refused or not reached has no vector, and the hash
   * of its document equals none.
   */
  readonly records: readonly DocumentRecord[];
  /** All vectors of the records, by key. */
  readonly vectors: ReadonlyMap<string, Float32Array>;
  /** Texts that the embedder embedded. */
  readonly embedded: number;
  /** Chunks of `records` that took the vector of an equal text. */
  readonly reused: number;
  /** The documents of `records` of which the embedder refused texts, and why. */
  readonly failed: readonly { readonly id: string; readonly reason: string }[];
  /** Chunks of `records` for which the budget had no room. */
  readonly left?: Left;
  /** Why the others are missing. */
  readonly failure?: unknown;
}

/** What a budget had no room for. */
export interface Left {
  readonly documents: number;
  /** Texts of chunks, each different one of a batch once. */
  readonly texts: number;
  /** Their tokens, about. */
  readonly tokens: number;
}

type KeyedRecord = Omit<DocumentRecord, 'chunks'> & {
  readonly chunks: readonly (DocumentRecord['chunks'][number] & { readonly key: string; readonly indexed: string })[];
};

/**
 * Gives each chunk its vector: that of an equal text in the store, or a new one, once for all equal texts. A failure
 * does not throw away what is embedded already.
 *
 * @param recent vectors of records that the store may not have yet, by key
 */
export async function embedRecords(
  store: Store,
  queue: EmbedQueue,
  batch: readonly DocumentRecord[],
  recent: ReadonlyMap<string, Float32Array>,
): Promise<EmbeddedRecords> {
  const { keyed, vectors } = await lookUp(store, queue, batch, recent);
  const missing = [...missingTexts(keyed, vectors)];
  const outcome = await queue.embed(missing.map(([, item]) => item));
  const reasons = new Map<string, string>();
  const fresh = new Set<string>();
  const unpaid = new Set<string>();
  missing.forEach(([key], place) => {
    const vector = outcome.vectors.get(place);
    if (vector !== undefined) {
      vectors.set(key, vector);
      fresh.add(key);
    }
    if (outcome.left.has(place)) unpaid.add(key);
    const reason = outcome.refused.get(place);
    if (reason !== undefined) reasons.set(key, reason);
  });

  const { failure } = outcome;
  const records: DocumentRecord[] = [];
  const failed: { id: string; reason: string }[] = [];
  let count = 0;
  let leftDocuments = 0;
  for (const { chunks, ...record } of keyed) {
    const without = chunks.filter(({ key }) => !vectors.has(key));
    const reason = without.map(({ key }) => reasons.get(key)).find((found) => found !== undefined);
    // Stopped before its turn: what the index holds of it stays.
    const stopped = failure !== undefined && without.some(({ key }) => !reasons.has(key) && !unpaid.has(key));
    if (stopped && !chunks.some(({ key }) => fresh.has(key))) continue;
    count += chunks.length - without.length;
    if (without.some(({ key }) => unpaid.has(key))) leftDocuments++;
    if (reason !== undefined) failed.push({ id: record.document.id, reason });
    records.push({
      ...record,
      ...(without.length > 0 && { hash: incomplete + record.hash }),
      chunks: chunks.map(({ indexed, ...chunk }) => {
        const vector = vectors.get(chunk.key);
        return vector === undefined ? chunk : { ...chunk, vector };
      }),
    });
  }
  const embedded = outcome.vectors.size;
  return {
    records,
    vectors,
    embedded,
    reused: Math.max(0, count - embedded),
    failed,
    ...(leftDocuments > 0 && {
      left: {
        documents: leftDocuments,
        texts: unpaid.size,
        tokens: Math.ceil([...outcome.left.values()].reduce((sum, tokens) => sum + tokens, 0)),
      },
    }),
    ...(failure !== undefined && { failure }),
  };
}

/**
 * What embedding these documents would take, without doing it.
 *
 * @param planned keys of what earlier calls of one run have counted; those of this one are added
 */
export async function planRecords(
  store: Store,
  queue: EmbedQueue,
  batch: readonly DocumentRecord[],
  planned: Set<string>,
): Promise<{ readonly embedded: number; readonly reused: number; readonly tokens: number }> {
  const { keyed, vectors } = await lookUp(store, queue, batch);
  const texts = [...missingTexts(keyed, vectors)].filter(([key]) => !planned.has(key));
  for (const [key] of texts) planned.add(key);
  const missing = texts.map(([, item]) => item);
  const count = keyed.reduce((sum, { chunks }) => sum + chunks.length, 0);
  return {
    embedded: missing.length,
    reused: count - missing.length,
    tokens: Math.ceil(missing.reduce((sum, { text }) => sum + queue.tokensOf(text), 0)),
  };
}

/** The documents with the keys of their chunks, and the vectors that there are under these. */
async function lookUp(
  store: Store,
  { embedder, cache }: EmbedQueue,
  batch: readonly DocumentRecord[],
  recent: ReadonlyMap<string, Float32Array> = new Map(),
) {
  const { fingerprint } = embedder;
  const keyed = withKeys(batch, fingerprintKey(fingerprint));
  const keys = [...new Set(keyed.flatMap(({ chunks }) => chunks.map(({ key }) => key)))];
  const vectors = new Map<string, Float32Array>();
  // A store of another make may keep anything; only what fits is taken.
  for (const [key, vector] of (await store.vectors?.(keys)) ?? [])
    if (vector.length === fingerprint.dimensions) vectors.set(key, vector);
  for (const key of keys) {
    const vector = recent.get(key);
    if (vector !== undefined) vectors.set(key, vector);
  }
  const unknown = [...missingTexts(keyed, vectors)];
  const kept = await cache.find(unknown.map(([, { text }]) => text));
  unknown.forEach(([key], at) => {
    const vector = kept[at];
    if (vector !== undefined) vectors.set(key, vector);
  });
  return { keyed, vectors };
}

/** What is to be embedded, each text once, in the order of the records. */
function missingTexts(records: readonly KeyedRecord[], known: ReadonlyMap<string, unknown>): Map<string, EmbedItem> {
  const missing = new Map<string, EmbedItem>();
  for (const { document, chunks } of records)
    for (const { key, indexed } of chunks) {
      if (known.has(key)) continue;
      const other = missing.get(key)?.document ?? document.id;
      if (!missing.has(key)) missing.set(key, { text: indexed, document: document.id });
      else if (other !== document.id) missing.set(key, { text: indexed });
    }
  return missing;
}

/**
 * A chunk's key stands for the embedder and for the text that it embeds, so it finds a vector wherever the chunk was
 * before, and never one of another embedder.
 */
function withKeys(batch: readonly DocumentRecord[], space: string): KeyedRecord[] {
  const keyOf = digester(`${space}\n`, keyBytes);
  return batch.map(({ document, hash, chunks }) => ({
    document,
    hash,
    chunks: chunks.map((chunk) => {
      const { start, end, heading = [], header } = chunk;
      const indexed = indexText(document.title ?? '', heading, document.text.slice(start, end), header);
      return { ...chunk, indexed, key: keyOf(indexed) };
    }),
  }));
}
