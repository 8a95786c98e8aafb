import { Readable } from 'node:stream';
import { abortedBy, throwIfAborted } from '../core/deadline.js';

/**
 * The lines of a stream of bytes, without the `\n` at their ends. The last may have none. For one above `maxBytes` comes
 * `undefined`, and then nothing more. Throws `aborted`, also while it waits for bytes, and what the source throws.
 */
export async function* byteLines(
  source: AsyncIterable<Uint8Array | string>,
  maxBytes: number,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array | undefined> {
  let parts: Uint8Array[] = [];
  let held = 0;
  for await (const part of untilAborted(source, signal)) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      if (held + end - start > maxBytes) return yield undefined;
      const rest = bytes.subarray(start, end);
      yield parts.length === 0 ? rest : Buffer.concat([...parts, rest]);
      parts = [];
      held = 0;
      start = end + 1;
    }
    if (start === bytes.length) continue;
    // Copied: who fills the part may use its memory again.
    parts.push(Buffer.from(bytes.subarray(start)));
    held += bytes.length - start;
    if (held > maxBytes) return yield undefined;
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}

/** Ends when the caller gives up, even when the source never gives anything again. */
async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  let giveUp: (reason: unknown) => void = () => undefined;
  const onAbort = () => giveUp(abortedBy(signal));
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      throwIfAborted(signal);
      // Not a race with one promise for all: that would keep something of every turn.
      const turn = await new Promise<IteratorResult<T>>((resolve, reject) => {
        giveUp = reject;
        iterator.next().then(resolve, reject);
      });
      if (turn.done) return;
      yield turn.value;
    }
  } finally {
    signal?.removeEventListener('abort', onAbort);
    // Not waited for: an iterator that waits for bytes answers only when they come. A stream that is still open would
    // keep the process alive.
    if (signal?.aborted && source instanceof Readable) source.destroy();
    iterator.return?.().catch(() => undefined);
  }
}
