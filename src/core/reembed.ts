import { checkEmbedder } from './check-embedder.js';
import { checkRetries, indexingRetries, type Retries } from './cool-down.js';
import { throwIfAborted } from './deadline.js';
import { digester } from './digest.js';
import { type EmbedProgress, embedQueue } from './embed-queue.js';
import { keyBytes } from './embed-records.js';
import { SurmiseError } from './errors.js';
import { describeFingerprint, fingerprintKey } from './fingerprint.js';
import { indexText } from './index-text.js';
import { type LegReport, refreshLegBalance } from './leg-balance.js';
import type { Chunk, Embedder, Fingerprint, ModelCache } from './ports.js';
import type { TokenBudget } from './token-budget.js';
import type { BesideVector, StoreWithBeside } from './vectors-beside.js';

export interface ReembedOptions {
  /** How long an embedder that fails for the moment is tried again. Default `indexingRetries`. */
  readonly retries?: Partial<Retries>;
  /** What may be embedded; when it is used up the run ends with `over_budget`, and the next one goes on. */
  readonly budget?: TokenBudget;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ReembedProgress) => void;
  /** Called as soon as the new vectors answer, before it is measured how well each leg finds. */
  readonly onSwap?: () => void;
}

export interface ReembedProgress extends EmbedProgress {
  /** Chunks that have their new vector, those of earlier runs among them. */
  readonly done: number;
  readonly chunks: number;
}

export interface ReembedReport extends LegReport {
  /** Whose vectors the index held; absent where it held none. */
  readonly from?: Fingerprint;
  readonly to: Fingerprint;
  /** False where the index holds the vectors of this embedder already. */
  readonly swapped: boolean;
  /** Chunks whose vectors an earlier run had made. */
  readonly resumed: number;
  /** Texts that were embedded, each different one once. */
  readonly embedded: number;
  readonly tokens: number;
  /** Chunks whose texts the embedder refused, and why; words find them. */
  readonly failed: readonly { readonly id: string; readonly reason: string }[];
  /** Chunks longer than the embedder takes, of which it saw the beginning only; indexing again cuts them anew. */
  readonly tooLong: number;
}

const optionNames = ['retries', 'budget', 'signal', 'onProgress', 'onSwap'];

/** So often the whole index is gone through for what others added meanwhile. */
const maxRounds = 100;

/**
 * Makes the vectors of an index anew with another embedder, from the texts that it holds. Until all are there the old ones
 * answer; then the new ones take their place at once. A run that ends before its time, in whatever way, is gone on with
 * by the next one for the same embedder. Chunks stay as they are.
 *
 * @param ports with `cache`, vectors are taken from it and kept there as soon as they are there
 * @throws SurmiseError `over_budget`; `bad_argument` for options, an embedder that is malformed, or a store that has no place for other
 *   vectors; `index_busy` where others write or make vectors of another embedder all the time; `provider_failed`,
 *   `aborted`, and what the store throws
 */
export async function reembed(
  ports: { readonly store: StoreWithBeside; readonly embedder: Embedder; readonly cache?: ModelCache },
  options: ReembedOptions = {},
): Promise<ReembedReport> {
  const { store, embedder, cache } = ports;
  const { retries = {}, budget, signal, onProgress, onSwap } = options;
  const unknown = Object.keys(options).find((name) => !optionNames.includes(name));
  if (unknown !== undefined)
    throw new SurmiseError('bad_argument', `Unknown option "${unknown}". Known: ${optionNames.join(', ')}.`);
  checkEmbedder(embedder);
  const beside = store?.beside;
  if (beside === undefined)
    throw new SurmiseError('bad_argument', 'This store has no place for other vectors. Build another index.');
  const { fingerprint } = embedder;
  const before = await store.info();
  const from = before.fingerprint;
  const none = { ...(from && { from }), to: fingerprint, resumed: 0, embedded: 0, tokens: 0, failed: [], tooLong: 0 };
  if (from !== undefined && fingerprintKey(from) === fingerprintKey(fingerprint)) {
    await beside.drop();
    return { ...none, swapped: false };
  }
  await beside.begin(fingerprint);
  const resumed = (await beside.info())?.vectors ?? 0;
  let done = resumed;
  let embedding: EmbedProgress = { embedded: 0, tokens: 0 };
  const tell = () => onProgress?.({ ...embedding, done, chunks: Math.max(before.chunks, done) });
  const onEmbedded = (progress: EmbedProgress) => {
    embedding = progress;
    tell();
  };
  const means = { ...(cache && { cache }), ...(budget && { budget }) };
  const queue = embedQueue(embedder, checkRetries(retries, indexingRetries), signal, onEmbedded, means);
  const keyOf = digester(`${fingerprintKey(fingerprint)}\n`, keyBytes);
  const isTooLong = tooLongFor(embedder);
  const refused = new Map<string, string>();
  let tooLong = 0;

  /** Embeds each different text once, and keeps what was embedded before a failure. */
  const embedPage = async (page: readonly Chunk[]): Promise<void> => {
    const items = page.map(({ id, document, title, heading, header, text }) => {
      const indexed = indexText(title, heading, text, header);
      return { id, document, text: indexed, key: keyOf(indexed) };
    });
    const vectors = await beside.find([...new Set(items.map(({ key }) => key))]);
    const unknown = [...new Map(items.filter(({ key }) => !vectors.has(key)).map((item) => [item.key, item])).values()];
    const kept = await queue.cache.find(unknown.map(({ text }) => text));
    kept.forEach((vector, place) => {
      if (vector !== undefined) vectors.set(unknown[place]!.key, vector);
    });
    const missing = unknown.filter(({ key }) => !vectors.has(key));
    const outcome = await queue.embed(missing);
    for (const [place, vector] of outcome.vectors) vectors.set(missing[place]!.key, vector);
    const reasons = new Map([...outcome.refused].map(([place, reason]) => [missing[place]!.key, reason]));
    const made = items.flatMap(({ id, text, key }): BesideVector[] => {
      const vector = vectors.get(key);
      return vector === undefined ? [] : [{ id, text, key, vector }];
    });
    if (made.length > 0) await beside.put(fingerprint, made);
    done += made.length;
    tooLong += made.filter(({ text }) => isTooLong(text)).length;
    tell();
    for (const { id, key } of items) {
      const reason = reasons.get(key);
      if (reason !== undefined) refused.set(id, reason);
    }
    if (outcome.failure !== undefined) throw outcome.failure;
    if (outcome.left.size > 0)
      throw new SurmiseError(
        'over_budget',
        'The budget is used up before all vectors were made anew. The old ones go on answering; the next run goes on.',
      );
  };

  for (let round = 1; ; round++) {
    for (let after = 0; ; ) {
      throwIfAborted(signal);
      const { chunks, last } = await beside.missing(after);
      if (chunks.length === 0) break;
      after = last;
      await embedPage(chunks.filter(({ id }) => !refused.has(id)));
    }
    if (refused.size > 0 && (await beside.info())?.vectors === 0)
      throw new SurmiseError(
        'provider_failed',
        `${describeFingerprint(fingerprint)} refused every text of the index, so its vectors stay as they are: ${[...refused.values()][0]}`,
      );
    if (await beside.swap(fingerprint, new Set(refused.keys()))) break;
    if (round === maxRounds)
      throw new SurmiseError(
        'index_busy',
        'Others changed the index all the time, so new vectors could not take the place of the old ones. Run it again when they are done.',
        { retryable: true },
      );
  }
  onSwap?.();
  const legs = await refreshLegBalance(store, embedder, { ...(signal && { signal }) });
  const failed = [...refused].map(([id, reason]) => ({ id, reason }));
  return { ...none, swapped: true, resumed, ...embedding, failed, tooLong, ...legs };
}

function tooLongFor({ limits, countTokens, fingerprint }: Embedder): (text: string) => boolean {
  const { tokens, characters = Infinity } = limits;
  const prefix = fingerprint.prefixes?.document ?? '';
  return (text) =>
    text.length > characters ||
    (tokens !== undefined && countTokens !== undefined && countTokens(prefix + text) > tokens);
}
