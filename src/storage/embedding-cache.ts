import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { type Embedder, fingerprintKey, messageOf, SurmiseError } from '../core/index.js';

/** "SurV" in ASCII: says that an SQLite file is a cache of vectors. */
const applicationId = 0x53757256;
const version = 1;
const dayMs = 86_400_000;
/** What is evicted at once when the file is full, so that it is not done for every vector. */
const evictedShare = 0.1;

export interface EmbeddingCacheOptions {
  /** The file; it and the folders around it are made where they are missing. */
  readonly path: string;
  /** Bytes of vectors at most; those unused longest go first. Default 2 GiB. */
  readonly maxBytes?: number;
}

export interface CachedEmbedder extends Embedder {
  /** How many texts were answered from the file, and how many by the model. */
  readonly counts: () => { readonly found: number; readonly made: number };
  close(): void;
}

/**
 * An embedder that keeps every vector in a file and asks the model only for texts that are not there. Vectors are found
 * by fingerprint, role and text, as a hash: the file holds no text. Several processes may share it.
 *
 * @throws SurmiseError `storage_failed` where the file can not be used, also from `embed`
 */
export function cachedEmbedder(
  embedder: Embedder,
  { path, maxBytes = 2 ** 31 }: EmbeddingCacheOptions,
): CachedEmbedder {
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      throw new SurmiseError(
        'storage_failed',
        `The cache of vectors ${path} can not be used (${messageOf(cause)}). Remove the file, or do without the cache.`,
        { cause },
      );
    }
  };
  const database = guarded(() => openCache(path));
  const { fingerprint } = embedder;
  const space = fingerprintKey(fingerprint);
  const bytes = 4 * fingerprint.dimensions;
  const keyOf = (text: string, role: string): Buffer =>
    createHash('sha256')
      .update(JSON.stringify([space, role]))
      .update('\0')
      .update(text)
      .digest()
      .subarray(0, 16);

  const find = database.prepare<[Buffer], { row: number; value: Buffer; used: number }>(
    'SELECT row, value, used FROM vectors WHERE key = ?',
  );
  const touch = database.prepare('UPDATE vectors SET used = ? WHERE row = ?');
  const add = database.prepare(
    'INSERT INTO vectors (key, value, used) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value, used = excluded.used',
  );
  const size = database.prepare<[], { bytes: number | null; vectors: number }>(
    'SELECT sum(length(value)) AS bytes, count(*) AS vectors FROM vectors',
  );
  const evict = database.prepare(
    'DELETE FROM vectors WHERE row IN (SELECT row FROM vectors ORDER BY used, row LIMIT ?)',
  );
  let held: number | undefined;
  let found = 0;
  let made = 0;

  const touchAll = database.transaction((rows: readonly number[], today: number): void => {
    for (const row of rows) touch.run(today, row);
  });
  const read = (keys: readonly Buffer[]): (Float32Array | undefined)[] => {
    const today = Math.floor(Date.now() / dayMs);
    const stored = keys.map((key) => find.get(key)).map((row) => (row?.value.byteLength === bytes ? row : undefined));
    // To the day, so that reading seldom writes, and so seldom waits for others.
    const old = stored.flatMap((each) => (each !== undefined && each.used < today ? [each.row] : []));
    if (old.length > 0) touchAll.immediate(old, today);
    return stored.map((each) => each && vectorOf(each.value));
  };
  const write = database.transaction((keys: readonly Buffer[], vectors: readonly Float32Array[]): void => {
    const today = Math.floor(Date.now() / dayMs);
    keys.forEach((key, at) => {
      add.run(key, bytesOf(vectors[at]!), today);
    });
    held = (held ?? size.get()?.bytes ?? 0) + bytes * keys.length;
    if (held <= maxBytes) return;
    const now = size.get();
    const average = (now?.bytes ?? 0) / Math.max(1, now?.vectors ?? 0);
    const over = (now?.bytes ?? 0) - maxBytes * (1 - evictedShare);
    if (over > 0) evict.run(Math.ceil(over / average));
    held = undefined;
  });

  return {
    fingerprint,
    limits: embedder.limits,
    ...(embedder.countTokens && { countTokens: (text: string) => embedder.countTokens!(text) }),
    ...(embedder.price && { price: embedder.price }),
    counts: () => ({ found, made }),
    close: () => {
      database.close();
    },
    async embed(texts, options) {
      const keys = texts.map((text) => keyOf(text, options.role));
      const vectors = guarded(() => read(keys));
      const missing = vectors.flatMap((vector, at) => (vector === undefined ? [at] : []));
      found += texts.length - missing.length;
      if (missing.length === 0) {
        // An embedder that was told to stop says so, whatever is known already.
        if (options.signal?.aborted) await embedder.embed([], options);
        return vectors as Float32Array[];
      }
      const fresh = await embedder.embed(
        missing.map((at) => texts[at]!),
        options,
      );
      made += missing.length;
      // What core will refuse must not come back for ever.
      const sound = missing.flatMap((_, i) => (isSound(fresh[i], fingerprint.dimensions) ? [i] : []));
      guarded(() =>
        write.immediate(
          sound.map((i) => keys[missing[i]!]!),
          sound.map((i) => fresh[i]!),
        ),
      );
      missing.forEach((at, i) => {
        vectors[at] = fresh[i];
      });
      return vectors as Float32Array[];
    },
  };
}

function openCache(path: string): Database.Database {
  mkdirSync(dirname(path), { recursive: true });
  const database = new Database(path, { timeout: 10_000 });
  try {
    const [id, found] = ['application_id', 'user_version'].map((name) => database.pragma(name, { simple: true }));
    const isNew = id === 0 && database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
    if (!isNew && (id !== applicationId || found !== version))
      throw new Error('it is another kind of file, or of another version');
    database.pragma('journal_mode = WAL');
    // What a crash of the machine loses is made again.
    database.pragma('synchronous = OFF');
    database.exec(
      `CREATE TABLE IF NOT EXISTS vectors (row INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, value BLOB NOT NULL, used INTEGER NOT NULL);
       PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}`,
    );
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function isSound(vector: Float32Array | undefined, dimensions: number): boolean {
  return vector?.length === dimensions && vector.every(Number.isFinite);
}

/** Little-endian on every platform that Node runs on. */
function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

function vectorOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer);
}
