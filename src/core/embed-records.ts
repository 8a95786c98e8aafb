import { embedTexts, fingerprintKey } from './embed.js';
import { isSurmiseError, SurmiseError } from './errors.js';
import { indexText } from './index-text.js';
import type { DocumentRecord, Embedder, Store } from './ports.js';

const embedDeadlineMs = 120_000;
/** Bytes of SHA-256 that a key keeps: 128 bits are enough that no two texts meet. */
const keyBytes = 16;

export interface EmbeddedRecords {
  /** Those of which every chunk has its vector, in the order given; without a failure that is all of them. */
  readonly records: readonly DocumentRecord[];
  /** Texts that the embedder embedded. */
  readonly embedded: number;
  /** Chunks of `records` that took the vector of an equal text. */
  readonly reused: number;
  /** Why the others are missing. */
  readonly failure?: unknown;
}

type KeyedRecord = Omit<DocumentRecord, 'chunks'> & {
  readonly chunks: readonly (DocumentRecord['chunks'][number] & { readonly key: string; readonly indexed: string })[];
};

/**
 * Gives each chunk its vector: that of an equal text in the store, or a new one, once for all equal texts. A failure
 * does not throw away what is embedded already.
 */
export async function embedRecords(
  { store, embedder }: { readonly store: Store; readonly embedder: Embedder },
  batch: readonly DocumentRecord[],
  signal: AbortSignal | undefined,
): Promise<EmbeddedRecords> {
  const keyed = await withKeys(batch, fingerprintKey(embedder.fingerprint));
  const keys = [...new Set(keyed.flatMap(({ chunks }) => chunks.map(({ key }) => key)))];
  const vectors = new Map<string, Float32Array>();
  // A store of another make may keep anything; only what fits is taken.
  for (const [key, vector] of (await store.vectors?.(keys)) ?? [])
    if (vector.length === embedder.fingerprint.dimensions) vectors.set(key, vector);
  const stored = vectors.size;
  const failure = await embedMissing(embedder, keyed, vectors, signal);
  const records = keyed
    .filter(({ chunks }) => chunks.every(({ key }) => vectors.has(key)))
    .map(({ chunks, ...record }) => ({
      ...record,
      chunks: chunks.map(({ indexed, ...chunk }) => ({ ...chunk, vector: vectors.get(chunk.key)! })),
    }));
  const embedded = vectors.size - stored;
  const count = records.reduce((sum, { chunks }) => sum + chunks.length, 0);
  return { records, embedded, reused: Math.max(0, count - embedded), ...(failure !== undefined && { failure }) };
}

/** Fills `vectors`, call by call; returns what stopped it. */
async function embedMissing(
  embedder: Embedder,
  records: readonly KeyedRecord[],
  vectors: Map<string, Float32Array>,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const missing = new Map<string, { readonly indexed: string; readonly document: string }>();
  for (const { document, chunks } of records)
    for (const { key, indexed } of chunks)
      if (!vectors.has(key) && !missing.has(key)) missing.set(key, { indexed, document: document.id });
  const wanted = [...missing];
  const { batch } = embedder.limits;
  // Of an impossible limit embedTexts says what is wrong.
  const size = Number.isInteger(batch) && batch > 0 ? batch : wanted.length;
  for (let from = 0; from < wanted.length; from += size) {
    const part = wanted.slice(from, from + size);
    const texts = part.map(([, { indexed }]) => indexed);
    const options = { role: 'document', deadlineMs: embedDeadlineMs, ...(signal ? { signal } : {}) } as const;
    try {
      const answer = await embedTexts(embedder, texts, options);
      part.forEach(([key], index) => {
        vectors.set(key, answer[index]!);
      });
    } catch (error) {
      return naming(
        part.map(([, { document }]) => document),
        error,
      );
    }
  }
  return undefined;
}

/** A failure says which documents it is about, as far as one call tells. */
function naming(documents: readonly string[], error: unknown): unknown {
  if (!isSurmiseError(error) || error.code === 'aborted') return error;
  const [first, ...others] = new Set(documents);
  const more = others.length === 0 ? '' : ` and ${others.length} more, up to "${others.at(-1)}"`;
  const { code, message, retryable } = error;
  return new SurmiseError(code, `${message} (document "${first}"${more})`, { cause: error, retryable });
}

/**
 * A chunk's key stands for the embedder and for the text that it embeds, so it finds a vector wherever the chunk was
 * before, and never one of another embedder.
 */
async function withKeys(batch: readonly DocumentRecord[], space: string): Promise<KeyedRecord[]> {
  const encoder = new TextEncoder();
  const keyOf = async (indexed: string) => {
    const digest = await crypto.subtle.digest('SHA-256', encoder.encode(`${space}\n${indexed}`));
    return [...new Uint8Array(digest, 0, keyBytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  };
  return Promise.all(
    batch.map(async ({ document, hash, chunks }) => ({
      document,
      hash,
      chunks: await Promise.all(
        chunks.map(async (chunk) => {
          const { start, end, heading = [], header } = chunk;
          const indexed = indexText(document.title ?? '', heading, document.text.slice(start, end), header);
          return { ...chunk, indexed, key: await keyOf(indexed) };
        }),
      ),
    })),
  );
}
