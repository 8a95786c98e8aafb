import { close, constants, fstat, open, read } from 'node:fs';
import { promisify } from 'node:util';

// Several times as fast as the handles of node:fs/promises, which is most of the time that small files take.
const openFile = promisify(open);
const statFile = promisify(fstat);
const closeFile = promisify(close);
const readFile = promisify(read) as (
  file: number,
  into: Uint8Array,
  offset: number,
  length: number,
  position: number,
) => Promise<{ readonly bytesRead: number }>;

/** A pipe would be waited for without end when it is opened; Windows has neither. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** The first `limit` bytes of a file. What is no file is an error before anything of it is read: a device has no end. */
export async function readUpTo(location: string, limit: number): Promise<Uint8Array> {
  const file = await openFile(location, flags);
  try {
    const found = await statFile(file);
    if (!found.isFile()) throw new Error('it is not a file');
    // One more than expected, so that the end is seen in one go.
    let buffer = new Uint8Array(Math.min(found.size + 1, limit));
    let total = 0;
    while (total < limit) {
      if (total === buffer.length) {
        const larger = new Uint8Array(Math.min(buffer.length * 2, limit));
        larger.set(buffer);
        buffer = larger;
      }
      const { bytesRead } = await readFile(file, buffer, total, buffer.length - total, total);
      if (bytesRead === 0) break;
      total += bytesRead;
    }
    return buffer.subarray(0, total);
  } finally {
    await closeFile(file);
  }
}
