import { type CallBudget, createCallBudget } from './call-budget.js';
import { type Attempt, type BreakerOptions, createCircuitBreakers } from './circuit-breaker.js';
import { pause } from './deadline.js';
import { reasonOf, SurmiseError } from './errors.js';
import { createLru } from './lru.js';
import type { Generation, Generator, ModelCache, Prompt } from './ports.js';

/** UTF-16 units of an answer with the reasoning in it; longer ones are dropped unread. */
export const maxRawLength = 200_000;
/** How long a call may go on after its search has been answered, for the cache. */
const defaultLateMs = 30_000;
/** Calls that go on with nobody waiting. */
const maxLate = 8;
const maxEntries = 500;
/** UTF-16 units of all hypotheses that are kept. */
const maxCharacters = 4_000_000;
/** UTF-16 units of one answer; what is longer stays too long for `cleanHypothesis`. */
const maxLength = maxRawLength + 1;

export interface GenerationsOptions {
  readonly budget?: CallBudget;
  readonly breaker?: BreakerOptions;
  readonly lateMs?: number;
  /** Keeps what is written for other processes and later ones. */
  readonly cache?: ModelCache;
}

export interface Wanted {
  /** Equal for searches that would get the same. */
  readonly key: string;
  readonly prompt: Prompt;
  readonly n: number;
  /** Whether it can serve as a hypothesis. Where none can, nothing is kept and the call counts as failed. */
  readonly usable: (generation: Generation) => boolean;
}

/** One search's share in what is written. */
export interface Writing {
  readonly from: 'call' | 'cache' | 'another search';
  /** What has come until now, at most n. */
  readonly received: readonly Generation[];
  /** All that comes; rejects where the generator fails. */
  readonly all: Promise<readonly Generation[]>;
  /** Settles when what a call brought is kept; says why where it could not be. Never rejects. */
  readonly kept: Promise<string | undefined>;
  /**
   * The search waits no longer. `late`: the call may go on for the cache; else it ends when nobody waits for it.
   */
  leave(late: boolean): void;
}

interface Call extends Omit<Writing, 'from' | 'leave'> {
  readonly abort: () => void;
  readonly attempt: Attempt;
  waiting: number;
  late: boolean;
}

/**
 * What was and is written, shared by the searches of one Surmise: equal questions share one call, a second one asks
 * nobody, what comes after a search's deadline serves the next.
 */
export interface Generations {
  /** Why no call of this generator may be made now, or `undefined`. */
  refusal(generator: Generator): 'budget' | 'breaker open' | undefined;
  has(key: string): boolean;
  /** Looks whether another process has kept it; then `write` asks nobody. Rejects where that can not be read in time. */
  recall(key: string, leftMs?: () => number): Promise<void>;
  /** Starts or joins, or `undefined` where no call may be made. */
  write(generator: Generator, wanted: Wanted): Writing | undefined;
  /** Ends all calls. */
  close(): void;
}

export function createGenerations(options: GenerationsOptions = {}): Generations {
  const { lateMs = defaultLateMs } = options;
  const budget = createCallBudget(options.budget);
  const breakerOf = createCircuitBreakers(options.breaker);
  const cache = createLru<readonly Generation[]>(maxEntries, maxCharacters, (list) =>
    list.reduce((sum, { text, vector }) => sum + text.length + 2 * (vector?.length ?? 0), 0),
  );
  const calls = new Map<string, Call>();
  // Loaded by those who have one.
  const kept = async (leftMs?: () => number) =>
    options.cache && (await import('./model-cache.js')).keptGenerations(options.cache, leftMs);

  const begin = (generator: Generator, { key, prompt, n, usable }: Wanted, attempt: Attempt): Call => {
    const controller = new AbortController();
    const received: Generation[] = [];
    const generate = async () => {
      const answer: unknown = await generator.generate(prompt, {
        n,
        signal: controller.signal,
        onGeneration: (generation) => {
          if (received.length < n && !controller.signal.aborted) received.push(copy(generation));
        },
      });
      if (!Array.isArray(answer) || answer.length === 0)
        throw new SurmiseError('provider_failed', 'no hypotheses came back');
      return answer.slice(0, n).map(copy);
    };
    const ended = new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
    });
    const all = Promise.race([generate(), ended]);
    const keep = all.then(
      async (list) => {
        // What was written with passages in view may quote them, and would outlive their documents.
        if (list.some(usable) && prompt.passages.length === 0) await (await kept())?.keep(key, list);
        return undefined;
      },
      () => undefined,
    );
    const call: Call = {
      received,
      all,
      kept: keep.catch(reasonOf),
      abort: () => controller.abort(),
      attempt,
      waiting: 0,
      late: false,
    };
    all
      .then((list) => {
        if (list.some(usable)) {
          cache.set(key, list);
          attempt.succeeded();
        } else attempt.failed();
      })
      .catch(() => {
        // Who asks the same again need not wait for what did not come in all that time.
        if (call.late && received.some(usable)) cache.set(key, [...received]);
        if (controller.signal.aborted && !call.late) attempt.cancelled();
        else attempt.failed();
      })
      .finally(() => {
        if (calls.get(key) === call) calls.delete(key);
      });
    calls.set(key, call);
    return call;
  };

  const share = (call: Call, from: Writing['from']): Writing => {
    call.waiting++;
    let left = false;
    return {
      from,
      received: call.received,
      all: call.all,
      kept: call.kept,
      leave(late) {
        if (left) return;
        left = true;
        call.waiting--;
        if (!late) {
          if (call.waiting === 0 && !call.late) call.abort();
          return;
        }
        // Nothing in all that time is a failure already, whatever comes in the end.
        if (call.received.length === 0) call.attempt.failed();
        if (call.late) return;
        call.late = true;
        const done = new AbortController();
        pause(lateMs, done.signal).then(call.abort, () => {});
        call.all.then(
          () => done.abort(),
          () => done.abort(),
        );
        const unwatched = [...calls.values()].filter((other) => other.late && other.waiting === 0);
        for (const oldest of unwatched.slice(0, Math.max(0, unwatched.length - maxLate))) oldest.abort();
      },
    };
  };

  return {
    refusal: (generator) => (breakerOf(generator).waitMs() > 0 ? 'breaker open' : budget.left() ? undefined : 'budget'),
    has: (key) => cache.get(key) !== undefined || calls.has(key),
    async recall(key, leftMs) {
      if (options.cache === undefined || cache.get(key) !== undefined || calls.has(key)) return;
      const list = await (await kept(leftMs))?.find(key);
      if (list !== undefined && cache.get(key) === undefined) cache.set(key, list);
    },
    write(generator, wanted) {
      const known = cache.get(wanted.key);
      if (known !== undefined)
        return {
          from: 'cache',
          received: known,
          all: Promise.resolve(known),
          kept: Promise.resolve(undefined),
          leave() {},
        };
      const running = calls.get(wanted.key);
      if (running !== undefined) return share(running, 'another search');
      const attempt = budget.left() ? breakerOf(generator).attempt() : undefined;
      if (attempt === undefined) return undefined;
      budget.take();
      return share(begin(generator, wanted, attempt), 'call');
    },
    close() {
      for (const call of calls.values()) call.abort();
      cache.clear();
    },
  };
}

/** Foreign code may change what it handed over, or hand over what is none; the latter has an empty text. */
function copy(generation: Generation): Generation {
  const { text, weight, vector } = (generation ?? {}) as Partial<Generation>;
  return {
    text: typeof text === 'string' ? cut(text) : '',
    ...(typeof weight === 'number' && { weight }),
    ...(vector !== undefined && { vector: typeof vector?.slice === 'function' ? vector.slice() : vector }),
  };
}

/** A part of a string may hold all of it in memory, so it is made anew. */
function cut(text: string): string {
  return text.length <= maxLength ? text : (JSON.parse(JSON.stringify(text.slice(0, maxLength))) as string);
}
