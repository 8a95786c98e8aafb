import { coolDown, type Retries } from './cool-down.js';
import { embedOnce } from './embed.js';
import { concurrencyOf, embedBatches } from './embed-batches.js';
import { isSurmiseError, reasonOf, type SurmiseError, withMessage } from './errors.js';
import { inParallel } from './in-parallel.js';
import type { Embedder } from './ports.js';
import { takeTurns } from './take-turns.js';
import { estimateTokens } from './token-count.js';

const callDeadlineMs = 120_000;
/** Milliseconds of work after which other tasks (and an abort) get their turn. */
const turnMs = 50;
/** Calls for each part of a batch that failed as a whole. */
const partAttempts = 2;
/** Of a document of which so many texts are refused, the others are not tried any more in this run. */
const maxRefusedOfDocument = 3;
/** So many refused texts without one that is accepted between them are no accident. */
const maxRefusedInARow = 64;
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

export interface EmbedQueue {
  readonly embedder: Embedder;
  /** Tokens of a text for `EmbedProgress`. */
  tokensOf(text: string): number;
  /** Never rejects. */
  embed(items: readonly EmbedItem[]): Promise<EmbedOutcome>;
}

/**
 * Embeds the texts of a whole run, many at a time, with shared cool-downs. A batch that fails is halved until the texts
 * are found that are at fault; the others go on. What would fail for every text stops it: an error that says so, or a
 * provider that fails with a plain sentence as well.
 */
export function embedQueue(
  embedder: Embedder,
  retries: Retries,
  signal: AbortSignal | undefined,
  onProgress: (progress: EmbedProgress) => void,
): EmbedQueue {
  const done = { embedded: 0, tokens: 0 };
  const soFar = () => ({ embedded: done.embedded, tokens: Math.round(done.tokens) });
  const calls = coolDown(retries, (ms, reason) => onProgress({ ...soFar(), waiting: { ms, reason } }));
  const counts = embedder.price !== undefined && embedder.countTokens !== undefined;
  const tokensOf = counts ? (text: string) => embedder.countTokens!(text) : estimateTokens;
  const refusedOf = new Map<string, number>();
  let refusedInARow = 0;
  const giveTurn = takeTurns(turnMs);

  const embed = async (items: readonly EmbedItem[]): Promise<EmbedOutcome> => {
    const vectors = new Map<number, Float32Array>();
    const refused = new Map<number, string>();
    const stopped = new AbortController();
    const inner = signal ? AbortSignal.any([signal, stopped.signal]) : stopped.signal;
    let failure: unknown;

    const stop = (error: unknown, places: readonly number[]) => {
      // Others end because of the first.
      if (stopped.signal.aborted) return;
      failure = naming(
        places.map((place) => items[place]!),
        error,
      );
      stopped.abort();
    };
    const call = (texts: readonly string[], attempts?: number) =>
      calls.run(
        () => embedOnce(embedder, texts, { role: 'document', signal: inner, deadlineMs: callDeadlineMs }),
        inner,
        attempts,
      );
    /** What stops the run: the error, unless texts are at fault, which a plain one settles. */
    const finalOf = async (error: unknown, since: number, isPart: boolean): Promise<unknown> => {
      if (!mayBeOfText(error)) return error;
      // A part that is refused at once is of a batch for which that is settled.
      if (calls.lastSuccess >= since || (isPart && !error.retryable)) return undefined;
      return call([plainText], partAttempts).then(
        () => undefined,
        (other: unknown) => (mayBeOfText(other) ? error : other),
      );
    };
    const refuse = (place: number, error: unknown) => {
      const { document } = items[place]!;
      refused.set(place, reasonOf(error));
      if (document !== undefined) refusedOf.set(document, (refusedOf.get(document) ?? 0) + 1);
      if (++refusedInARow >= maxRefusedInARow) stop(error, [place]);
      onProgress(soFar());
    };
    const send = async (places: readonly number[], attempts?: number): Promise<void> => {
      const wanted = places.filter(
        (place) => (refusedOf.get(items[place]!.document ?? '') ?? 0) < maxRefusedOfDocument,
      );
      if (wanted.length === 0 || stopped.signal.aborted) return;
      const started = performance.now();
      try {
        await giveTurn();
        const texts = wanted.map((place) => items[place]!.text);
        const answer = await call(texts, attempts);
        wanted.forEach((place, at) => {
          vectors.set(place, answer[at]!);
        });
        refusedInARow = 0;
        done.embedded += texts.length;
        done.tokens += texts.reduce((sum, text) => sum + tokensOf(text), 0);
      } catch (error) {
        const final = await finalOf(error, started, attempts !== undefined);
        if (final !== undefined) stop(final, wanted);
        else if (wanted.length === 1 && attempts !== undefined) refuse(wanted[0]!, error);
        else {
          const middle = Math.ceil(wanted.length / 2);
          await send(wanted.slice(0, middle), partAttempts);
          await send(wanted.slice(middle), partAttempts);
        }
        return;
      }
      onProgress(soFar());
    };

    try {
      const texts = items.map(({ text }) => text);
      const batches = embedBatches(embedder, texts, 'document');
      await inParallel(batches.length, concurrencyOf(embedder), (index) => {
        const { from, to } = batches[index]!;
        return send(Array.from({ length: to - from }, (_, at) => from + at));
      });
    } catch (error) {
      // Limits that allow nothing, or a listener that threw.
      stop(error, []);
    }
    return { vectors, refused, ...(failure !== undefined && { failure }) };
  };
  return { embedder, tokensOf, embed };
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
