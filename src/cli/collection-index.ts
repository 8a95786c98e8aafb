import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createSurmise,
  type Embedder,
  fingerprintKey,
  type IndexInput,
  isSurmiseError,
  type Store,
} from '../core/index.js';
import { readCorpus } from '../evaluate/index.js';
import { indexVersion, openSqliteStore } from '../storage/index.js';
import { type Collection, fileLines } from './collection.js';
import { cacheFolder } from './index-path.js';
import type { Progress } from './progress.js';

interface Options {
  readonly embedder?: Embedder;
  /** False: in memory only. */
  readonly cache: boolean;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/**
 * A collection's index, each document one chunk. It is kept in the user's cache folder under the content of the corpus,
 * the embedder and the version of the index, so a second run only opens it. It is built beside and moved there when it
 * is whole: a killed run leaves nothing half done, and two runs at once do not meet.
 */
export async function openCollectionIndex(collection: Collection, options: Options): Promise<Store> {
  if (!options.cache) return fill(openSqliteStore({ path: ':memory:' }), collection, options);
  const folder = join(cacheFolder(), 'collections');
  const path = join(folder, `${await keyOf(collection.corpus, options.embedder)}.db`);
  if (existsSync(path)) {
    try {
      return openSqliteStore({ path, access: 'read' });
    } catch (error) {
      if (!isSurmiseError(error) || error.code !== 'index_damaged') throw error;
    }
  }
  await mkdir(folder, { recursive: true });
  const draft = join(folder, `${randomUUID()}.part`);
  try {
    const store = await fill(openSqliteStore({ path: draft }), collection, options);
    await store.close();
    await rename(draft, path);
  } finally {
    for (const file of [draft, `${draft}-wal`, `${draft}-shm`]) await rm(file, { force: true });
  }
  return openSqliteStore({ path, access: 'read' });
}

async function fill(store: Store, collection: Collection, options: Options): Promise<Store> {
  const { embedder, signal, progress } = options;
  try {
    await createSurmise({ store, ...(embedder && { embedder }) }).index(documents(collection), {
      chunking: { by: 'whole' },
      signal,
      onProgress: ({ seen }) => progress.update(`Indexing ${collection.name}: ${seen} documents`),
    });
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function* documents({ corpus }: Collection): AsyncGenerator<IndexInput> {
  for await (const document of readCorpus(fileLines(corpus), corpus)) yield { document };
}

async function keyOf(corpus: string, embedder: Embedder | undefined): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(corpus)) hash.update(bytes as Uint8Array);
  hash.update(JSON.stringify([indexVersion, embedder ? fingerprintKey(embedder.fingerprint) : 'none']));
  return hash.digest('hex').slice(0, 32);
}
