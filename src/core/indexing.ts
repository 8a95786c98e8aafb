import { type Block, type ChunkOptions, checkChunking, chunkText } from './chunk.js';
import { checkRetries, indexingRetries, type Retries } from './cool-down.js';
import { throwIfAborted } from './deadline.js';
import { describeFingerprint, fingerprintKey } from './embed.js';
import { type EmbedProgress, embedQueue } from './embed-queue.js';
import { type EmbeddedRecords, embedRecords } from './embed-records.js';
import { SurmiseError } from './errors.js';
import {
  checkInput,
  checkSource,
  hashOfInput,
  hashOfSource,
  type IndexInput,
  type IndexSource,
  readSource,
} from './index-input.js';
import type { Document, DocumentRecord, Embedder, Span, Store } from './ports.js';

export type IndexInputs = AsyncIterable<IndexInput | IndexSource> | Iterable<IndexInput | IndexSource>;

/** So far: `embedded` counts texts; `waiting` is there while the embedder is left alone for a time. */
export interface IndexProgress extends EmbedProgress {
  /** Documents seen so far. */
  readonly seen: number;
  /** Documents written so far. */
  readonly written: number;
  /** Chunks written so far. */
  readonly chunks: number;
}

export interface IndexOptions {
  readonly chunking?: ChunkOptions;
  /** How long an embedder that fails for the moment is tried again. Default `indexingRetries`. */
  readonly retries?: Partial<Retries>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: IndexProgress) => void;
}

export interface IndexReport {
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Chunks written. */
  readonly chunks: number;
  /** Texts of chunks that were embedded, each different one once. */
  readonly embedded: number;
  /** Chunks that took the vector of an equal text: one that the index holds, under whatever id, or one beside it. */
  readonly reused: number;
  /** Documents that were not indexed, and why. */
  readonly skipped: readonly { readonly id: string; readonly reason: 'empty' | 'duplicate id' }[];
  /**
   * Documents written (and counted above) of which the embedder refused texts, and why. Words find them whole, the dense
   * leg only where they have vectors; the next run tries the missing ones again.
   */
  readonly failed: EmbeddedRecords['failed'];
}

const optionNames = ['chunking', 'retries', 'signal', 'onProgress'];

/** A batch is written when it holds this many chunks or UTF-16 units. */
const batchChunks = 1_000;
const batchCharacters = 4_000_000;

/**
 * Cuts, embeds and writes documents batch by batch; each batch is one transaction, so what is written stays when a
 * later batch fails, and of a batch whose embedding is stopped the documents that were done are written. Texts that the
 * embedder refuses stay without vector, see `failed`. A document whose content, title, metadata, chunking and embedder are
 * unchanged is not touched; of a changed or moved one only the chunks whose text the index does not hold are embedded.
 *
 * @throws SurmiseError `bad_data` for a malformed document, `embedder_mismatch`, `provider_failed`, `aborted`, and
 *   what the store throws
 */
export async function indexDocuments(
  ports: { readonly store: Store; readonly embedder?: Embedder },
  inputs: IndexInputs,
  options: IndexOptions = {},
): Promise<IndexReport> {
  const { store, embedder } = ports;
  if (!isIterable(inputs)) throw new SurmiseError('bad_argument', 'The documents to index must be an iterable.');
  const unknown = Object.keys(options).find((name) => !optionNames.includes(name));
  if (unknown !== undefined)
    throw new SurmiseError('bad_argument', `Unknown indexing option "${unknown}". Known: ${optionNames.join(', ')}.`);
  const { chunking = {}, signal, onProgress } = options;
  const retries = checkRetries(options.retries ?? {}, indexingRetries);
  checkChunking(chunking);
  await checkFingerprint(store, embedder);
  const known = new Map<string, string>();
  for await (const { id, hash } of store.documents()) known.set(id, hash);

  const skipped: IndexReport['skipped'][number][] = [];
  const failed: IndexReport['failed'][number][] = [];
  const report = { added: 0, updated: 0, unchanged: 0, chunks: 0, embedded: 0, reused: 0, skipped, failed };
  const seen = new Set<string>();
  let batch: Omit<DocumentRecord, 'vector'>[] = [];
  let size = { chunks: 0, characters: 0 };
  let embedding: EmbedProgress = { embedded: 0, tokens: 0 };
  const tell = () =>
    onProgress?.({ seen: seen.size, written: report.added + report.updated, chunks: report.chunks, ...embedding });
  const queue =
    embedder &&
    embedQueue(embedder, retries, signal, (progress) => {
      embedding = progress;
      tell();
    });
  const flush = async () => {
    if (batch.length === 0) return;
    const done: EmbeddedRecords = queue
      ? await embedRecords(store, queue, batch)
      : { records: batch, embedded: 0, reused: 0, failed: [] };
    const { records, embedded, reused, failure } = done;
    if (records.length > 0) await store.put(records, embedder ? { fingerprint: embedder.fingerprint } : {});
    if (failure !== undefined) throw failure;
    report.embedded += embedded;
    report.reused += reused;
    failed.push(...done.failed);
    for (const { document, chunks } of records) {
      // One that became empty is removed and counts as skipped.
      if (chunks.length === 0) continue;
      if (known.has(document.id)) report.updated++;
      else report.added++;
      report.chunks += chunks.length;
    }
    batch = [];
    size = { chunks: 0, characters: 0 };
  };

  const settings = { chunking, embedder };
  /** What has to be written of an input; nothing when it is known as it is. */
  const changed = async (given: IndexInput | IndexSource, id: string) => {
    const lazy = 'identity' in given;
    const hash = await (lazy ? hashOfSource(given, settings) : hashOfInput(given, settings));
    if (known.get(id) === hash) {
      report.unchanged++;
      return undefined;
    }
    const input = lazy ? await readSource(given) : given;
    return input && { input, hash };
  };

  for await (const given of inputs) {
    throwIfAborted(signal);
    const id = idOf(given);
    const found = seen.has(id) ? undefined : await changed(given, id);
    if (seen.has(id)) report.skipped.push({ id, reason: 'duplicate id' });
    else if (found !== undefined) {
      const { document, blocks } = found.input;
      const chunks = chunksOf(document, blocks, chunking);
      if (chunks.length === 0) report.skipped.push({ id, reason: 'empty' });
      if (chunks.length > 0 || known.has(id)) batch.push({ document, hash: found.hash, chunks });
      size = { chunks: size.chunks + chunks.length, characters: size.characters + document.text.length };
    }
    seen.add(id);
    if (size.chunks >= batchChunks || size.characters >= batchCharacters) await flush();
    tell();
  }
  await flush();
  tell();
  return report;
}

/** The id of a checked input. */
function idOf(given: IndexInput | IndexSource): string {
  if (typeof given === 'object' && given !== null && 'identity' in given) {
    checkSource(given);
    return given.id;
  }
  checkInput(given);
  return given.document.id;
}

/** A document without text is found by its title: one chunk of no length. */
function chunksOf(
  { text, title = '' }: Document,
  blocks: readonly Block[] | undefined,
  chunking: ChunkOptions,
): Span[] {
  const chunks = chunkText(text, blocks, chunking);
  return chunks.length === 0 && title.trim() !== '' ? [{ start: 0, end: 0, heading: [] }] : chunks;
}

async function checkFingerprint(store: Store, embedder: Embedder | undefined): Promise<void> {
  const { fingerprint, vectors } = await store.info();
  if (fingerprint === undefined || vectors === 0) return;
  if (embedder !== undefined && fingerprintKey(fingerprint) === fingerprintKey(embedder.fingerprint)) return;
  throw new SurmiseError(
    'embedder_mismatch',
    `The index holds vectors of ${describeFingerprint(fingerprint)}, but ` +
      `${embedder ? describeFingerprint(embedder.fingerprint) : 'no embedder'} is configured. ` +
      'Use that embedder, or build another index.',
  );
}

function isIterable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value);
}
