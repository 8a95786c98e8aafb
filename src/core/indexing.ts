import { type ChunkOptions, checkChunking, chunkText } from './chunk.js';
import { checkRetries, indexingRetries, type Retries } from './cool-down.js';
import { throwIfAborted } from './deadline.js';
import { describeFingerprint, fingerprintKey } from './embed.js';
import { isSurmiseError, messageOf, reasonOf, SurmiseError } from './errors.js';
import { indexBatches, type WriteProgress, type WrittenReport } from './index-batches.js';
import {
  checkInput,
  checkSource,
  hashOfInput,
  hashOfSource,
  type IndexChunking,
  type IndexInput,
  type IndexSettings,
  type IndexSource,
  readSource,
} from './index-input.js';
import type { Embedder, Span, Store } from './ports.js';

export type IndexInputs = AsyncIterable<IndexInput | IndexSource> | Iterable<IndexInput | IndexSource>;

/** So far: `embedded` counts texts; `waiting` is there while the embedder is left alone for a time. */
export interface IndexProgress extends WriteProgress {
  /** Documents seen so far. */
  readonly seen: number;
}

export interface IndexOptions {
  /** How documents are cut; the embedder says how tokens are counted and what it takes at most. */
  readonly chunking?: IndexChunking;
  /** Says what would be done, and what it would take, without embedding or writing anything. Default false. */
  readonly dryRun?: boolean;
  /** How long an embedder that fails for the moment is tried again. Default `indexingRetries`. */
  readonly retries?: Partial<Retries>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: IndexProgress) => void;
}

/** What came of it. */
export interface IndexReport extends WrittenReport {
  readonly unchanged: number;
  /** Documents that were not indexed, and why. */
  readonly skipped: readonly { readonly id: string; readonly reason: 'empty' | 'duplicate id' }[];
}

const chunkingNames = ['by', 'size', 'overlap'] satisfies (keyof IndexChunking)[];
const optionNames = ['chunking', 'dryRun', 'retries', 'signal', 'onProgress'];

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
  const { chunking = {}, dryRun = false, signal, onProgress } = options;
  const retries = checkRetries(options.retries ?? {}, indexingRetries);
  const settings = { chunking, embedder };
  const cut = cutter(settings);
  await checkFingerprint(store, embedder);
  const known = new Map<string, string>();
  for await (const { id, hash } of store.documents()) known.set(id, hash);

  let unchanged = 0;
  const skipped: IndexReport['skipped'][number][] = [];
  const seen = new Set<string>();
  const batches = indexBatches({
    ...ports,
    retries,
    dryRun,
    signal,
    isKnown: (id) => known.has(id),
    onProgress: (progress) => onProgress?.({ seen: seen.size, ...progress }),
  });

  try {
    for await (const given of inputs) {
      throwIfAborted(signal);
      const id = idOf(given);
      if (seen.has(id)) {
        skipped.push({ id, reason: 'duplicate id' });
        continue;
      }
      seen.add(id);
      const hash = 'identity' in given ? hashOfSource(given, settings) : hashOfInput(given, settings);
      if (known.get(id) === hash) unchanged++;
      else {
        const input = 'identity' in given ? await readSource(given) : given;
        if (input !== undefined) {
          const chunks = cut(input);
          if (chunks.length === 0) skipped.push({ id, reason: 'empty' });
          // One that became empty is removed.
          if (chunks.length > 0 || known.has(id)) await batches.add({ document: input.document, hash, chunks });
        }
      }
      batches.tell();
    }
    return { ...(await batches.end()), unchanged, skipped };
  } catch (error) {
    const lost = await batches.settle();
    throw lost === undefined || lost === error ? error : withLostWrite(error, lost);
  }
}

/** A write that failed as well comes first: what ended the run may be no more than a cancellation. */
function withLostWrite(error: unknown, lost: unknown): SurmiseError {
  return new SurmiseError(
    isSurmiseError(lost) ? lost.code : 'storage_failed',
    `${messageOf(lost)} The run had ended before: ${reasonOf(error)}`,
    { cause: new AggregateError([lost, error]) },
  );
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

/** How documents are cut for these settings. A document without text is found by its title: one chunk of no length. */
function cutter({ chunking, embedder }: IndexSettings): (input: IndexInput) => Span[] {
  checkChunking(chunking, chunkingNames);
  const limit = embedder?.limits.tokens;
  const options: ChunkOptions = {
    ...chunking,
    ...(limit !== undefined && { limit }),
    ...(embedder?.countTokens && { count: (text: string) => embedder.countTokens!(text) }),
  };
  checkChunking(options);
  return ({ document: { text, title = '' }, blocks }) => {
    const chunks = chunkText(text, blocks, options, title);
    return chunks.length === 0 && title.trim() !== '' ? [{ start: 0, end: 0, heading: [] }] : chunks;
  };
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
