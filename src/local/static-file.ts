import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isSurmiseError, messageOf, SurmiseError } from '../core/errors.js';
import type { Embedder } from '../core/ports.js';
import { staticEmbedder } from '../models/static-embedder.js';

/** The table of the package; as far from the compiled file as from this one. */
const ownTable = new URL('../../assets/static-embedder/static-256.i8.bin', import.meta.url);
/** No table comes near it; reading any file that a user names whole could fill the memory. */
const maxBytes = 1_073_741_824;

/**
 * The static embedder with the package's own table, or with another of the same format.
 *
 * @param path a table file; default the one that came with the package
 * @throws SurmiseError `unreadable` where the file is missing or may not be read, `bad_data` where it is not a table
 */
export async function loadStaticEmbedder(path: string = fileURLToPath(ownTable)): Promise<Embedder> {
  const bytes = await read(path);
  try {
    return staticEmbedder(bytes);
  } catch (error) {
    if (!isSurmiseError(error)) throw error;
    throw new SurmiseError(error.code, `${path}: ${error.message}`, { cause: error });
  }
}

async function read(path: string): Promise<Uint8Array> {
  try {
    const found = await stat(path);
    // A device or a pipe may never end.
    if (!found.isFile()) throw new Error(`${path} is not a file`);
    if (found.size > maxBytes)
      throw new SurmiseError('bad_data', `${path} is too large to be a static embedder table.`);
    return await readFile(path);
  } catch (error) {
    if (isSurmiseError(error)) throw error;
    throw new SurmiseError(
      'unreadable',
      `The static embedder's table can not be read (${messageOf(error)}). Name an existing file, or install the package again.`,
      { cause: error },
    );
  }
}
