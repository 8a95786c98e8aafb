import { abortableInputs } from './abortable-inputs.js';
import { checkEmbedder } from './check-embedder.js';
import { type ChunkOptions, checkChunking, chunkText } from './chunk.js';
import { isSurmiseError, messageOf, reasonOf, SurmiseError } from './errors.js';
import { describeFingerprint, fingerprintKey } from './fingerprint.js';
import { indexBatches, type WrittenReport } from './index-batches.js';
import {
  hashOfInput,
  hashOfSource,
  type IndexChunking,
  type IndexInput,
  type IndexSettings,
  type IndexSource,
  readSource,
  takeInput,
  takeSource,
} from './index-input.js';
import { checkIndexOptions, type IndexOptions } from './index-options.js';
import type { LegReport } from './leg-balance.js';
import type { DocumentRecord, Embedder, ModelCache, Span, Store } from './ports.js';
import { tokenWeight } from './token-count.js';

export type IndexInputs = AsyncIterable<IndexInput | IndexSource> | Iterable<IndexInput | IndexSource>;

/** What came of it. */
export interface IndexReport extends WrittenReport, LegReport {
  readonly unchanged: number;
  /** Documents that were not indexed, and why. */
  readonly skipped: readonly { readonly id: string; readonly reason: 'empty' | 'duplicate id' }[];
}

const chunkingNames = ['by', 'size', 'overlap'] satisfies (keyof IndexChunking)[];

/**
 * Cuts, embeds and writes documents batch by batch; each batch is one transaction, so what is written stays when a
 * later batch fails. Of a batch whose embedding is stopped what was embedded is written, also of a document of which
 * the rest is missing; what was read before an input that can not be read is written whole. Texts that the embedder
 * refuses stay without vector, see `failed`. A document whose content, title, metadata, chunking and embedder are
 * unchanged is not touched; of a changed or moved one only the chunks whose text the index does not hold are embedded.
 *
 * @throws SurmiseError `bad_argument` for options or an embedder that are malformed, `bad_data` for a malformed
 *   document, `unreadable` where reading one fails, `embedder_mismatch`, `provider_failed`, `aborted`, and what the store
 *   throws; what a listener throws comes as it is
 */
export async function indexDocuments(
  ports: { readonly store: Store; readonly embedder?: Embedder; readonly cache?: ModelCache },
  inputs: IndexInputs,
  options: IndexOptions = {},
): Promise<IndexReport> {
  const { store, embedder } = ports;
  if (!isIterable(inputs)) throw new SurmiseError('bad_argument', 'The documents to index must be an iterable.');
  const { chunking, dryRun, retries, budget, signal, onProgress } = checkIndexOptions(options);
  if (embedder !== undefined) checkEmbedder(embedder);
  const settings = { chunking, embedder };
  const cut = cutter(settings);
  await checkFingerprint(store, embedder);
  const known = new Map<string, string>();
  for await (const { id, hash } of store.documents()) known.set(id, hash);

  let unchanged = 0;
  const skipped: IndexReport['skipped'][number][] = [];
  const taken = new Set<string>();
  let seen = 0;
  const batches = indexBatches({
    ...ports,
    ...(budget && { budget }),
    retries,
    dryRun,
    signal,
    isKnown: (id) => known.has(id),
    onProgress: (progress) => onProgress?.({ seen, ...progress }),
  });

  /** What is to be written of an input; nothing where it is as it was, or is nothing. */
  const recordOf = async (given: IndexInput | IndexSource): Promise<DocumentRecord | undefined> => {
    const source = isSource(given) ? takeSource(given) : undefined;
    const whole = source === undefined ? takeInput(given as IndexInput) : undefined;
    const id = source?.id ?? whole!.document.id;
    if (taken.has(id)) {
      skipped.push({ id, reason: 'duplicate id' });
      return undefined;
    }
    seen++;
    const hash = source === undefined ? hashOfInput(whole!, settings) : hashOfSource(source, settings);
    if (known.get(id) === hash) {
      taken.add(id);
      unchanged++;
      return undefined;
    }
    const input = whole ?? (await readSource(source!, signal));
    // Another one may still be the document of this id.
    if (input === undefined) return undefined;
    taken.add(id);
    const chunks = cut(input);
    if (chunks.length === 0) skipped.push({ id, reason: 'empty' });
    // One that became empty is removed.
    return chunks.length > 0 || known.has(id) ? { document: input.document, hash, chunks } : undefined;
  };

  let isReading = true;
  try {
    for await (const given of abortableInputs(inputs, signal)) {
      const record = await recordOf(given);
      isReading = false;
      if (record !== undefined) await batches.add(record);
      batches.tell();
      isReading = true;
    }
    isReading = false;
    return { ...(await batches.end()), unchanged, skipped };
  } catch (error) {
    // What was read before an input that can not be read is as good as without it.
    const lost = await (isReading && !signal?.aborted ? failureOf(batches.end()) : batches.settle());
    throw lost === undefined || lost === error ? error : withLostWrite(error, lost);
  }
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** A write that failed as well comes first: what ended the run may be no more than a cancellation. */
function withLostWrite(error: unknown, lost: unknown): SurmiseError {
  if (isSurmiseError(lost) && lost.code === 'aborted') return lost;
  return new SurmiseError(
    isSurmiseError(lost) ? lost.code : 'storage_failed',
    `${messageOf(lost)} The run had ended before: ${reasonOf(error)}`,
    { cause: new AggregateError([lost, error]) },
  );
}

function isSource(given: IndexInput | IndexSource): given is IndexSource {
  return typeof given === 'object' && given !== null && 'identity' in given;
}

/** How documents are cut for these settings. A document without text is found by its title: one chunk of no length. */
function cutter({ chunking, embedder }: IndexSettings): (input: IndexInput) => Span[] {
  checkChunking(chunking, chunkingNames);
  const tokens = embedder?.limits.tokens;
  const count = embedder?.countTokens && ((text: string) => embedder.countTokens!(text));
  // The prefix is put before what is indexed, and the model counts both.
  const limit = tokens && tokens - Math.ceil(tokenWeight(count)(embedder?.fingerprint.prefixes?.document ?? ''));
  const options: ChunkOptions = {
    ...chunking,
    ...(limit !== undefined && { limit }),
    ...(count && { count }),
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
      'Use that embedder, or make the vectors of the index anew first: surmise reembed',
  );
}

function isIterable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value);
}
