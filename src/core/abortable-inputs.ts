import { throwIfAborted, untilAbort } from './deadline.js';
import { isSurmiseError, reasonOf, SurmiseError } from './errors.js';
import { takeTurns } from './take-turns.js';

/** Milliseconds of work after which other tasks (and an abort) get their turn. */
const turnMs = 50;

/**
 * The items one by one, with turns for other tasks between them. An iterator that hangs is left behind when the caller
 * gives up.
 *
 * @throws SurmiseError `aborted`, `unreadable` with what the iterator threw as its cause; errors of ours pass
 */
export async function* abortableInputs<T>(
  items: AsyncIterable<T> | Iterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void> {
  const giveTurn = takeTurns(turnMs);
  const iterator = await reading(async () =>
    Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator](),
  );
  let isOver = false;
  const next = async (): Promise<IteratorResult<T>> => {
    const { done, value } = await iterator.next();
    // What a plain iterator gives may be a promise.
    return { done: done === true, value: await value };
  };
  try {
    for (;;) {
      await giveTurn();
      throwIfAborted(signal);
      // One that has failed is over as well: it is not asked to clean up.
      isOver = true;
      const { done, value } = await reading(() => untilAbort(next(), signal));
      if (done) return;
      isOver = false;
      yield value;
    }
  } finally {
    // An iterator that hangs does not come to its end, so nobody waits for it.
    const closing = isOver && !signal?.aborted ? undefined : (async () => iterator.return?.())();
    if (!signal?.aborted) await closing;
    else closing?.catch(() => {});
  }
}

async function reading<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isSurmiseError(error)) throw error;
    throw new SurmiseError('unreadable', `The documents to index can not be read: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}
