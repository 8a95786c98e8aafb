import { throwIfAborted } from '../core/deadline.js';
import type { Generation, Generator } from '../core/ports.js';
import { checkNames, checkWhole } from './check.js';

export interface DeterministicGeneratorOptions {
  /** Milliseconds before each answer, one after the other, 0 to 600,000. Default 0. */
  readonly delayMs?: number;
  /** Thrown after the answers were reported, if there are any. */
  readonly failWith?: Error;
  /** Never settles after the answers were reported, until it is aborted. Default false. */
  readonly hang?: boolean;
  /** Default `deterministic`. */
  readonly id?: string;
}

/** Answers by question (a question that is not in it has none), or a function from the question to its answers. */
export type DeterministicAnswers =
  | Readonly<Record<string, readonly string[]>>
  | ((question: string) => readonly string[]);

/**
 * A generator for tests and examples that gives the answers it was made with, the first `n` of them. With `failWith` or
 * `hang` the call itself fails or stalls, and the answers reach only `onGeneration`, as those of a provider that breaks
 * down half-way would.
 *
 * @throws SurmiseError `bad_argument`; `generate`: `aborted`, or `failWith`
 */
export function deterministicGenerator(
  answers: DeterministicAnswers,
  options: DeterministicGeneratorOptions = {},
): Generator {
  checkNames('the deterministic generator', options, ['delayMs', 'failWith', 'hang', 'id']);
  const delayMs = checkWhole('delayMs', options.delayMs ?? 0, 0, 600_000);
  const answersTo = (question: string): readonly string[] => {
    if (typeof answers === 'function') return answers(question);
    return Object.hasOwn(answers, question) ? answers[question]! : [];
  };
  return {
    id: options.id ?? 'deterministic',
    async generate({ question }, { n, signal, onGeneration }) {
      throwIfAborted(signal);
      const generations: Generation[] = [];
      for (const text of answersTo(question).slice(0, n)) {
        if (delayMs > 0) await wait(delayMs, signal);
        generations.push({ text });
        onGeneration?.({ text });
      }
      if (options.failWith !== undefined) throw options.failWith;
      if (options.hang === true) await wait(undefined, signal);
      return generations;
    },
  };
}

/** Resolves after `ms`, never for `undefined`; rejects with `aborted` as soon as the signal fires. */
function wait(ms: number | undefined, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      try {
        throwIfAborted(signal);
      } catch (error) {
        reject(error);
      }
    };
    const done = () => {
      signal?.removeEventListener('abort', stop);
      resolve();
    };
    const timer = ms === undefined ? undefined : setTimeout(done, ms);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
  });
}
