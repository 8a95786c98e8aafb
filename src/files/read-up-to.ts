import { open, stat } from 'node:fs/promises';

/**
 * The first `limit` bytes of a file. What is no file is an error before it is opened: a pipe would be waited for
 * without end, and a device has none.
 */
export async function readUpTo(location: string, limit: number): Promise<Uint8Array> {
  if (!(await stat(location)).isFile()) throw new Error('it is not a file');
  const file = await open(location, 'r');
  try {
    const parts: Uint8Array[] = [];
    let total = 0;
    for await (const part of file.createReadStream({ end: limit - 1, autoClose: false })) {
      parts.push(part as Uint8Array);
      total += (part as Uint8Array).length;
    }
    return Buffer.concat(parts, total);
  } finally {
    await file.close();
  }
}
