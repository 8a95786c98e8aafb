import type { Retries } from './cool-down.js';
import { untilAbort } from './deadline.js';
import { type EmbedProgress, embedQueue } from './embed-queue.js';
import { type EmbeddedRecords, embedRecords, type Left, planRecords } from './embed-records.js';
import { isSurmiseError, reasonOf, SurmiseError, withMessage } from './errors.js';
import type { DocumentRecord, Embedder, ModelCache, Store } from './ports.js';
import type { TokenBudget } from './token-budget.js';

/** What was written, or with `dryRun` would be. */
export interface WrittenReport {
  readonly added: number;
  readonly updated: number;
  readonly chunks: number;
  /** Texts of chunks that were embedded, each different one once. */
  readonly embedded: number;
  /** Tokens of these texts: as the embedder counts them where it has a price, else about. */
  readonly tokens: number;
  /** Chunks that took the vector of an equal text: one that the index or the cache holds, or one beside it. */
  readonly reused: number;
  /**
   * Documents written (and counted above) of which the embedder refused texts, and why. Words find them whole, the dense
   * leg only where they have vectors; the next run tries the missing ones again.
   */
  readonly failed: EmbeddedRecords['failed'];
  /**
   * What the budget had no room for. Documents are written (and counted above), words find them whole, and the next run
   * embeds what is missing.
   */
  readonly left?: Left;
  /** Why vectors were not kept in the cache, where one is there. */
  readonly notKept?: string;
}

export interface WriteProgress extends EmbedProgress {
  /** Documents written so far. */
  readonly written: number;
  /** Chunks written so far. */
  readonly chunks: number;
}

export interface IndexBatches {
  /** Resolves when there is room for the next one. */
  add(record: DocumentRecord): Promise<void>;
  /** Tells the listener how far the work is. */
  tell(): void;
  /** Waits for what is being written, for when the work ends before its time; gives the error where writing fails. */
  settle(): Promise<unknown>;
  end(): Promise<WrittenReport>;
}

/** A batch is written when it holds this many chunks or UTF-16 units. */
const batchChunks = 1_000;
const batchCharacters = 4_000_000;
/** How long a caller who has given up waits for a write that is going on. */
const writeGraceMs = 1_000;

/** Collects documents to batches, embeds and writes each as one transaction; one is written while the next is embedded. */
export function indexBatches(options: {
  readonly store: Store;
  readonly embedder?: Embedder;
  readonly retries: Retries;
  readonly cache?: ModelCache;
  readonly budget?: TokenBudget;
  readonly dryRun: boolean;
  readonly signal: AbortSignal | undefined;
  /** Whether the index has the document already. */
  readonly isKnown: (id: string) => boolean;
  readonly onProgress: (progress: WriteProgress) => void;
}): IndexBatches {
  const { store, embedder, retries, cache, budget, dryRun, signal, isKnown, onProgress } = options;
  const failed: WrittenReport['failed'][number][] = [];
  const report = { added: 0, updated: 0, chunks: 0, embedded: 0, tokens: 0, reused: 0, failed };
  let embedding: EmbedProgress = { embedded: 0, tokens: 0 };
  const tell = () => onProgress({ written: report.added + report.updated, chunks: report.chunks, ...embedding });
  const queue =
    embedder &&
    embedQueue(
      embedder,
      retries,
      signal,
      (progress) => {
        embedding = progress;
        tell();
      },
      { ...(cache && { cache }), ...(budget && { budget }) },
    );
  let left: Left | undefined;
  let batch: DocumentRecord[] = [];
  let size = { chunks: 0, characters: 0 };

  /** The batch that is being written while the next one is read and embedded. */
  let writing: Promise<void> = Promise.resolve();
  let graceMs = writeGraceMs;
  const written = () =>
    untilAbort(writing, signal, graceMs).catch((error: unknown) => {
      if (!isSurmiseError(error) || error.code !== 'aborted') throw error;
      // Who has waited once does not wait again.
      graceMs = 0;
      throw withMessage(error, 'The work was cancelled in a write that goes on; closing the store waits for it.');
    });
  let recent: ReadonlyMap<string, Float32Array> = new Map();
  const plannedKeys = new Set<string>();

  const flush = async () => {
    if (batch.length === 0) return;
    const records = batch;
    batch = [];
    size = { chunks: 0, characters: 0 };
    if (dryRun) await plan(records);
    else await write(records);
  };
  const count = (records: readonly DocumentRecord[]) => {
    for (const { document, chunks } of records) {
      // One that became empty is removed and counts as skipped.
      if (chunks.length === 0) continue;
      if (isKnown(document.id)) report.updated++;
      else report.added++;
      report.chunks += chunks.length;
    }
  };
  const write = async (records: readonly DocumentRecord[]) => {
    const done: EmbeddedRecords = queue
      ? await embedRecords(store, queue, records, recent)
      : { records, vectors: new Map(), embedded: 0, reused: 0, failed: [] };
    await written();
    recent = done.vectors;
    writing = put(done);
    // Whoever waits for it next is told.
    writing.catch(() => {});
    if (done.failure === undefined) return;
    await written();
    throw done.failure;
  };
  const put = async (done: EmbeddedRecords) => {
    const { records } = done;
    try {
      if (records.length > 0) await store.put(records, embedder ? { fingerprint: embedder.fingerprint } : {});
    } catch (error) {
      if (isSurmiseError(error)) throw error;
      throw new SurmiseError('storage_failed', `The store failed: ${reasonOf(error)}`, { cause: error });
    }
    report.embedded += done.embedded;
    report.reused += done.reused;
    report.tokens = embedding.tokens;
    failed.push(...done.failed);
    if (done.left !== undefined) left = sumOfLeft(left, done.left);
    count(records);
  };
  const plan = async (records: readonly DocumentRecord[]) => {
    count(records);
    if (queue === undefined) return;
    const planned = await planRecords(store, queue, records, plannedKeys);
    report.embedded += planned.embedded;
    report.reused += planned.reused;
    report.tokens += planned.tokens;
  };

  return {
    async add(record) {
      batch.push(record);
      size = {
        chunks: size.chunks + record.chunks.length,
        characters: size.characters + record.document.text.length,
      };
      if (size.chunks >= batchChunks || size.characters >= batchCharacters) await flush();
    },
    tell,
    settle: () =>
      written().then(
        () => undefined,
        (error: unknown) => error,
      ),
    async end() {
      await flush();
      await written();
      tell();
      const notKept = queue?.cache.failure;
      return { ...report, ...(left && { left }), ...(notKept !== undefined && { notKept }) };
    },
  };
}

function sumOfLeft(one: Left | undefined, other: Left): Left {
  if (one === undefined) return other;
  return {
    documents: one.documents + other.documents,
    texts: one.texts + other.texts,
    tokens: one.tokens + other.tokens,
  };
}
