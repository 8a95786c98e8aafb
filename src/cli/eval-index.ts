import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  chunkerVersion,
  createSurmise,
  type Embedder,
  fingerprintKey,
  type IndexInput,
  isSurmiseError,
  type Store,
  SurmiseError,
} from '../core/index.js';
import { readCorpus } from '../evaluate/index.js';
import { indexVersion, openSqliteStore } from '../storage/index.js';
import { type EvalCollection, fileLines } from './eval-collection.js';
import { cacheFolder } from './index-path.js';
import type { Progress } from './progress.js';

const dayMs = 86_400_000;
/** Counts the ways in which the weights of the legs were measured. */
const legsVersion = 4;

export interface EvalIndexOptions {
  readonly embedder?: Embedder;
  /** False: in memory only. */
  readonly cache: boolean;
  /** True: a kept index is not used but replaced. */
  readonly rebuild: boolean;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/**
 * A collection's index, each document one chunk. It is kept in the user's cache folder under the content of the corpus,
 * the embedder and the versions of index and chunker, so a second run only opens it. It is built beside and moved there
 * when it is whole: a killed run leaves nothing half done, and two runs at once do not meet.
 */
export async function openEvalIndex(collection: EvalCollection, options: EvalIndexOptions): Promise<Store> {
  if (!options.cache) return fill(openSqliteStore({ path: ':memory:' }), collection, options);
  const folder = join(cacheFolder(), 'collections');
  const path = join(folder, `${await keyOf(collection.corpus, options.embedder)}.db`);
  if (!options.rebuild && existsSync(path)) {
    try {
      return openSqliteStore({ path, access: 'read' });
    } catch (error) {
      if (!isSurmiseError(error) || error.code !== 'index_damaged') throw error;
    }
  }
  await makeFolder(folder);
  await removeStale(folder);
  const draft = join(folder, `${randomUUID()}.part`);
  try {
    const store = await fill(openSqliteStore({ path: draft }), collection, options);
    await store.close();
    // What SQLite kept beside a damaged index must not be taken for a part of the new one.
    await removeDatabase(path);
    await rename(draft, path);
  } finally {
    await removeDatabase(draft);
  }
  return openSqliteStore({ path, access: 'read' });
}

async function fill(store: Store, collection: EvalCollection, options: EvalIndexOptions): Promise<Store> {
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

async function* documents({ corpus }: EvalCollection): AsyncGenerator<IndexInput> {
  for await (const document of readCorpus(fileLines(corpus), corpus)) yield { document };
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw new SurmiseError(
      'storage_failed',
      `The cache folder ${folder} can not be made. Set XDG_CACHE_HOME, or give --no-cache.`,
      { cause: error },
    );
  }
}

async function removeDatabase(path: string): Promise<void> {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) await rm(file, { force: true });
}

/** What killed runs left behind: drafts that nobody has written to for a day. */
async function removeStale(folder: string): Promise<void> {
  const drafts = new Map<string, number>();
  for (const name of await readdir(folder)) {
    const [, draft] = /^([^.]+\.part)(?:-wal|-shm)?$/.exec(name) ?? [];
    if (draft === undefined) continue;
    const changed = await stat(join(folder, name)).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    );
    drafts.set(draft, Math.max(drafts.get(draft) ?? 0, changed));
  }
  for (const [draft, changed] of drafts) if (Date.now() - changed > dayMs) await removeDatabase(join(folder, draft));
}

async function keyOf(corpus: string, embedder: Embedder | undefined): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const bytes of createReadStream(corpus)) hash.update(bytes as Uint8Array);
  } catch (error) {
    throw new SurmiseError('unreadable', `${corpus} can not be read.`, { cause: error });
  }
  hash.update(
    JSON.stringify([
      legsVersion,
      indexVersion,
      chunkerVersion,
      embedder ? fingerprintKey(embedder.fingerprint) : 'none',
    ]),
  );
  return hash.digest('hex').slice(0, 32);
}
