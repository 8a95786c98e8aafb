import { coolDown, type Retries } from './cool-down.js';
import { pause } from './deadline.js';
import { embedOnce } from './embed.js';
import { embedBatches } from './embed-batches.js';
import { type EmbedCache, embedCache } from './embed-cache.js';
import { isSurmiseError, reasonOf, SurmiseError, withMessage } from './errors.js';
import { inParallel } from './in-parallel.js';
import type { Embedder, ModelCache } from './ports.js';
import { takeTurns } from './take-turns.js';
import type { TokenBudget } from './token-budget.js';
import { checkedCount, estimateTokens } from './token-count.js';

const callDeadlineMs = 120_000;
/** Milliseconds of work after which other tasks (and an abort) get their turn. */
const turnMs = 50;
/** Calls at most for each part of a batch that failed as a whole. */
const mostPartAttempts = 2;
/** When so many texts of a document are refused without one that is accepted between them, the others are put off. */
const maxRefusedOfDocument = 4;
/** So many refused texts of whatever documents without one that is accepted between them are no accident. */
const maxRefusedInARow = 64;
const saysSomething = /[\p{L}\p{N}]/u;
/** A text that nobody refuses. */
const plainText = 'The harbour lies in the north of the town.';

export interface EmbedItem {
  readonly text: string;
  /** Which document it is of, where it is of one only. */
  readonly document?: string;
}

export interface EmbedOutcome {
  /** A vector at the place of each text that has one. */
  readonly vectors: ReadonlyMap<number, Float32Array>;
  /** Why the embedder can not do a text, at its place. */
  readonly refused: ReadonlyMap<number, string>;
  /** The tokens of each text for which the budget has no room, at its place; it was not asked for. */
  readonly left: ReadonlyMap<number, number>;
  /** What stopped it before everything had been tried. */
  readonly failure?: unknown;
}

export interface EmbedProgress {
  /** Texts embedded. */
  readonly embedded: number;
  /**
   * Their tokens: as the embedder counts them where it has a price, else about. Counting takes its time; even the static
   * embedder needs 0.12 s for 10 MB.
   */
  readonly tokens: number;
  /** Set when nothing is asked for so many milliseconds, and why. */
  readonly waiting?: { readonly ms: number; readonly reason: string };
}

export interface EmbedQueueOptions {
  /** Where vectors are kept as soon as they are there, so that a run that is killed loses none. */
  readonly cache?: ModelCache;
  readonly budget?: TokenBudget;
}

export interface EmbedQueue {
  readonly embedder: Embedder;
  readonly cache: EmbedCache;
  /** Tokens of a text for `EmbedProgress`. */
  tokensOf(text: string): number;
  /** Never rejects. The texts of one document are all in one call. */
  embed(items: readonly EmbedItem[]): Promise<EmbedOutcome>;
}

/**
 * Embeds the texts of a whole run, many at a time, with shared cool-downs. A batch that fails is halved until the texts
 * are found that are at fault; the others go on. What would fail for every text stops it: an error that says so (twice,
 * where others have been answered), or a provider that fails with a plain sentence as well.
 *
 * Of a document that seems to be refused as a whole, the other texts are tried at the end, in another order each time,
 * so that run by run all that can be embedded is, and a document of refuse costs little.
 */
export function embedQueue(
  embedder: Embedder,
  retries: Retries,
  signal: AbortSignal | undefined,
  onProgress: (progress: EmbedProgress) => void,
  { cache: keeper, budget }: EmbedQueueOptions = {},
): EmbedQueue {
  const cache = embedCache(keeper, embedder.fingerprint);
  const done = { embedded: 0, tokens: 0 };
  const soFar = () => ({ embedded: done.embedded, tokens: Math.round(done.tokens) });
  const calls = coolDown(retries, (ms, reason) => onProgress({ ...soFar(), waiting: { ms, reason } }));
  const matters = embedder.price !== undefined || budget !== undefined;
  const counts = matters && embedder.countTokens !== undefined;
  const count = counts ? checkedCount((text) => embedder.countTokens!(text)) : estimateTokens;
  const prefix = embedder.fingerprint.prefixes?.document ?? '';
  // What is planned, spent and charged is the same: the prefix is paid for with each text.
  const tokensOf = (text: string) => count(prefix + text);
  const partAttempts = Math.min(mostPartAttempts, retries.attempts);
  let refusedInARow = 0;
  /** Whether the plain text has a vector, once that is known. */
  let plainHasVector: boolean | undefined;
  /** Texts of one call, where more were refused and fewer were not. */
  let acceptedBatch = Number.POSITIVE_INFINITY;
  const giveTurn = takeTurns(turnMs);
  const sizesOf = (texts: readonly string[]) => (budget ? texts.map(tokensOf) : []);
  const charge = (texts: readonly string[]) => budget?.charge(sumOf(sizesOf(texts)));

  const embed = async (items: readonly EmbedItem[]): Promise<EmbedOutcome> => {
    const vectors = new Map<number, Float32Array>();
    const refused = new Map<number, string>();
    const left = new Map<number, number>();
    const refusedOf = new Map<string, number>();
    let isSecondPass = false;
    const stopped = new AbortController();
    const inner = signal ? AbortSignal.any([signal, stopped.signal]) : stopped.signal;
    let failure: unknown;

    const stop = (error: unknown, places: readonly number[]) => {
      // Others end because of the first.
      if (stopped.signal.aborted) return;
      failure = naming(
        places.map((place) => items[place]!),
        error ?? new SurmiseError('internal', 'Something failed without saying why.'),
      );
      stopped.abort();
    };
    const callOnce = async (texts: readonly string[]) => {
      try {
        return await embedOnce(embedder, texts, { role: 'document', signal: inner, deadlineMs: callDeadlineMs });
      } catch (error) {
        // It may have been worked on, and be charged.
        if (isSurmiseError(error) && error.code === 'timeout') charge(texts);
        throw error;
      }
    };
    const call = (texts: readonly string[], attempts?: number) => calls.run(() => callOnce(texts), inner, attempts);
    const callPlain = async () => {
      const answer = await call([plainText], partAttempts);
      charge([plainText]);
      return answer;
    };
    /** What is set aside for texts that were not asked for yet, by place. */
    const setAside = new Map<number, number>();
    const settle = (places: readonly number[]) => {
      for (const place of places) {
        budget?.release(setAside.get(place) ?? 0);
        setAside.delete(place);
      }
    };
    /** One bad answer among good ones is not the last word. */
    const callTwice = (texts: readonly string[], attempts?: number) =>
      call(texts, attempts).catch(async (error: unknown) => {
        const isAmongGoodOnes = calls.lastSuccess > Number.NEGATIVE_INFINITY && retries.attempts > 1;
        if (!isSurmiseError(error) || !error.fatal || error.retryable || !isAmongGoodOnes) throw error;
        await pause(Math.random() * retries.firstMs, inner);
        return call(texts, attempts);
      });
    /** Zeros are for a text that the embedder knows nothing of, not for all texts, nor for a whole call at once. */
    const checkZeros = async (texts: readonly string[], vectors: readonly Float32Array[]): Promise<void> => {
      const zeros = texts.filter((text, at) => isZero(vectors[at]!) && saysSomething.test(text)).length;
      if (zeros === 0) return;
      plainHasVector ??= !isZero((await callPlain())[0]!);
      if (plainHasVector && (zeros < texts.length || texts.length === 1)) return;
      const what = `${embedder.fingerprint.provider} answered vectors that are all zeros`;
      throw new SurmiseError('provider_failed', `${what}; they were refused.`, { fatal: !plainHasVector });
    };
    /** What stops the run: the error, unless texts are at fault, which a plain one settles. */
    const finalOf = async (error: unknown, since: number, isPart: boolean): Promise<unknown> => {
      if (!mayBeOfText(error)) return error;
      // A part that is refused at once is of a batch for which that is settled.
      if (calls.lastSuccess >= since || (isPart && !error.retryable)) return undefined;
      return callPlain().then(
        () => undefined,
        (other: unknown) => (mayBeOfText(other) ? error : other),
      );
    };
    const refuse = (place: number, error: unknown) => {
      const { document } = items[place]!;
      refused.set(place, reasonOf(error));
      if (document !== undefined) refusedOf.set(document, (refusedOf.get(document) ?? 0) + 1);
      // What was put off is known to be refused for the most part, and is little.
      if (!isSecondPass && ++refusedInARow >= maxRefusedInARow) stop(error, [place]);
      onProgress(soFar());
    };
    const send = async (places: readonly number[], attempts?: number): Promise<void> => {
      const wanted = places.filter(
        (place) => (refusedOf.get(items[place]!.document ?? '') ?? 0) < maxRefusedOfDocument,
      );
      if (wanted.length === 0 || stopped.signal.aborted) return;
      if (wanted.length > acceptedBatch) {
        for (let from = 0; from < wanted.length; from += acceptedBatch)
          await send(wanted.slice(from, from + acceptedBatch), attempts);
        return;
      }
      const started = performance.now();
      try {
        await giveTurn();
        const texts = wanted.map((place) => items[place]!.text);
        const answer = await callTwice(texts, attempts);
        // Both at once, so that no other call sees less room than there is.
        charge(texts);
        settle(wanted);
        await checkZeros(texts, answer);
        wanted.forEach((place, at) => {
          vectors.set(place, answer[at]!);
          const { document } = items[place]!;
          if (document !== undefined) refusedOf.delete(document);
        });
        await cache.keep(texts, answer);
        refusedInARow = 0;
        done.embedded += texts.length;
        done.tokens += texts.reduce((sum, text) => sum + tokensOf(text), 0);
      } catch (error) {
        const final = await finalOf(error, started, attempts !== undefined);
        if (final !== undefined) stop(final, wanted);
        else if (wanted.length === 1 && (attempts !== undefined || retries.attempts === 1)) refuse(wanted[0]!, error);
        else {
          const middle = Math.ceil(wanted.length / 2);
          await send(wanted.slice(0, middle), partAttempts);
          await send(wanted.slice(middle), partAttempts);
          // Where no text was at fault there were too many in one call.
          const retryable = isSurmiseError(error) && error.retryable;
          if (!retryable && wanted.every((place) => vectors.has(place)))
            acceptedBatch = Math.min(acceptedBatch, middle);
        }
        return;
      }
      onProgress(soFar());
    };

    const sendWithinBudget = async (places: readonly number[]) => {
      if (budget === undefined) return send(places);
      const sizes = sizesOf(places.map((place) => items[place]!.text));
      const count = budget.reserve(sizes);
      places.forEach((place, at) => {
        (at < count ? setAside : left).set(place, sizes[at]!);
      });
      try {
        await send(places.slice(0, count));
      } finally {
        settle(places);
      }
    };
    const sendAll = (places: readonly number[]) => {
      const texts = places.map((place) => items[place]!.text);
      const batches = embedBatches(embedder, texts, 'document');
      return inParallel(batches.length, embedder.limits.concurrency ?? 1, (index) => {
        const { from, to } = batches[index]!;
        return sendWithinBudget(places.slice(from, to));
      });
    };

    try {
      await sendAll([...items.keys()]);
      const putOff = [...items.keys()].filter(
        (place) => !vectors.has(place) && !refused.has(place) && !left.has(place),
      );
      isSecondPass = true;
      refusedOf.clear();
      if (!stopped.signal.aborted) await sendAll(shuffled(putOff));
    } catch (error) {
      // A counter of tokens or a listener that threw.
      stop(error, []);
    }
    return { vectors, refused, left, ...(failure !== undefined && { failure }) };
  };
  return { embedder, cache, tokensOf, embed };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function isZero(vector: Float32Array): boolean {
  return vector.every((value) => value === 0);
}

/** In an order in which each is as likely as any other (Fisher and Yates). */
function shuffled(places: readonly number[]): number[] {
  const order = [...places];
  for (let last = order.length - 1; last > 0; last--) {
    const at = Math.floor(Math.random() * (last + 1));
    [order[last], order[at]] = [order[at]!, order[last]!];
  }
  return order;
}

/** Whether other texts may fare better. */
function mayBeOfText(error: unknown): error is SurmiseError {
  return isSurmiseError(error) && !error.fatal && (error.code === 'provider_failed' || error.code === 'timeout');
}

/** A failure says which documents it is about, as far as one call tells. */
function naming(items: readonly EmbedItem[], error: unknown): unknown {
  if (!isSurmiseError(error) || error.code === 'aborted') return error;
  const [first, ...others] = new Set(items.flatMap(({ document }) => document ?? []));
  if (first === undefined) return error;
  const more = others.length === 0 ? '' : ` and ${others.length} more, up to "${others.at(-1)}"`;
  return withMessage(error, `${error.message} (document "${first}"${more})`);
}
